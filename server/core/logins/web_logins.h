// Logins on the web: password, one-time code, penalties. The web side keeps the sessions; AccountChanged tells it when
// an account has changed.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "server/core/logins/web_login.h"
#include "server/core/part.h"

namespace fuhyo::core {

class WebLogins : Part {
 public:
  explicit WebLogins(const Parts& parts) : Part(parts) {}

  void on(const WebLogin& e);
  void on(const PasswordChosen& e);
  void refusal_due(std::uint64_t token) { put(WebLoginAnswer{.token = token}); }

  bool is_under_way(std::uint64_t token) const { return under_way_.contains(token); }
  std::int64_t wait_us(std::uint64_t token) const;  // of one that is: until something may be tried
  void admit(std::uint64_t token, const AccountSet& account);
  void put_off(std::uint64_t token, std::int64_t us);
  void refuse(std::uint64_t token, bool guilty);

 private:
  struct UnderWay {
    WebLogin asked;
    Instant since;
  };

  std::int64_t wait_us(const WebLogin& e) const;
  void prove(const WebLogin& e);
  void admit(std::uint64_t token, const std::string& name, Role role);

  std::map<std::uint64_t, UnderWay> under_way_;
};

}  // namespace fuhyo::core
