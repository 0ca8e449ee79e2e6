// Who talks to the server in a simulated world.
#pragma once

#include "engines/shogi/position.h"
#include "tests/sim/auditor.h"
#include "tests/sim/network.h"

namespace fuhyo::sim {

struct Scene {
  Stage& stage;
  Network& network;
  Auditor& auditor;
};

// What all of them have.
class Guest : public Client {
 protected:
  explicit Guest(const Scene& scene)
      : stage_(scene.stage), network_(scene.network), auditor_(scene.auditor), rng_(stage_.rng.fork()) {}

  Stage& stage_;
  Network& network_;
  Auditor& auditor_;
  Rng rng_;
};

// Chances at each opportunity.
struct Temper {
  double illegal = 0;   // a move that the rules forbid, or no move at all
  double twice = 0;     // the same move again
  double ahead = 0;     // a move before the opponent's
  double late = 0;      // thinks past its flag, or never answers
  double nonsense = 0;  // a line that does not fit the state
  double leave = 0;     // LOGOUT or a reset in the middle of something
  double refuse = 0;    // REJECT, or no answer to a Game_Summary
  double resign = 0.003;
  static Temper honest() { return {.ahead = 0.2}; }
  static Temper absent_minded() { return {.late = 0.02, .leave = 0.01, .refuse = 0.1}; }
  static Temper clumsy(Rng& rng);
};

struct Identity {
  std::string name, trip;
  bool x1 = false;
  bool honest = false;
  Temper temper;
  Network::Caller caller;
};

// The line that players follow under a game name such as "perpetual-60-5", by its first part; empty for other names.
const std::vector<std::string>& line_of_play(std::string_view game_name);

std::unique_ptr<Client> make_player(const Scene& scene, Identity identity);
// It tries the names that it is told.
std::unique_ptr<Client> make_attacker(const Scene& scene, std::string address, std::vector<std::string> names);
std::unique_ptr<Client> make_watcher(const Scene& scene);

}  // namespace fuhyo::sim
