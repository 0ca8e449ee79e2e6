// When a game of self-play is over by its scores, which is how sides resign there. One thread at a time per object.
#pragma once

#include <optional>

#include "engines/shogi/types.h"

namespace fuhyo::learn {

// The end of a game by scores: one side is far ahead, ply after ply.
class Adjudicator {
 public:
  // A side wins that is ahead by more than `at` by every score of `after` plies.
  Adjudicator(int at, int after) : at_(at), after_(after) {}

  // `value`: for `mover`.
  std::optional<shogi::Color> judge(shogi::Color mover, int value) {
    const std::optional<shogi::Color> ahead = value > at_    ? std::optional(mover)
                                              : value < -at_ ? std::optional(~mover)
                                                             : std::nullopt;
    plies_ = ahead && ahead == ahead_ ? plies_ + 1 : ahead ? 1 : 0;
    ahead_ = ahead;
    return plies_ >= after_ ? ahead : std::nullopt;
  }

 private:
  int at_, after_, plies_ = 0;
  std::optional<shogi::Color> ahead_;
};

}  // namespace fuhyo::learn
