#include "engines/mcts/engine/built_in.h"

#include "engines/machine/embedded.h"

FUHYO_EMBED(fuhyo_mcts_network, FUHYO_BUILT_IN_NETWORK);
FUHYO_EMBED(fuhyo_mcts_options, FUHYO_BUILT_IN_OPTIONS);

namespace fuhyo::mcts {

nn::ModelSource built_in_network() {
  return nn::ModelSource::of_program("p5x64.nn", {fuhyo_mcts_network, fuhyo_mcts_network_end},
                                     {fuhyo_mcts_options, fuhyo_mcts_options_end});
}

}  // namespace fuhyo::mcts
