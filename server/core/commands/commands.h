// The commands of a logged-in client, those that only read included.
#pragma once

#include "server/core/part.h"
#include "server/core/sessions/session.h"

namespace fuhyo::core {

class Commands : Part {
 public:
  explicit Commands(const Parts& parts) : Part(parts) {}

  void command(Session& s, const ClientLine& e);
  void log_out(Session& s, Instant arrived);

 private:
  void list(Session& s);
  void who(Session& s);
  void rating(Session& s);
  void chat(Session& s, const csa::Chat& c);
};

}  // namespace fuhyo::core
