// A connection and its client.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/core/effects.h"
#include "server/core/ids.h"
#include "server/csa/command.h"
#include "server/csa/game_name.h"
#include "server/csa/secret.h"

namespace fuhyo::core {

enum class Phase : std::uint8_t { before_login, connected, game_waiting, agree_waiting, start_waiting, game, finished };
std::string_view to_string(Phase phase);  // shogi-server's word

// A token bucket: `per_s` tokens a second, at most `burst`.
class Bucket {
 public:
  Bucket(double per_s, double burst, Instant now) : per_s_(per_s), burst_(burst), tokens_(burst), at_(now) {}
  void take(Instant now, double tokens = 1) {
    refill(now);
    tokens_ -= tokens;
  }
  // Microseconds until the budget is not overdrawn; 0 or less: it is not.
  std::int64_t wait_us(Instant now) {
    refill(now);
    return static_cast<std::int64_t>(-tokens_ / per_s_ * 1e6);
  }
  void give_back() { tokens_ = std::min(burst_, tokens_ + 1); }

 private:
  void refill(Instant now) {
    tokens_ = std::min(burst_, tokens_ + static_cast<double>(now - at_) / 1e6 * per_s_);
    at_ = now;
  }
  double per_s_, burst_, tokens_;
  Instant at_;
};

// The connection of a player has ended.
struct Disconnected {
  std::string why;
};
// ... and his grace time has expired.
struct GraceExpired {
  std::string why;
};

// An input of a player to his game. It waits for the journal, or for his turn.
struct GameInput {
  ConnId conn{};
  shogi::Color side = shogi::BLACK;  // of the sender
  std::variant<csa::MoveLine, csa::Special, csa::Logout, Disconnected, GraceExpired> what;
  Instant arrived;
};

// A LOGIN line that is not yet answered.
struct LoginUnderWay {
  csa::Login login;
  bool crlf = false;
  Instant since;
  std::optional<csa::Secret> trip;
  csa::GameName game;  // CSA mode: what it asks for
  csa::Turn turn = csa::Turn::any;
};

struct Session {
  ConnId conn{};
  ConnectionKind kind = ConnectionKind::csa;
  std::string home;  // where it was opened: kMainRoom, but for built-in players
  std::string room;  // it receives the chat of this room
  std::string peer, address;
  std::string network;  // narrow_network() of its address: limits count by it
  bool secure = false;  // as in Opened
  Phase phase = Phase::before_login;
  bool x1 = false;
  std::string name;
  std::string id;  // name+trip hash; the name alone without a trip
  bool has_trip = false;
  std::uint64_t login_order = 0;
  int login_tries = 0;
  std::optional<LoginUnderWay> login;  // while it is checked
  std::deque<ClientLine> held;         // lines that came meanwhile, or while it is over its budget
  std::size_t held_bytes = 0;
  Instant since;                          // of its login
  bool account = false;                   // it has logged in to the account of its name
  std::string trip_proof;                 // keyed hash of its trip: by this it may claim its name
  bool parting = false;                   // it has said LOGOUT, or its connection is lost: nothing follows
  bool given_over = false;                // another login with the same secret takes its place
  std::optional<Instant> commands_until;  // until then its one-time code allows commands
  csa::GameName wanted;                   // the game that it waits for or plays
  csa::Turn wish = csa::Turn::any;        // the colour that it asked for
  csa::Turn turn = csa::Turn::any;        // ... and the one that it has in its game
  GameId game{};
  std::deque<GameInput> deferred;  // lines sent before its turn
  std::size_t queued = 0;          // its lines that are deferred or in the game's inbox
  Bucket bucket;
  bool paused = false;  // it is not read
  Role role = Role::player;
  Instant rests_until;                  // no game of an event begins for it before
  bool for_restart = false;             // it waits for a game that is to go on, not for an opponent
  bool by_token = false;                // it came back to its game by the token of the Game_Summary
  int estimated_rate = 0;               // the rating that shogi-server's pairing assumes for an unrated player
  std::vector<std::string> serves;      // as in Serves
  std::optional<csa::GameName> awaits;  // as in Awaits
  std::set<GameId> monitors;            // games that it watches, in one way or both
  std::optional<Instant> waits_since;   // for this game, however often it has asked for it
};

}  // namespace fuhyo::core
