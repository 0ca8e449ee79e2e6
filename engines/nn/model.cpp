#include "engines/nn/model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace fuhyo::nn {
namespace {

Convolution convolution(std::uint32_t inputs, std::uint32_t outputs, std::uint32_t kernel, bool bias = true) {
  return {.inputs = inputs,
          .outputs = outputs,
          .kernel = kernel,
          .weights = std::vector<float>(std::size_t{inputs} * outputs * kernel * kernel),
          .bias = std::vector<float>(bias ? outputs : 0)};
}

Dense dense(std::uint32_t inputs, std::uint32_t outputs, bool bias = true) {
  return {.inputs = inputs,
          .outputs = outputs,
          .weights = std::vector<float>(std::size_t{inputs} * outputs),
          .bias = std::vector<float>(bias ? outputs : 0)};
}

Affine affine(std::uint32_t channels) {
  return {.scale = std::vector<float>(channels), .shift = std::vector<float>(channels)};
}

}  // namespace

std::string_view to_string(Activation activation) { return activation == Activation::relu ? "ReLU" : "SiLU"; }

std::string_view to_string(BlockKind kind) {
  switch (kind) {
    case BlockKind::plain:
      return "plain";
    case BlockKind::squeeze_excite:
      return "squeeze-excite";
    case BlockKind::global_pool:
      return "global-pool bias";
    case BlockKind::pre_activation:
      return "pre-activation";
  }
  return "";
}

std::uint64_t Shape::parameters() const {
  const std::uint64_t c = channels, s = squares();
  std::uint64_t block = 2 * (9 * c * c + c);
  if (kind == BlockKind::squeeze_excite) block += 2 * c * squeeze + squeeze + c;
  if (kind == BlockKind::global_pool) block += 2 * c * c + c;
  if (kind == BlockKind::pre_activation) block += 2 * c;
  const std::uint64_t last = kind == BlockKind::pre_activation ? 2 * c : 0;
  const std::uint64_t policy = policy_planes * (c + s);
  const std::uint64_t value = value_planes * (c + 1) + value_hidden * (value_planes * s + 1) + value_hidden + 1;
  return 9 * planes * c + c + scalars * c + blocks * block + last + policy + value;
}

std::string Shape::name() const {
  const std::string extra = kind == BlockKind::plain ? "" : fmt::format(" {},", to_string(kind));
  return fmt::format("{} blocks x {} channels,{} {}, {}+{} inputs, {} labels", blocks, channels, extra,
                     to_string(activation), planes, scalars, policy_size());
}

std::string Shape::fault() const {
  const auto outside = [](std::string_view what, std::uint32_t value, std::uint32_t least, std::uint32_t most) {
    return value >= least && value <= most ? std::string{}
                                           : fmt::format("{} {} where {} to {} are possible", value, what, least, most);
  };
  for (const std::string& fault : {
           outside("squares along the board", edge, 3, kMaxEdge),
           outside("input planes", planes, 1, kMaxPlanes),
           outside("input scalars", scalars, 0, kMaxScalars),
           outside("channels", channels, 1, kMaxChannels),
           outside("blocks", blocks, 0, kMaxBlocks),
           outside("channels of squeezing", squeeze, kind == BlockKind::squeeze_excite ? 1 : 0,
                   kind == BlockKind::squeeze_excite ? kMaxChannels : 0),
           outside("policy planes", policy_planes, 1, kMaxPlanes),
           outside("value planes", value_planes, 1, kMaxPlanes),
           outside("hidden values", value_hidden, 1, kMaxHidden),
       }) {
    if (!fault.empty()) return fault;
  }
  if (parameters() > kMaxParameters) {
    return fmt::format("{} weights where {} are possible", parameters(), kMaxParameters);
  }
  return {};
}

Model Model::zeros(const Shape& shape) {
  Model model;
  model.shape = shape;
  const std::uint32_t c = shape.channels;
  model.planes = convolution(shape.planes, c, 3);
  model.scalars = dense(shape.scalars, c, false);
  for (std::uint32_t i = 0; i < shape.blocks; ++i) {
    Block& block = model.blocks.emplace_back();
    block.first = convolution(c, c, 3);
    block.second = convolution(c, c, 3);
    if (shape.kind == BlockKind::squeeze_excite) {
      block.squeeze = dense(c, shape.squeeze);
      block.excite = dense(shape.squeeze, c);
    }
    if (shape.kind == BlockKind::global_pool) block.pool = dense(2 * c, c);
    if (shape.kind == BlockKind::pre_activation) block.before = affine(c);
  }
  if (shape.kind == BlockKind::pre_activation) model.last = affine(c);
  model.policy = convolution(c, shape.policy_planes, 1, false);
  model.policy_bias.assign(shape.policy_size(), 0);
  model.value = convolution(c, shape.value_planes, 1);
  model.value_hidden = dense(shape.value_planes * shape.squares(), shape.value_hidden);
  model.value_out = dense(shape.value_hidden, 1);
  return model;
}

std::expected<void, std::string> check_numbers(const Model& model) {
  std::string fault;
  for_each_tensor(model, [&](const std::string& name, const std::vector<float>& values) {
    const auto found = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
    if (fault.empty() && found != values.end()) {
      fault = fmt::format("{} holds {} at {}", name, *found, found - values.begin());
    }
  });
  if (!fault.empty()) return std::unexpected(fault);
  return {};
}

}  // namespace fuhyo::nn
