// Networks on the CPU (kernels.h): 3x3 convolutions by Winograd's F(3x3, 3x3), all in 32-bit floats. Single-threaded:
// use one backend for each core.
#pragma once

#include "engines/nn/backend.h"
#include "engines/nn/kernels.h"

namespace fuhyo::nn {

// Prepares the weights, once for all threads; with `share`, once for all processes of this user that have the same
// network. Throws std::bad_alloc.
std::unique_ptr<Backend> cpu_backend(const Model& model, const Kernels& kernels, bool share = false);

}  // namespace fuhyo::nn
