// How each strength level of fuhyo-mcts thinks (usi/levels.h has what a level is). Any thread.
#pragma once

#include "engines/usi/levels.h"

namespace fuhyo::mcts {

// `number`: 1 to usi::kHighestLevel.
const usi::Level& level(int number);

}  // namespace fuhyo::mcts
