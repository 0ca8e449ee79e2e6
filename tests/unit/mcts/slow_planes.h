// The inputs of a network once more, from the text of a position, square by square: what the fast ones are held to.
#pragma once

#include <string>
#include <vector>

namespace fuhyo::mcts {

// All planes of both inputs, 81 values each, in the order of tensors: 62 and then 57 or 119.
std::vector<std::vector<int>> slow_planes(const std::string& sfen, bool with_declaration);

}  // namespace fuhyo::mcts
