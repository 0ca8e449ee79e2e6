// Plays one game after the other, with the engine processes that its games need. Blocking; one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engines/match/contestant.h"
#include "engines/match/game.h"
#include "engines/match/player.h"
#include "engines/match/rules.h"

namespace fuhyo::match {

// A game to be played. `game` has number, engines, opening, opening_name and start; the players give names and times.
struct Assignment {
  PlayedGame game;
  std::array<Contestant, 2> players;  // by colour
};

struct SlotOptions {
  Rules rules;
  std::uint64_t seed = 1;  // of built-in players that draw lots
  int cpu = -1;            // the core that engines are bound to; -1: any
  UsiPlayer::Log log{};
};

class Slot {
 public:
  explicit Slot(SlotOptions options);
  ~Slot();

  // Nothing if `stop` was requested before the end. The players are ended then, because an engine may still think.
  std::optional<PlayedGame> play(Assignment assignment, const std::stop_token& stop);
  // Ends the engines. Otherwise they stay as long as the next game needs them, also with other options.
  void clear();

 private:
  struct Instance;
  std::array<Player*, 2> take(const std::array<Contestant, 2>& wanted);
  Instance claim(const Contestant& wanted);

  const SlotOptions options_;
  std::vector<Instance> instances_;
};

}  // namespace fuhyo::match
