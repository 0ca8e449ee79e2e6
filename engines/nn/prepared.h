// The weights of a network in the layout of the kernels: transformed for Winograd, padded, in the order of their use.
// One block of memory, shared by threads. Immutable.
#pragma once

#include <memory>
#include <vector>

#include "engines/machine/memory.h"
#include "engines/nn/kernels.h"
#include "engines/nn/model.h"

namespace fuhyo::nn {

constexpr std::size_t chunks(std::size_t channels) { return (channels + kChunk - 1) / kChunk; }
constexpr std::size_t padded(std::size_t channels) { return chunks(channels) * kChunk; }

// Weights of a product: blocks of `width` outputs, [in_chunks * 16][width] each; a last block may have 16.
struct PackedMatrix {
  const float* weights = nullptr;
  const float* bias = nullptr;  // padded(outputs)
  std::size_t in_chunks = 0, out_chunks = 0;
};

// ... of a 3x3 convolution: for each block of outputs, kPoints matrices.
using PackedConvolution = PackedMatrix;

// ... as files have them, for what costs nothing: [outputs][inputs].
struct SmallDense {
  const float* weights = nullptr;
  const float* bias = nullptr;
  std::size_t inputs = 0, outputs = 0;
};

// padded(channels) each.
struct PackedAffine {
  const float* scale = nullptr;
  const float* shift = nullptr;
};

struct PackedBlock {
  PackedAffine before;
  PackedConvolution first, second;
  SmallDense squeeze, excite, pool;
};

struct PreparedModel {
  Shape shape;
  const Kernels* kernels = nullptr;
  PackedConvolution planes;
  const float* scalars = nullptr;  // [scalar][padded channels]
  std::vector<PackedBlock> blocks;
  PackedAffine last;
  PackedMatrix heads;  // policy planes, then, from a whole chunk on, value planes
  const float* policy_bias = nullptr;
  const float* value_bias = nullptr;
  PackedMatrix value_hidden;  // from plane * squares + square
  const float* value_out = nullptr;
  float value_out_bias = 0;
  std::unique_ptr<const machine::Memory> memory;

  // With `share`, processes that prepare equal networks hold one copy. Throws std::bad_alloc.
  static std::shared_ptr<const PreparedModel> make(const Model& model, const Kernels& kernels, bool share);
};

}  // namespace fuhyo::nn
