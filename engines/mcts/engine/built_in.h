// The network that every engine carries: engines/mcts/nets/p5x64.nn, with the options beside it (NETS.md). Any thread.
#pragma once

#include "engines/nn/model_file.h"

namespace fuhyo::mcts {

nn::ModelSource built_in_network();

}  // namespace fuhyo::mcts
