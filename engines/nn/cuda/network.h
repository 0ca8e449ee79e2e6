// A network on a device: its weights, and the steps that evaluate a batch.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "engines/nn/cuda/device.h"
#include "engines/nn/model.h"

namespace fuhyo::nn::cuda {

// a of Multiply, zeros beyond what the layer has: [parts][depth][pitch]. A layer with many inputs and few outputs is
// split into parts along its inputs, which are added afterwards: there is something to do for more of the device.
struct Matrix {
  const float* weights = nullptr;
  unsigned rows = 0, pitch = 0;
  unsigned depth = 0, parts = 1;
};

struct Layer {
  Matrix matrix;  // of a 3x3 convolution: 25 of them, not parts
  const float* bias = nullptr;
};

// The weights of a network in the memory of a device; shared by threads. Immutable.
struct Weights {
  struct Norm {
    const float* scale = nullptr;  // of each channel
    const float* shift = nullptr;
  };
  struct Block {
    Norm before;
    Layer first, second;
    Layer squeeze, excite, pool;  // those that the kind of blocks has
  };

  std::shared_ptr<Device> device;  // outlives its memory
  std::unique_ptr<Memory> memory;
  Shape shape;
  Layer planes;
  Matrix scalars;  // depth 0 without scalars
  std::vector<Block> blocks;
  Norm last;
  Matrix heads;  // policy planes, then value planes
  const float* policy_bias = nullptr;
  const float* value_bias = nullptr;
  Layer value_hidden, value_out;

  static std::expected<std::shared_ptr<const Weights>, std::string> make(const Model& model,
                                                                         std::shared_ptr<Device> device);
};

// Memory for batches of up to `capacity` boards, and the way through the network. One thread at a time.
class Network {
 public:
  static std::expected<std::unique_ptr<Network>, std::string> make(std::shared_ptr<const Weights> weights,
                                                                   unsigned capacity);

  const Weights& weights() const { return *weights_; }
  unsigned capacity() const { return capacity_; }

  // Inputs: [board][plane][2] (nn::Plane), and [scalar][scalar_pitch()], a column a board.
  std::uint64_t* planes() const { return planes_in_.host->as<std::uint64_t>(); }
  float* scalars() const { return scalars_in_.host->as<float>(); }
  unsigned scalar_pitch() const { return board_pitch_; }
  // Results: [board][label] and [board].
  const float* logits() const { return logits_.host->as<float>(); }
  const float* values() const { return values_.host->as<float>(); }

  // Evaluates the first `boards` boards of the inputs.
  std::vector<Step> steps(unsigned boards) const;

 private:
  struct Both {
    std::unique_ptr<Memory> host, device;
  };
  class Writer;

  Network(std::shared_ptr<const Weights> weights, unsigned capacity);
  std::string allocate();
  const float* at(const std::unique_ptr<Memory>& memory) const { return memory->as<float>(); }

  std::shared_ptr<const Weights> weights_;
  unsigned capacity_;
  unsigned board_pitch_, map_pitch_, tile_pitch_;  // floats of a row of as many boards, squares, tiles
  Both planes_in_, scalars_in_, logits_, values_;
  std::unique_ptr<Memory> x_, h_;           // maps of the trunk, and of the middle of a block
  std::unique_ptr<Memory> factors_, sums_;  // of Winograd
  std::unique_ptr<Memory> board_bias_;      // [channel][board]
  std::unique_ptr<Memory> head_maps_, value_in_, value_hidden_;
  std::unique_ptr<Memory> pooled_, squeezed_, gates_;
  std::unique_ptr<Memory> parts_;  // of dense layers
};

}  // namespace fuhyo::nn::cuda
