// An ONNX file as a graph: operators, and the tensors between them. What is stored in a file is read and checked here;
// what it means is for others. Views are of the bytes that were read, which must live as long. Values; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::nn::onnx {

constexpr std::size_t kMostNodes = 10'000;
constexpr std::size_t kMostTensors = 10'000;
constexpr std::size_t kMostAttributes = 16;  // of a node
constexpr std::size_t kMostDimensions = 8;

enum class ElementType : std::uint8_t { other, float32, int64 };

// A constant.
struct Tensor {
  std::string_view name;
  ElementType type = ElementType::other;
  std::vector<std::uint64_t> dimensions;
  std::vector<float> floats;        // of float32
  std::vector<std::int64_t> whole;  // of int64
};

struct Attribute {
  std::int64_t whole = 0;
  float real = 0;
  std::vector<std::int64_t> list;
  Tensor tensor;
};

struct Node {
  std::string_view op, name;
  std::vector<std::string_view> inputs, outputs;
  std::map<std::string_view, Attribute> attributes;

  // For people: "Conv 'Conv_12'".
  std::string description() const;
  std::int64_t number(std::string_view attribute, std::int64_t otherwise) const;
  float real(std::string_view attribute, float otherwise) const;
  std::span<const std::int64_t> list(std::string_view attribute) const;
};

// What goes in or comes out. A dimension without a fixed size is 0.
struct Value {
  std::string_view name;
  std::vector<std::uint64_t> dimensions;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<Value> inputs, outputs;  // inputs that are constants are not among them
  std::map<std::string_view, Tensor> constants;
  std::map<std::string_view, const Node*> producers;  // of each value, by its name; points into `nodes`

  Graph() = default;
  Graph(Graph&&) = default;
  Graph& operator=(Graph&&) = default;
};

// An error says what in the file cannot be read.
std::expected<Graph, std::string> read_graph(std::string_view file);

}  // namespace fuhyo::nn::onnx
