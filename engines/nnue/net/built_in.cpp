#include "engines/nnue/net/built_in.h"

#include "engines/machine/embedded.h"

FUHYO_EMBED(fuhyo_nnue_network, FUHYO_BUILT_IN_NETWORK);

namespace fuhyo::nnue {

std::string_view built_in_network() { return {fuhyo_nnue_network, fuhyo_nnue_network_end}; }

}  // namespace fuhyo::nnue
