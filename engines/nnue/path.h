// The positions from the start of the game to the node being searched, for sennichite and perpetual check.
// One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/shogi/position.h"

namespace fuhyo::nnue {

// What a repetition means for the side to move.
enum class Repetition : std::uint8_t { none, draw, win, loss };

class Path {
 public:
  void push(const shogi::Position& position) {
    steps_.push_back({.key = position.key(), .in_check = position.in_check()});
  }
  void pop() { steps_.pop_back(); }
  // Steps pushed so far belong to the game, later ones to the search.
  void mark_root() { root_ = steps_.size(); }

  // Whether the newest position has been there before. Inside the search the second time decides: what repeats once can
  // repeat again. Positions of the game count only when this would be the fourth time, as the rule says.
  Repetition repetition() const;

 private:
  struct Step {
    shogi::Key key = 0;
    bool in_check = false;  // of the side to move there
  };
  Repetition judge(std::size_t earlier) const;

  std::vector<Step> steps_;
  std::size_t root_ = 0;
};

}  // namespace fuhyo::nnue
