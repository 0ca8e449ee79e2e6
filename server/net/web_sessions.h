// Who is logged in on the web. A session is known by a random id that only the browser has; here is its keyed hash. It
// ends when it was idle or there for too long, when its owner says so, and with the process. A value without a clock:
// the time is an argument and never goes back. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/admin/verbs.h"
#include "server/core/ids.h"

namespace fuhyo::net {

struct WebSession {
  std::uint64_t number = 0;  // of all sessions of this process
  std::string name;
  core::Role role = core::Role::player;
  std::string address;                   // where the login came from
  core::Instant since, used, confirmed;  // confirmed: when he last showed who he is
};

struct WebSessionLimits {
  std::int64_t idle_us = 30 * 60 * core::kSecond;
  std::int64_t whole_us = 12 * 3600 * core::kSecond;
  std::int64_t confirmed_us = 5 * 60 * core::kSecond;  // so long after a password dangerous acts are taken
  std::size_t sessions = 10'000;
  std::size_t per_name = 16;  // beyond it, the one that was unused for longest ends
};

class WebSessions {
 public:
  struct Secrets {
    std::function<std::string()> random_id;                        // 192 bits; no character that a cookie may not have
    std::function<std::string(std::string_view text)> keyed_hash;  // of this process alone
  };

  WebSessions(const WebSessionLimits& limits, Secrets secrets);

  // Returns the id, which is nowhere else. Nothing: there are as many sessions as there may be.
  std::optional<std::string> open(std::string name, core::Role role, std::string address, core::Instant now);
  // Null: there is none, or no longer. Good until the next call. touch() is use; look() is not.
  WebSession* touch(std::string_view id, core::Instant now);
  const WebSession* look(std::string_view id, core::Instant now);
  // What requests that change something must show beside the cookie, which a foreign page cannot read.
  std::string csrf_of(std::string_view id) const;
  bool is_confirmed(const WebSession& session, core::Instant now) const;
  std::int64_t idle_end_us(const WebSession& session, core::Instant now) const;   // from now
  std::int64_t whole_end_us(const WebSession& session, core::Instant now) const;  // from now

  bool close(std::string_view id);
  std::size_t close_all_of(std::string_view name);
  // In order of their beginning. Empty name: everybody's.
  std::vector<WebSession> of(std::string_view name, core::Instant now);
  std::size_t size() const { return sessions_.size(); }

 private:
  bool over(const WebSession& session, core::Instant now) const;
  void sweep(core::Instant now);
  void make_room_for(std::string_view name);

  std::uint64_t opened_ = 0;
  const WebSessionLimits limits_;
  const Secrets secrets_;
  std::map<std::string, WebSession, std::less<>> sessions_;  // by the hash of the id
};

}  // namespace fuhyo::net
