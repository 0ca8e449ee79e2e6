// Adjudicates games of self-play by their scores. One thread at a time per object.
#pragma once

#include <optional>

#include "engines/shogi/types.h"

namespace fuhyo::learn {

class Adjudicator {
 public:
  // A side wins when it is ahead by more than `at` in every score of `after` consecutive plies.
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
