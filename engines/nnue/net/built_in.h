// The network that every engine carries: engines/nnue/nets/kp256.nn.bin, learnt by our own games (NETS.md). Any thread.
#pragma once

#include <string_view>

namespace fuhyo::nnue {

// The bytes of the file. It wants FV_SCALE 16.
std::string_view built_in_network();

}  // namespace fuhyo::nnue
