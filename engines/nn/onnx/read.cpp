#include "engines/nn/onnx/read.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/nn/onnx/matcher.h"

namespace fuhyo::nn::onnx {
namespace {

constexpr std::string_view kPolicy = "output_policy", kValue = "output_value";
constexpr std::size_t kMostSummands = 8;  // of the first layer

// Reads a graph from its outputs to its inputs; blocks come last first.
class Recognizer {
 public:
  explicit Recognizer(const Graph& graph) : graph_(graph), match_(graph) {}

  Model read() {
    check_ends();
    const std::string_view after_value = value(graph_.outputs[value_index_].name);
    const std::string_view after_policy = policy(graph_.outputs[1 - value_index_].name);
    if (!match_.same(after_policy, after_value)) match_.unfit(after_policy, "what the value is computed from, too");
    first(blocks(after_policy));
    std::ranges::reverse(model_.blocks);
    shape_.blocks = static_cast<std::uint32_t>(model_.blocks.size());
    finish();
    return std::move(model_);
  }

 private:
  // Two inputs of one board each and two outputs, in either order if they are named.
  void check_ends() {
    if (graph_.inputs.size() != 2 || graph_.outputs.size() != 2) {
      throw Unfit(
          fmt::format("it has {} inputs and {} outputs, not two of each", graph_.inputs.size(), graph_.outputs.size()));
    }
    for (const Value& input : graph_.inputs) {
      const auto& sizes = input.dimensions;
      if (sizes.size() != 4 || sizes[1] == 0 || sizes[1] > kMaxScalars || sizes[2] != sizes[3] || sizes[2] < 3 ||
          sizes[2] > kMaxEdge || sizes[2] != graph_.inputs[0].dimensions[2]) {
        throw Unfit(fmt::format("input '{}' is no batch of planes of a board", input.name));
      }
    }
    shape_.edge = static_cast<std::uint32_t>(graph_.inputs[0].dimensions[2]);
    shape_.planes = static_cast<std::uint32_t>(graph_.inputs[0].dimensions[1]);
    shape_.scalars = static_cast<std::uint32_t>(graph_.inputs[1].dimensions[1]);
    value_index_ = graph_.outputs[0].name == kValue || graph_.outputs[1].name == kPolicy ? 0 : 1;
  }

  // All activations of a network are the same.
  std::string_view before_activation(std::string_view value) {
    const auto found = match_.activation(value);
    if (!found) match_.unfit(value, "ReLU or SiLU");
    if (activation_known_ && found->layer != shape_.activation) match_.unfit(value, to_string(shape_.activation));
    activation_known_ = true;
    shape_.activation = found->layer;
    return found->input;
  }

  Applied<Convolution> convolution(std::string_view value, std::uint32_t kernel) {
    auto found = match_.convolution(value);
    if (!found || found->layer.kernel != kernel) {
      match_.unfit(value, kernel == 3 ? "a 3x3 convolution" : "a 1x1 convolution");
    }
    return *std::move(found);
  }

  // ---- heads, to the trunk that they grow from ----

  std::string_view value(std::string_view output) {
    const auto chance = match_.sigmoid(output);
    if (!chance) match_.unfit(output, "Sigmoid");
    auto out = match_.dense(*chance);
    auto hidden = match_.dense(before_activation(out.input));
    auto maps = convolution(before_activation(match_.flattened(hidden.input)), 1);
    if (out.layer.outputs != 1 || out.layer.inputs != hidden.layer.outputs ||
        hidden.layer.inputs != maps.layer.outputs * shape_.squares()) {
      match_.unfit(output, "one value of layers that fit each other");
    }
    shape_.channels = maps.layer.inputs;
    shape_.value_planes = maps.layer.outputs;
    shape_.value_hidden = hidden.layer.outputs;
    model_.value_out = std::move(out.layer);
    model_.value_hidden = std::move(hidden.layer);
    model_.value = std::move(maps.layer);
    return maps.input;
  }

  std::string_view policy(std::string_view output) {
    std::string_view flat = output;
    const Node* const sum = match_.producer(output);
    const Tensor* bias = nullptr;
    if (sum != nullptr && sum->op == "Add" && sum->inputs.size() == 2) {
      const std::size_t constant = match_.constant(sum->inputs[0]) != nullptr ? 0 : 1;
      bias = match_.constant(sum->inputs[constant]);
      flat = sum->inputs[1 - constant];
    }
    auto maps = convolution(match_.flattened(flat), 1);
    shape_.policy_planes = maps.layer.outputs;
    model_.policy_bias.assign(shape_.policy_size(), 0);
    if (bias != nullptr) {
      if (bias->floats.size() != shape_.policy_size()) match_.unfit(output, "a bias for each label");
      model_.policy_bias = bias->floats;
    }
    // The convolution's own bias goes to the labels of its planes.
    for (std::size_t i = 0; i < model_.policy_bias.size(); ++i) {
      model_.policy_bias[i] += maps.layer.bias[i / shape_.squares()];
    }
    maps.layer.bias.clear();
    model_.policy = std::move(maps.layer);
    return maps.input;
  }

