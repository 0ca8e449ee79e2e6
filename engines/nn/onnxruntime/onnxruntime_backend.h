// Any network of dlshogi's contract, computed by ONNX Runtime where its library is installed: also those that our own
// reader refuses (onnx/read.h). Two inputs [batch, planes, edge, edge], the second of planes that are constant over the
// board; two outputs, [batch, logits] and [batch, 1], a chance to win. Elements are floats of 32 or 16 bits.
#pragma once

#include <filesystem>

#include "engines/nn/backend.h"

namespace fuhyo::nn {

struct OnnxRuntimeSettings {
  std::string shared_library;  // its name or path; empty: wherever the system has it
  std::string providers;       // what it computes with, before its CPU: "cuda", "tensorrt", or several with commas
  int device = 0;              // the number of their GPU
};

// The shape says what goes in and comes out; it has no channels, as nothing is known of what is between. One network in
// memory for all threads, each of which computes in itself alone. An error says what does not fit.
std::expected<std::unique_ptr<Backend>, std::string> onnxruntime_backend(const std::filesystem::path& file,
                                                                         const OnnxRuntimeSettings& settings);

}  // namespace fuhyo::nn
