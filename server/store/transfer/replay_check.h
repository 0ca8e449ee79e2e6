// Whether games are what they say: every move legal in its turn, clocks that sum up, the end where the rules put it.
// One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/core/facts.h"
#include "server/core/games/game.h"
#include "server/store/transfer/row.h"

namespace fuhyo::store {

// A game as the journal tells it, judged a second time, move by move, by what judged it when it was played.
class ReplayCheck {
 public:
  explicit ReplayCheck(const core::GameOpened& opened);

  // Each says what is wrong, if anything is; after the first fault a game is not looked at any more.
  std::optional<std::string> begin();
  std::optional<std::string> take(const core::Fact& fact);

 private:
  std::optional<std::string> take_move(const core::MoveMade& made);
  std::optional<std::string> take_end(const core::GameEnded& ended);
  std::optional<std::string> take_line(const core::GameEnded& ended);

  core::Game game_;
  bool broken_ = false;
  std::optional<core::GameEnded> due_;  // the end that has to follow the newest move
};

// A row of the table `game`, by itself: moves legal, the final board theirs, no more time spent than there was.
std::optional<std::string> check_game_row(const Row& row);
std::uint64_t moves_in(const Row& row);  // of a row of the table `game`

}  // namespace fuhyo::store