  // ---- the trunk ----

  // Blocks as long as there are any; the sum below the first one.
  std::string_view blocks(std::string_view value) {
    std::string_view sum = before_activation(value);
    // A norm that is not of the first layer is that of activations before layers.
    const Node* const norm = match_.batch_norm(sum);
    if (norm != nullptr && !is_first(norm->inputs[0])) {
      shape_.kind = BlockKind::pre_activation;
      model_.last = match_.affine(*norm, shape_.channels);
      sum = norm->inputs[0];
    }
    const bool before = shape_.kind == BlockKind::pre_activation;
    while (model_.blocks.size() <= kMaxBlocks) {
      const Node* const top = before ? nullptr : match_.batch_norm(sum);
      if (is_first(top != nullptr ? top->inputs[0] : sum)) return sum;
      sum = before ? block_before(sum) : before_activation(block(sum));
    }
    throw Unfit(fmt::format("it has more than {} blocks", kMaxBlocks));
  }

  // Whether a sum is of convolutions of the inputs, and not of a block.
  bool is_first(std::string_view sum) const {
    std::vector<std::string_view> summands = {sum};
    bool found = false;
    for (std::size_t i = 0; i < summands.size() && i < 2 * kMostSummands; ++i) {
      const Node* const node = match_.producer(summands[i]);
      if (node == nullptr || node->inputs.empty()) continue;
      const bool of_input = match_.producer(node->inputs[0]) == nullptr;
      if (node->op == "Conv" && !of_input) return false;
      found |= node->op == "Conv";
      if (node->op == "Add") summands.insert(summands.end(), node->inputs.begin(), node->inputs.end());
    }
    return found;
  }

  // The sum below a block with activations before its layers.
  std::string_view block_before(std::string_view sum) {
    const Node* const node = match_.producer(sum);
    if (node == nullptr || node->op != "Add" || node->inputs.size() != 2) {
      match_.unfit(sum, "the sum of a residual block with activations before its layers");
    }
    const std::size_t way = goes_through_layers(node->inputs[0]) ? 0 : 1;
    const std::string_view x = node->inputs[1 - way];
    auto second = convolution(node->inputs[way], 3);
    auto first = convolution(before_activation(second.input), 3);
    const std::string_view prepared = before_activation(first.input);
    const Node* const norm = match_.batch_norm(prepared);
    if (norm == nullptr) match_.unfit(prepared, "a batch norm before the layers of a block");
    if (!match_.same(norm->inputs[0], x)) match_.unfit(sum, "a sum of a block's result and its input");
    model_.blocks.push_back({.before = match_.affine(*norm, shape_.channels),
                             .first = std::move(first.layer),
                             .second = std::move(second.layer)});
    return x;
  }

  // Whether a convolution of an activation has given it.
  bool goes_through_layers(std::string_view value) const {
    const auto layer = match_.convolution(value);
    return layer && match_.activation(layer->input).has_value();
  }

  std::string_view block(std::string_view sum) {
    const Node* const node = match_.producer(sum);
    if (node == nullptr || node->op != "Add" || node->inputs.size() != 2) {
      match_.unfit(sum, "the sum of a residual block");
    }
    // The way through the layers is the one whose last node is no activation of the block before.
    const std::size_t way = match_.convolution(node->inputs[0]) || is_gated(node->inputs[0]) ? 0 : 1;
    const std::string_view x = node->inputs[1 - way];
    Block found;
    const std::string_view last = squeeze_excite(node->inputs[way], found);
    auto second = convolution(last, 3);
    auto first = convolution(before_activation(second.input), 3);
    if (!match_.same(first.input, x)) match_.unfit(sum, "a sum of a block's result and its input");
    found.second = std::move(second.layer);
    found.first = std::move(first.layer);
    model_.blocks.push_back(std::move(found));
    return x;
  }

  bool is_gated(std::string_view value) const { return !gate(value).empty(); }

  // Of maps times gates: the gates before their sigmoid, and the maps. Empty if it is another node, or SiLU.
  std::vector<std::string_view> gate(std::string_view value) const {
    const Node* const node = match_.producer(value);
    if (node == nullptr || node->op != "Mul" || node->inputs.size() != 2 || match_.activation(value)) return {};
    for (const std::size_t i : {0U, 1U}) {
      if (const auto gates = match_.sigmoid(node->inputs[i])) return {*gates, node->inputs[1 - i]};
    }
    return {};
  }

