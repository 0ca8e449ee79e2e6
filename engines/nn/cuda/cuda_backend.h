// Networks on a GPU: 3x3 convolutions by Winograd's F(3x3, 3x3), everything in 32-bit floats, by kernels of our own
// (block.h). Nothing of CUDA but its runtime is needed, which is part of the program where it was built with nvcc.
#pragma once

#include <expected>

#include "engines/nn/backend.h"
#include "engines/nn/cuda/device.h"

namespace fuhyo::nn {

// The batch that gives every unit of a device a few blocks of each product, a power of two.
std::uint32_t gpu_batch(const Shape& shape, unsigned multiprocessors);

// Puts the weights into the memory of the device, once for all threads. Larger batches than `capacity` are evaluated in
// passes; 0: gpu_batch(). An error says what is wrong with the device.
std::expected<std::unique_ptr<Backend>, std::string> cuda_backend(const Model& model,
                                                                  std::shared_ptr<cuda::Device> device,
                                                                  std::uint32_t capacity = 0);

}  // namespace fuhyo::nn
