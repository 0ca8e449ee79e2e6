// An event played without a game: results are drawn by the players' strengths. Hosts try a format out with it; tests
// play thousands of events. Pure; the same seed gives the same event.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/core/floodgate/draws.h"
#include "server/core/tournament/ledger.h"
#include "server/core/tournament/pairing.h"

namespace fuhyo::core::tournament {

// How games go; shares from 0 to 1.
struct Chances {
  double draws = 0.05;
  double forfeits = 0;     // a player, drawn by lot, is not there
  double crashes = 0;      // the same, leaves during the game
  double replays = 0;      // the game is broken off and played again
  double first_move = 30;  // what it is worth, in points of rating
};

class Simulation {
 public:
  // `strengths` in points of rating (400: ten to one); who is not in it has its rate. The event is used as long as this
  // lives.
  Simulation(const Event& event, std::map<PlayerId, double> strengths, const Chances& chances, std::uint64_t seed);

  // Forms the next division, or pairs and plays the next round of one. False: nothing is left to do, or stuck().
  bool step();
  // Forms or pairs only; play() then plays what is due.
  bool pair();
  void play();
  // Something that happens besides: a withdrawal, a late entry. The error is check()'s.
  std::expected<void, std::string> decide(const Decision& decision);

  const EventState& state() const { return state_; }
  const std::vector<Decision>& decisions() const { return decisions_; }  // all, in their order
  std::optional<NotYet> stuck() const { return stuck_; }
  floodgate::Draws& draws() { return draws_; }

 private:
  bool advance(DivisionKey division);
  void apply(Decision decision);
  GameResult result_of(const DueGame& game);
  bool happens(double share);
  double strength(const PlayerId& player) const;

  const Event& event_;
  std::map<PlayerId, double> strengths_;
  Chances chances_;
  floodgate::SeededDraws draws_;
  EventState state_;
  std::vector<Decision> decisions_;
  std::optional<NotYet> stuck_;
};

}  // namespace fuhyo::core::tournament
