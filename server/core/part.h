// The core is made of parts. Each owns its state; what one wants of another goes through a public function of it, whose
// header it includes: tests/include_graph.py holds who may call whom.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "server/core/context.h"

namespace fuhyo::core {

class Admin;
class Buoys;
class Commands;
class Games;
class Lobby;
class Logins;
class Monitors;
class PasswordChecks;
class Restarts;
class RoomKeeping;
class Rounds;
class Sessions;
class Tournaments;
class WebLogins;

struct Parts {
  Context& context;
  Sessions& sessions;
  Logins& logins;
  PasswordChecks& password_checks;
  WebLogins& web_logins;
  Commands& commands;
  Lobby& lobby;
  RoomKeeping& rooms;
  Buoys& buoys;
  Rounds& rounds;
  Tournaments& tournaments;
  Games& games;
  Monitors& monitors;
  Restarts& restarts;
  Admin& admin;
};

Figures figures_of(const Parts& core);  // O(connections and games)

// What the functions of all parts have at hand.
class Part {
 public:
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

 protected:
  explicit Part(const Parts& parts)
      : parts_(parts),
        context_(parts.context),
        now_(context_.now),
        limits_(context_.limits),
        rules_(context_.rules),
        timers_(context_.timers) {}
  ~Part() = default;

  void send(ConnId conn, std::string bytes) { context_.send(conn, std::move(bytes)); }
  void send_ungated(ConnId conn, std::string bytes) { context_.send_ungated(conn, std::move(bytes)); }
  void close(ConnId conn, std::string_view why) { context_.close(conn, why); }
  Seq append(Fact fact) { return context_.append(std::move(fact)); }
  void note(Note::Level level, std::string text) { context_.note(level, std::move(text)); }
  void put(Effect effect) { context_.put(std::move(effect)); }
  void count_refusal(Refusal why) { context_.refusals.count(why); }
  std::uint64_t random() { return context_.random(); }
  std::string local_time() const { return context_.local_time(); }

  const Parts& parts_;
  Context& context_;
  const Now& now_;
  const Limits& limits_;
  const Rules& rules_;
  Timers& timers_;
};

}  // namespace fuhyo::core
