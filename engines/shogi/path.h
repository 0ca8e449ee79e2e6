// The positions from the start of the game to a node of a search: repetition, perpetual check, and positions that
// come back with a better or worse hand. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/shogi/position.h"

namespace fuhyo::shogi {

// What the newest position means for the side to move there.
enum class Recurrence : std::uint8_t {
  none,
  draw,
  win,       // the opponent has checked with every move since
  loss,      // we have
  superior,  // the same board, and we hold more
  inferior,  // ... less
};

class Path {
 public:
  // How far back the search looks, in plies: a longer cycle is rare, and the game itself knows of it.
  static constexpr std::size_t kReach = 24;

  void clear() { steps_.clear(); }
  // The first position of the game, and the position after each move.
  void push(const Position& position);
  // The position after passing: nothing before it can come back.
  void push_null(const Position& position);
  void pop() { steps_.pop_back(); }

  // Whether the newest position has been there before, within the reach, and what that decides. The second time does
  // where the first is one of the last `searched` plies, which a search has chosen freely: what repeats once there can
  // repeat again. Before that the moves are made, and nobody has to make them again: only the fourth time, which ends
  // the game, decides.
  Recurrence recurrence(int searched) const;
  // How many plies ago that was; 0: it has not been there.
  std::size_t cycle() const;

 private:
  struct Step {
    Key board_key;             // board and side to move
    std::uint64_t hand;        // of the side to move
    std::uint32_t checks;      // successive checks of the side that has just moved
    std::uint32_t since_null;  // plies
  };
  Recurrence judge(std::size_t plies) const;
  Recurrence end_of_game() const;

  std::vector<Step> steps_;
};

}  // namespace fuhyo::shogi
