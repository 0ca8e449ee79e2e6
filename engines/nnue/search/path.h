// The positions from the start of the game to the node being searched: repetition, perpetual check, and positions that
// come back with a better or worse hand. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/nnue/search/values.h"
#include "engines/shogi/position.h"

namespace fuhyo::nnue {

// What the newest position means for the side to move there.
enum class Repetition : std::uint8_t {
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
  void push(const shogi::Position& position);
  // The position after passing: nothing before it can come back.
  void push_null(const shogi::Position& position);
  void pop() { steps_.pop_back(); }

  // Whether the newest position has been there before, within the reach. The second time decides: what repeats once can
  // repeat again.
  Repetition repetition() const;

 private:
  struct Step {
    shogi::Key board_key;      // board and side to move
    std::uint64_t hand;        // of the side to move
    std::uint32_t checks;      // successive checks of the side that has just moved
    std::uint32_t since_null;  // plies
  };
  Repetition judge(std::size_t plies) const;

  std::vector<Step> steps_;
};

}  // namespace fuhyo::nnue
