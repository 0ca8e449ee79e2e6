// Networks for shogi as engines get them. Writes files; any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

#include "engines/nn/model.h"

namespace fuhyo::learn::policy {

// The network in a container with weights of 16 bits, and beside it FILE.ini with what it says of the start position
// (engines/mcts/shogi/shogi_model.h). Both are replaced; an error names what could not be written, or held.
std::expected<void, std::string> ship(const nn::Model& model, std::string_view remark,
                                      const std::filesystem::path& file);

}  // namespace fuhyo::learn::policy
