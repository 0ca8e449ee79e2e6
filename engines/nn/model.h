// A policy and value network as data, independent of the backend. Batch norms are folded.
//
//   trunk    x = act(conv3x3(planes) + dense(scalars)), then blocks
//   block    plain           act(second(act(first(x))) + x)
//            squeeze_excite  y = act(second(act(first(x)))), act(y * sigmoid(excite(act(squeeze(mean of y)))) + x)
//            global_pool     h = first(x), act(second(act(h + pool(mean and maximum of h))) + x)
//            pre_activation  second(act(first(act(before(x))))) + x; the trunk begins without an activation, and ends
//                            with act(last(x))
//   policy   conv1x1, then a bias a logit: logit p * squares + s is of policy plane p on square s
//   value    sigmoid(dense(act(dense(act(conv1x1))))): the chance of the side to move to win
//
// Planes are maps of the board, scalars are numbers of the whole position (planes that are constant over the board).
// A square is counted by files or by ranks as the game has it; networks do not care. Values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "engines/nn/activation.h"

namespace fuhyo::nn {

enum class BlockKind : std::uint8_t { plain, squeeze_excite, global_pool, pre_activation };

std::string_view to_string(Activation activation);
std::string_view to_string(BlockKind kind);

// Limits of what is accepted: a file may ask for memory, but not for all of it.
constexpr std::uint32_t kMaxEdge = 9;
constexpr std::uint32_t kMaxPlanes = 256;
constexpr std::uint32_t kMaxScalars = 512;
constexpr std::uint32_t kMaxChannels = 1024;
constexpr std::uint32_t kMaxBlocks = 100;
constexpr std::uint32_t kMaxHidden = 4096;
constexpr std::uint64_t kMaxParameters = std::uint64_t{400} << 20;

struct Shape {
  std::uint32_t edge = 9;      // squares along a side of the board
  std::uint32_t planes = 62;   // input maps
  std::uint32_t scalars = 57;  // input numbers; may be 0
  std::uint32_t channels = 0;
  std::uint32_t blocks = 0;
  BlockKind kind = BlockKind::plain;
  Activation activation = Activation::relu;
  std::uint32_t squeeze = 0;  // of squeeze_excite: channels between its two layers
  std::uint32_t policy_planes = 27;
  std::uint32_t value_planes = 27;
  std::uint32_t value_hidden = 256;

  bool operator==(const Shape&) const = default;

  std::uint32_t squares() const { return edge * edge; }
  std::uint32_t policy_size() const { return policy_planes * squares(); }
  // What the shape needs, in 32-bit floats.
  std::uint64_t parameters() const;
  // "10 blocks x 192 channels, ReLU, 62+57 inputs, 2187 labels".
  std::string name() const;
  // Why it cannot be computed; empty if it can.
  std::string fault() const;
};

// weights[((out * inputs + in) * kernel + dy) * kernel + dx]; dy runs along the same axis as square / edge.
struct Convolution {
  std::uint32_t inputs = 0, outputs = 0, kernel = 0;  // kernel: 1 or 3, the latter with a frame of zeros
  std::vector<float> weights, bias;
};

// weights[out * inputs + in].
struct Dense {
  std::uint32_t inputs = 0, outputs = 0;
  std::vector<float> weights, bias;
};

// Each channel times a factor, and a number added to it: a batch norm that no layer stands before.
struct Affine {
  std::vector<float> scale, shift;
};

struct Block {
  Affine before;  // of pre_activation
  Convolution first, second;
  Dense squeeze, excite;  // of squeeze_excite
  Dense pool;             // of global_pool: from all means, then all maxima
};

struct Model {
  Shape shape;
  Convolution planes;  // 3x3
  Dense scalars;       // its bias is part of that of `planes`; empty without scalars
  std::vector<Block> blocks;
  Affine last;                     // of pre_activation
  Convolution policy;              // 1x1; without bias of its own
  std::vector<float> policy_bias;  // a logit each
  Convolution value;               // 1x1
  Dense value_hidden, value_out;

  // All tensors of this shape, zeros. The shape must have no fault.
  static Model zeros(const Shape& shape);
};

// Calls visit(name, values) for each tensor in the order of a file. Model may be const.
template <class AModel, class Visit>
void for_each_tensor(AModel& model, const Visit& visit) {
  const auto both = [&](const std::string& name, auto& layer) {
    visit(name + ".weights", layer.weights);
    visit(name + ".bias", layer.bias);
  };
  const auto affine = [&](const std::string& name, auto& layer) {
    visit(name + ".scale", layer.scale);
    visit(name + ".shift", layer.shift);
  };
  both("planes", model.planes);
  visit("scalars.weights", model.scalars.weights);
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    const std::string name = "block " + std::to_string(i + 1);
    auto& block = model.blocks[i];
    if (model.shape.kind == BlockKind::pre_activation) affine(name + ".before", block.before);
    both(name + ".first", block.first);
    both(name + ".second", block.second);
    if (model.shape.kind == BlockKind::squeeze_excite) {
      both(name + ".squeeze", block.squeeze);
      both(name + ".excite", block.excite);
    }
    if (model.shape.kind == BlockKind::global_pool) both(name + ".pool", block.pool);
  }
  if (model.shape.kind == BlockKind::pre_activation) affine("last", model.last);
  visit("policy.weights", model.policy.weights);
  visit("policy.bias", model.policy_bias);
  both("value", model.value);
  both("value hidden", model.value_hidden);
  both("value out", model.value_out);
}

// Whether all weights are numbers; what a file with others says of them.
std::expected<void, std::string> check_numbers(const Model& model);

}  // namespace fuhyo::nn
