// Layers in a graph, found from their results backwards: each function takes the name of a value, and gives back the
// layer that produced it and the value that it was applied to. What does not fit is thrown as Unfit, within this
// folder. One thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engines/nn/batch_norm.h"
#include "engines/nn/model.h"
#include "engines/nn/onnx/graph.h"

namespace fuhyo::nn::onnx {

struct Unfit {
  std::string why;
};

template <class Layer>
struct Applied {
  Layer layer;
  std::string_view input;
};

class Matcher {
 public:
  explicit Matcher(const Graph& graph) : graph_(graph) {}

  // The node behind a value, over nodes that change nothing (Identity, Dropout); null if it is an input or a constant.
  const Node* producer(std::string_view value) const;
  // The value itself, before such nodes.
  std::string_view source(std::string_view value) const;
  bool same(std::string_view a, std::string_view b) const { return source(a) == source(b); }
  const Tensor* constant(std::string_view value) const;

  // Relu(x), or x * Sigmoid(x) in either order. Nothing if it is neither.
  std::optional<Applied<Activation>> activation(std::string_view value) const;
  // Sigmoid(x).
  std::optional<std::string_view> sigmoid(std::string_view value) const;
  // A convolution that keeps the board's size, with a batch norm after it or without. Nothing if it is another node.
  std::optional<Applied<Convolution>> convolution(std::string_view value) const;
  // y = BatchNormalization(x): the norm, and x.
  const Node* batch_norm(std::string_view value) const;
  // A norm of this many channels by itself.
  Affine affine(const Node& norm, std::size_t channels) const;
  void fold_norm(const Node& norm, Convolution& layer) const;
  void fold_norm(const Node& norm, Dense& layer) const;
  // Gemm, or MatMul with an Add.
  Applied<Dense> dense(std::string_view value) const;
  // The maps whose values, one after the other, these are.
  std::string_view flattened(std::string_view value) const;
  // The maps whose means these are.
  std::string_view mean(std::string_view value) const;

  [[noreturn]] void unfit(std::string_view value, std::string_view wanted) const;

 private:
  BatchNorm norm(const Node& node, std::size_t channels) const;
  const Tensor& floats(const Node& node, std::size_t input, std::size_t dimensions) const;
  Convolution convolution_of(const Node& node) const;
  Dense dense_of(const Node& node, std::string_view weights, bool transposed) const;

  const Graph& graph_;
};

}  // namespace fuhyo::nn::onnx
