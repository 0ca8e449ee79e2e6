// ONNX Runtime's library, found and loaded while the program runs: nothing of it is needed to build or start it. Any
// thread.
#pragma once

#include <expected>
#include <string>

#include "engines/nn/onnxruntime/api.h"

namespace fuhyo::nn::ort {

struct Library {
  Api api;
  std::string version;
  AppendProvider* append_cuda = nullptr;  // null if it was built without
  AppendProvider* append_tensorrt = nullptr;
};

// `file`: its name or path; empty: libonnxruntime.so.1, then libonnxruntime.so (on Windows onnxruntime.dll), wherever
// the system looks for libraries. It stays loaded for good. An error says what was tried.
std::expected<Library, std::string> load_library(const std::string& file);

}  // namespace fuhyo::nn::ort
