// Networks for shogi as files for the engine. Writes files; any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

#include "engines/nn/model.h"

namespace fuhyo::learn::policy {

// Writes the network as a container with weights of 16 bits, and FILE.ini with its output for the start position
// (engines/mcts/shogi/shogi_model.h). Replaces both files. Errors: a file cannot be written, or a weight does not fit.
std::expected<void, std::string> save_shogi_network(const nn::Model& model, std::string_view remark,
                                                    const std::filesystem::path& file);

}  // namespace fuhyo::learn::policy
