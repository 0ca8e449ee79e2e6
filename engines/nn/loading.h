// Loads a network of a file or of the program, and creates its backend, by options. One thread at a time.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "engines/nn/backend.h"
#include "engines/nn/model_file.h"

namespace fuhyo::nn {

struct BackendChoice {
  std::string kind = "cpu";    // of backend_choices()
  std::string simd = "auto";   // of kernel_choices(), for the CPU
  int device = 0;              // the number of the GPU
  std::string shared_library;  // of ONNX Runtime: its name or path; empty: wherever the system has it
  std::string providers;       // of ONNX Runtime: onnxruntime_backend.h
};

// What an option may say, on any machine and of any build.
std::vector<std::string> backend_choices();

struct LoadedBackend {
  std::unique_ptr<Backend> backend;
  std::shared_ptr<const Model> model;  // null where only the back end knows what is in the file
  ModelOptions options;                // that go with it
  std::string description;             // one line for people: the network, where it is from, and what computes it
};

// An error is one printable line, which names the source if that is what does not fit. ONNX Runtime reads files only.
std::expected<LoadedBackend, std::string> load_backend(const ModelSource& source, const BackendChoice& choice);

}  // namespace fuhyo::nn
