// The vote of several searches of one position: the threads of an engine, or the engines of a cluster. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <span>

#include "engines/shogi/types.h"

namespace fuhyo::usi {

struct Ballot {
  shogi::Move move{};
  int value = 0;      // of the move, for the side to move, in the same unit for all
  int depth = 0;      // that was completed; 0: none
  bool win = false;   // it is a proven mate
  bool exact = true;  // the value is no bound
};

// The index of the ballot whose move is played. Each votes for its move, the more the deeper it has got and the better
// it thinks of the move; a proven mate decides, the higher value of two. The first one stands for what no other one
// beats; one without a completed depth, or with a bound, votes but is not chosen. `ballots`: not empty.
std::size_t elect(std::span<const Ballot> ballots);

}  // namespace fuhyo::usi
