// Networks on the processor of this machine (kernels.h): 3x3 convolutions by Winograd's F(3x3, 3x3), everything in
// 32-bit floats. One thread computes; who has several cores gives each a back end of its own.
#pragma once

#include "engines/nn/backend.h"
#include "engines/nn/kernels.h"

namespace fuhyo::nn {

// Prepares the weights, once for all threads; with `share`, once for all processes of this user that have the same
// network. Throws std::bad_alloc.
std::unique_ptr<Backend> cpu_backend(const Model& model, const Kernels& kernels, bool share = false);

}  // namespace fuhyo::nn
