// The commands of a logged-in client, those that only read included.
#pragma once

#include <string_view>

#include "server/core/part.h"
#include "server/core/sessions/session.h"

namespace fuhyo::core {

class Commands : Part {
 public:
  explicit Commands(const Parts& parts) : Part(parts) {}

  void command(Session& s, const ClientLine& e);
  void log_out(Session& s, Instant arrived);
  void on(const ChatAnswered& e);

 private:
  void list(Session& s);
  void who(Session& s);
  void rating(Session& s);
  void chat(Session& s, const csa::Chat& c);
  void say_in(std::string_view room, std::string_view name, std::string_view text);
};

}  // namespace fuhyo::core
