// Networks of dlshogi's family out of ONNX files, as PyTorch exports them (INFERENCE.md says what they are made of).
// The graph is known by its structure, not by names: batch norms may be folded or not, SiLU may be spelled out, and
// sizes are read from the tensors. Pure; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "engines/nn/model.h"

namespace fuhyo::nn::onnx {

// `file`: all its bytes. An error names the node that does not fit, and what would.
std::expected<Model, std::string> read(std::string_view file);

}  // namespace fuhyo::nn::onnx
