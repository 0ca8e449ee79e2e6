// The constants of the tree search. Values are chances to win, from 0 to 1. The defaults are dlshogi's.
#pragma once

#include <array>
#include <cstddef>

#include "engines/mcts/tree/result.h"

namespace fuhyo::mcts {

struct Parameters {
  // How much is explored: c(N) = init + ln((N + base + 1) / base), where N is how often the position was visited.
  struct Exploration {
    float init, base;
    bool operator==(const Exploration&) const = default;
  };
  Exploration exploration{.init = 1.44F, .base = 28'288};
  Exploration root_exploration{.init = 1.16F, .base = 25'617};
  // What a move that was not tried yet is taken for: the value of its position, less this times the square root of the
  // prior of all that was tried.
  float first_play_reduction = 0.27F;
  float root_first_play_reduction = 0;
  float temperature = 1.74F;             // of the softmax over the network's logits
  std::array<double, 2> draw{0.5, 0.5};  // for the side that moves at even plies, and at odd ones; together 1

  double value_of_draw(int ply) const { return draw[static_cast<std::size_t>(ply & 1)]; }
  bool operator==(const Parameters&) const = default;
};

// What a known result is worth to the side that moves at that ply.
inline double value_of(Result known, const Parameters& parameters, int ply) {
  return known == Result::win ? 1 : known == Result::loss ? 0 : parameters.value_of_draw(ply);
}

}  // namespace fuhyo::mcts
