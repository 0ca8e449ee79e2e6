// The positions from the start of the game to a node of a search: repetition, perpetual check, and positions that
// come back with a better or worse hand. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/shogi/position.h"

namespace fuhyo::shogi {

// The meaning of the newest position for its side to move.
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
  // The plies that the search looks back. Longer cycles are rare, and end the game itself.
  static constexpr std::size_t kReach = 24;

  void clear() { steps_.clear(); }
  // The first position of the game, and the position after each move.
  void push(const Position& position);
  // The position after passing: nothing before it can come back.
  void push_null(const Position& position);
  void pop() { steps_.pop_back(); }

  // Whether the newest position is a repetition within the reach, and its result. The second occurrence counts if the
  // first is one of the last `searched` plies: the search chose these moves, and can choose them again. For positions
  // of the game before only the fourth occurrence counts, which ends the game.
  Recurrence recurrence(int searched) const;
  // The plies since the last occurrence; 0: none.
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
