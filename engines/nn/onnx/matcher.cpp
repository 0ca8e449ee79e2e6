#include "engines/nn/onnx/matcher.h"

#include <algorithm>
#include <fmt/format.h>

namespace fuhyo::nn::onnx {
namespace {

[[noreturn]] void refuse(const Node& node, std::string_view why) {
  throw Unfit(fmt::format("node {} does not fit: {}", node.description(), why));
}

bool all_are(std::span<const std::int64_t> list, std::int64_t value) {
  return std::ranges::all_of(list, [value](std::int64_t item) { return item == value; });
}

}  // namespace

void Matcher::unfit(std::string_view value, std::string_view wanted) const {
  const Node* const node = producer(value);
  if (node != nullptr) refuse(*node, fmt::format("{} is expected there", wanted));
  throw Unfit(fmt::format("'{}' is no result of a node where {} is expected", value, wanted));
}

std::string_view Matcher::source(std::string_view value) const {
  // Each step goes one node back; a circle has more steps than there are nodes.
  for (std::size_t step = 0; step <= graph_.nodes.size(); ++step) {
    const auto found = graph_.producers.find(value);
    if (found == graph_.producers.end()) return value;
    const Node& node = *found->second;
    if ((node.op != "Identity" && node.op != "Dropout") || node.inputs.empty()) return value;
    value = node.inputs[0];
  }
  throw Unfit("its nodes go round in a circle");
}

const Node* Matcher::producer(std::string_view value) const {
  const auto found = graph_.producers.find(source(value));
  return found == graph_.producers.end() ? nullptr : found->second;
}

const Tensor* Matcher::constant(std::string_view value) const {
  const auto found = graph_.constants.find(source(value));
  return found == graph_.constants.end() ? nullptr : &found->second;
}

const Tensor& Matcher::floats(const Node& node, std::size_t input, std::size_t dimensions) const {
  const Tensor* const tensor = input < node.inputs.size() ? constant(node.inputs[input]) : nullptr;
  if (tensor == nullptr) refuse(node, fmt::format("its input {} is no constant", input + 1));
  if (tensor->type != ElementType::float32) refuse(node, "its weights are no 32-bit floats");
  if (tensor->dimensions.size() != dimensions) {
    refuse(node, fmt::format("its weights have {} dimensions, not {}", tensor->dimensions.size(), dimensions));
  }
  return *tensor;
}

std::optional<std::string_view> Matcher::sigmoid(std::string_view value) const {
  const Node* const node = producer(value);
  if (node == nullptr || node->op != "Sigmoid" || node->inputs.size() != 1) return {};
  return node->inputs[0];
}

std::optional<Applied<Activation>> Matcher::activation(std::string_view value) const {
  const Node* const node = producer(value);
  if (node == nullptr) return {};
  if (node->op == "Relu" && node->inputs.size() == 1) return {{Activation::relu, node->inputs[0]}};
  if (node->op != "Mul" || node->inputs.size() != 2) return {};
  for (const std::size_t i : {0U, 1U}) {
    const auto gate = sigmoid(node->inputs[1 - i]);
    if (gate && same(*gate, node->inputs[i])) return {{Activation::silu, node->inputs[i]}};
  }
  return {};
}

Convolution Matcher::convolution_of(const Node& node) const {
  const Tensor& weights = floats(node, 1, 4);
  const std::uint64_t kernel = weights.dimensions[2];
  if (weights.dimensions[3] != kernel || (kernel != 1 && kernel != 3))
    refuse(node, "its kernel is neither 1x1 nor 3x3");
  if (weights.dimensions[0] > kMaxChannels || weights.dimensions[1] > kMaxChannels) refuse(node, "it is too wide");
  const auto around = static_cast<std::int64_t>(kernel / 2);
  const auto pads = node.list("pads");
  if (!(pads.empty() ? around == 0 : all_are(pads, around)) || !all_are(node.list("strides"), 1) ||
      !all_are(node.list("dilations"), 1) || node.number("group", 1) != 1 || node.attributes.contains("auto_pad")) {
    refuse(node, "it does not keep the size of the board, or has groups");
  }
  Convolution layer = {.inputs = static_cast<std::uint32_t>(weights.dimensions[1]),
                       .outputs = static_cast<std::uint32_t>(weights.dimensions[0]),
                       .kernel = static_cast<std::uint32_t>(kernel),
                       .weights = weights.floats};
  if (node.inputs.size() > 2 && !node.inputs[2].empty()) {
    layer.bias = floats(node, 2, 1).floats;
    if (layer.bias.size() != layer.outputs) refuse(node, "its bias has another length");
  }
  layer.bias.resize(layer.outputs);
  return layer;
}

const Node* Matcher::batch_norm(std::string_view value) const {
  const Node* const node = producer(value);
  return node != nullptr && node->op == "BatchNormalization" && node->inputs.size() == 5 ? node : nullptr;
}

BatchNorm Matcher::norm(const Node& node, std::size_t channels) const {
  BatchNorm out = {.scale = floats(node, 1, 1).floats,
                   .shift = floats(node, 2, 1).floats,
                   .mean = floats(node, 3, 1).floats,
                   .variance = floats(node, 4, 1).floats,
                   .epsilon = node.real("epsilon", 1e-5F)};
  for (const auto* values : {&out.scale, &out.shift, &out.mean, &out.variance}) {
    if (values->size() != channels) refuse(node, fmt::format("it is not of {} channels", channels));
  }
  if (!std::ranges::all_of(out.variance, [&](float value) { return value + out.epsilon > 0; })) {
    refuse(node, "its variance is not positive");
  }
  return out;
}

Affine Matcher::affine(const Node& node, std::size_t channels) const { return nn::affine(norm(node, channels)); }

void Matcher::fold_norm(const Node& node, Convolution& layer) const { fold(norm(node, layer.outputs), layer); }

void Matcher::fold_norm(const Node& node, Dense& layer) const {
  if (!layer.weights.empty()) fold(norm(node, layer.outputs), layer);
}

std::optional<Applied<Convolution>> Matcher::convolution(std::string_view value) const {
  const Node* const norm = batch_norm(value);
  const Node* const node = norm != nullptr ? producer(norm->inputs[0]) : producer(value);
  if (node == nullptr || node->op != "Conv" || node->inputs.size() < 2) return {};
  Applied<Convolution> found = {convolution_of(*node), node->inputs[0]};
  if (norm != nullptr) fold_norm(*norm, found.layer);
  return found;
}

Dense Matcher::dense_of(const Node& node, std::string_view name, bool transposed) const {
  const Tensor* const weights = constant(name);
  if (weights == nullptr || weights->type != ElementType::float32 || weights->dimensions.size() != 2) {
    refuse(node, "its weights are no matrix of 32-bit floats");
  }
  const std::uint64_t rows = weights->dimensions[0], columns = weights->dimensions[1];
  const std::uint64_t outputs = transposed ? rows : columns, inputs = transposed ? columns : rows;
  if (outputs > kMaxHidden || inputs > kMaxPlanes * kMaxEdge * kMaxEdge) refuse(node, "it is too wide");
  Dense layer = {.inputs = static_cast<std::uint32_t>(inputs), .outputs = static_cast<std::uint32_t>(outputs)};
  layer.weights = weights->floats;
  for (std::size_t i = 0; !transposed && i < weights->floats.size(); ++i) {
    layer.weights[i % columns * rows + i / columns] = weights->floats[i];
  }
  layer.bias.resize(layer.outputs);
  return layer;
}

Applied<Dense> Matcher::dense(std::string_view value) const {
  const Node* node = producer(value);
  if (node != nullptr && node->op == "Gemm" && node->inputs.size() >= 2) {
    if (node->number("transA", 0) != 0 || node->real("alpha", 1) != 1 || node->real("beta", 1) != 1) {
      refuse(*node, "it does more than multiply and add");
    }
    Applied<Dense> found = {dense_of(*node, node->inputs[1], node->number("transB", 0) != 0), node->inputs[0]};
    if (node->inputs.size() > 2) found.layer.bias = floats(*node, 2, 1).floats;
    if (found.layer.bias.size() != found.layer.outputs) refuse(*node, "its bias has another length");
    return found;
  }
  if (node != nullptr && node->op == "Add" && node->inputs.size() == 2) {
    for (const std::size_t i : {0U, 1U}) {
      const Node* const product = producer(node->inputs[i]);
      if (product == nullptr || product->op != "MatMul" || product->inputs.size() != 2) continue;
      Applied<Dense> found = {dense_of(*product, product->inputs[1], false), product->inputs[0]};
      found.layer.bias = floats(*node, 1 - i, 1).floats;
      if (found.layer.bias.size() != found.layer.outputs) refuse(*node, "its bias has another length");
      return found;
    }
  }
  unfit(value, "a fully connected layer (Gemm)");
}

std::string_view Matcher::flattened(std::string_view value) const {
  const Node* const node = producer(value);
  if (node != nullptr && node->op == "Flatten" && node->inputs.size() == 1 && node->number("axis", 1) == 1) {
    return node->inputs[0];
  }
  if (node != nullptr && node->op == "Reshape" && node->inputs.size() == 2) {
    // To rows of any number of values; which number follows from the layer that takes them.
    const Tensor* const to = constant(node->inputs[1]);
    if (to != nullptr && to->type == ElementType::int64 && to->whole.size() == 2) return node->inputs[0];
  }
  unfit(value, "Flatten");
}

std::string_view Matcher::mean(std::string_view value) const {
  const Node* const node = producer(value);
  if (node != nullptr && node->op == "GlobalAveragePool" && node->inputs.size() == 1) return node->inputs[0];
  if (node != nullptr && node->op == "ReduceMean" && !node->inputs.empty() && node->number("keepdims", 1) == 1) {
    std::vector<std::int64_t> axes(node->list("axes").begin(), node->list("axes").end());
    const Tensor* const given = node->inputs.size() > 1 ? constant(node->inputs[1]) : nullptr;
    if (given != nullptr) axes = given->whole;
    for (std::int64_t& axis : axes) axis += axis < 0 ? 4 : 0;
    std::ranges::sort(axes);
    if (axes == std::vector<std::int64_t>{2, 3}) return node->inputs[0];
  }
  unfit(value, "a mean over the board");
}

}  // namespace fuhyo::nn::onnx