  // Takes squeeze-excite off a block's end, if it has it; all blocks have it or none.
  std::string_view squeeze_excite(std::string_view value, Block& block) {
    const auto parts = gate(value);
    const BlockKind kind = parts.empty() ? BlockKind::plain : BlockKind::squeeze_excite;
    if (!model_.blocks.empty() && kind != shape_.kind) match_.unfit(value, "a block like the others");
    shape_.kind = kind;
    if (parts.empty()) return value;
    auto excite = convolution(parts[0], 1);
    auto squeeze = convolution(before_activation(excite.input), 1);
    if (!match_.same(match_.mean(squeeze.input), parts[1])) match_.unfit(value, "gates of the maps that they gate");
    block.excite = dense(std::move(excite.layer));
    block.squeeze = dense(std::move(squeeze.layer));
    shape_.squeeze = block.squeeze.outputs;
    return before_activation(parts[1]);
  }

  static Dense dense(Convolution layer) {
    return {.inputs = layer.inputs,
            .outputs = layer.outputs,
            .weights = std::move(layer.weights),
            .bias = std::move(layer.bias)};
  }

  // ---- the first layer: any sum of convolutions of both inputs, with or without a batch norm ----

  void first(std::string_view sum) {
    const Node* const norm = match_.batch_norm(sum);
    const std::uint32_t c = shape_.channels;
    model_.planes = Model::zeros({.edge = shape_.edge, .planes = shape_.planes, .channels = c}).planes;
    model_.scalars = {.inputs = shape_.scalars, .outputs = c, .weights = std::vector<float>(c * shape_.scalars)};
    std::vector<std::string_view> summands = {norm != nullptr ? norm->inputs[0] : sum};
    for (std::size_t i = 0; i < summands.size(); ++i) {
      if (summands.size() > kMostSummands) match_.unfit(summands[i], "a sum of fewer layers");
      const Node* const node = match_.producer(summands[i]);
      if (node != nullptr && node->op == "Add" && node->inputs.size() == 2) {
        summands.insert(summands.end(), node->inputs.begin(), node->inputs.end());
      } else {
        add_first(summands[i]);
      }
    }
    if (norm == nullptr) return;
    match_.fold_norm(*norm, model_.planes);
    match_.fold_norm(*norm, model_.scalars);
  }

  void add_first(std::string_view value) {
    const auto found = match_.convolution(value);
    if (!found) match_.unfit(value, "a convolution of an input");
    const Convolution& layer = found->layer;
    const bool planes = match_.same(found->input, graph_.inputs[0].name);
    if (!planes && !match_.same(found->input, graph_.inputs[1].name)) match_.unfit(found->input, "an input");
    if (layer.outputs != shape_.channels || layer.inputs != (planes ? shape_.planes : shape_.scalars) ||
        (!planes && layer.kernel != 1)) {
      match_.unfit(value, "a convolution of this input to the channels of the blocks");
    }
    for (std::size_t o = 0; o < layer.outputs; ++o) model_.planes.bias[o] += layer.bias[o];
    const std::size_t taps = layer.kernel * layer.kernel;
    for (std::size_t i = 0; i < layer.weights.size(); ++i) {
      if (!planes)
        model_.scalars.weights[i] += layer.weights[i];
      else
        model_.planes.weights[i / taps * 9 + (taps == 1 ? 4 : i % taps)] += layer.weights[i];
    }
  }

  // Whether all tensors are as long as the shape says.
  void finish() {
    if (const std::string fault = shape_.fault(); !fault.empty()) throw Unfit("it asks for " + fault);
    const Model expected = Model::zeros(shape_);
    model_.shape = shape_;
    std::vector<std::size_t> lengths;
    for_each_tensor(expected, [&](const std::string&, const auto& values) { lengths.push_back(values.size()); });
    std::size_t at = 0;
    for_each_tensor(model_, [&](const std::string& name, const auto& values) {
      if (values.size() != lengths[at++]) throw Unfit(fmt::format("{} has a length that does not fit", name));
    });
    if (const auto numbers = check_numbers(model_); !numbers) throw Unfit(numbers.error());
  }

  const Graph& graph_;
  Matcher match_;
  Model model_;
  Shape shape_;
  bool activation_known_ = false;
  std::size_t value_index_ = 1;
};

}  // namespace

std::expected<Model, std::string> read(std::string_view file) {
  const auto graph = read_graph(file);
  if (!graph) return std::unexpected(graph.error());
  try {
    return Recognizer(*graph).read();
  } catch (const Unfit& unfit) {
    return std::unexpected(unfit.why);
  }
}

}  // namespace fuhyo::nn::onnx
