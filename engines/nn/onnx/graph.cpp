#include "engines/nn/onnx/graph.h"

#include <cstring>
#include <fmt/format.h>

#include "engines/nn/model.h"
#include "engines/nn/onnx/protobuf.h"

namespace fuhyo::nn::onnx {
namespace {

// Numbers of fields, from onnx.proto.
namespace model_fields {
constexpr std::uint32_t kGraph = 7;
}
namespace graph_fields {
constexpr std::uint32_t kNode = 1, kInitializer = 5, kInput = 11, kOutput = 12;
}
namespace node_fields {
constexpr std::uint32_t kInput = 1, kOutput = 2, kName = 3, kOp = 4, kAttribute = 5;
}
namespace attribute_fields {
constexpr std::uint32_t kName = 1, kFloat = 2, kInt = 3, kTensor = 5, kInts = 8;
}
namespace tensor_fields {
constexpr std::uint32_t kDimensions = 1, kType = 2, kFloats = 4, kInts = 7, kName = 8, kRaw = 9, kExternal = 13,
                        kPlace = 14;
}
namespace value_fields {
constexpr std::uint32_t kName = 1, kType = 2, kTensorType = 1, kShape = 2, kDimension = 1, kDimensionValue = 1;
}
constexpr std::uint64_t kFloat32 = 1, kInt64 = 7;

constexpr std::size_t kMostWhole = 1024;  // numbers of a tensor: shapes and axes are such

// What is wrong travels as an exception within this file: a message is nested six deep.
struct Broken {
  std::string why;
};

template <class Visit>
void each_field(std::string_view message, std::string_view what, const Visit& visit) {
  MessageReader reader(message);
  while (const auto field = reader.next()) visit(*field);
  if (reader.broken()) throw Broken(fmt::format("{} is damaged, or no ONNX", what));
}

// Repeated whole numbers, one a field or packed into one.
void add_whole(const Field& field, std::vector<std::int64_t>& out, std::size_t most) {
  const auto add = [&](std::uint64_t value) {
    if (out.size() >= most) throw Broken("a list of numbers is longer than any that is needed");
    out.push_back(static_cast<std::int64_t>(value));
  };
  if (field.kind != Field::Kind::bytes) return add(field.value);
  for (std::string_view rest = field.bytes; !rest.empty();) {
    const auto value = take_varint(rest);
    if (!value) throw Broken("a list of numbers is damaged");
    add(*value);
  }
}

template <class Number>
void copy_raw(std::string_view raw, std::vector<Number>& out, std::uint64_t count, std::string_view name) {
  if (raw.size() != count * sizeof(Number)) {
    throw Broken(fmt::format("tensor '{}' has {} bytes where its {} numbers need {}", name, raw.size(), count,
                             count * sizeof(Number)));
  }
  out.resize(count);
  if (count > 0) std::memcpy(out.data(), raw.data(), raw.size());
}

std::uint64_t element_count(const Tensor& tensor) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : tensor.dimensions) {
    if (size > kMaxParameters || (count *= size) > kMaxParameters) {
      throw Broken(fmt::format("tensor '{}' is larger than any that is read", tensor.name));
    }
  }
  return count;
}

// The parts of a tensor whose order in the file is not known.
struct TensorParts {
  Tensor tensor;
  std::string_view raw, packed_floats;
  std::vector<std::int64_t> dimensions;
  bool external = false;

  void add(const Field& field) {
    switch (field.number) {
      case tensor_fields::kDimensions:
        return add_whole(field, dimensions, kMostDimensions);
      case tensor_fields::kType:
        tensor.type = field.value == kFloat32 ? ElementType::float32
                      : field.value == kInt64 ? ElementType::int64
                                              : ElementType::other;
        return;
      case tensor_fields::kFloats:
        if (field.kind == Field::Kind::bytes) {
          packed_floats = field.bytes;
        } else {
          float value;
          const auto bits = static_cast<std::uint32_t>(field.value);
          std::memcpy(&value, &bits, sizeof value);
          tensor.floats.push_back(value);
        }
        return;
      case tensor_fields::kInts:
        return add_whole(field, tensor.whole, kMostWhole);
      case tensor_fields::kName:
        tensor.name = field.bytes;
        return;
      case tensor_fields::kRaw:
        raw = field.bytes;
        return;
      case tensor_fields::kExternal:
        external = true;
        return;
      case tensor_fields::kPlace:
        external = external || field.value != 0;
        return;
      default:
        return;
    }
  }

  Tensor finished() {
    if (external) throw Broken(fmt::format("tensor '{}' lies in another file, which is not read", tensor.name));
    for (const std::int64_t size : dimensions) {
      if (size < 0) throw Broken(fmt::format("tensor '{}' has a negative size", tensor.name));
      tensor.dimensions.push_back(static_cast<std::uint64_t>(size));
    }
    const std::uint64_t count = element_count(tensor);
    if (tensor.type == ElementType::float32) {
      if (tensor.floats.empty())
        copy_raw(packed_floats.empty() ? raw : packed_floats, tensor.floats, count, tensor.name);
      if (tensor.floats.size() != count) throw Broken(fmt::format("tensor '{}' is incomplete", tensor.name));
    } else if (tensor.type == ElementType::int64) {
      if (count > kMostWhole)
        throw Broken(fmt::format("tensor '{}' has more whole numbers than are read", tensor.name));
      if (tensor.whole.empty()) copy_raw(raw, tensor.whole, count, tensor.name);
    }
    return std::move(tensor);
  }
};

Tensor read_tensor(std::string_view message) {
  TensorParts parts;
  each_field(message, "a tensor", [&](const Field& field) { parts.add(field); });
  return parts.finished();
}

std::pair<std::string_view, Attribute> read_attribute(std::string_view message) {
  std::string_view name;
  Attribute out;
  each_field(message, "an attribute", [&](const Field& field) {
    const auto bits = static_cast<std::uint32_t>(field.value);
    switch (field.number) {
      case attribute_fields::kName:
        name = field.bytes;
        break;
      case attribute_fields::kFloat:
        std::memcpy(&out.real, &bits, sizeof bits);
        break;
      case attribute_fields::kInt:
        out.whole = static_cast<std::int64_t>(field.value);
        break;
      case attribute_fields::kTensor:
        out.tensor = read_tensor(field.bytes);
        break;
      case attribute_fields::kInts:
        add_whole(field, out.list, kMostDimensions);
        break;
      default:
        break;
    }
  });
  return {name, std::move(out)};
}

Node read_node(std::string_view message) {
  Node node;
  each_field(message, "a node", [&](const Field& field) {
    switch (field.number) {
      case node_fields::kInput:
        node.inputs.push_back(field.bytes);
        break;
      case node_fields::kOutput:
        node.outputs.push_back(field.bytes);
        break;
      case node_fields::kName:
        node.name = field.bytes;
        break;
      case node_fields::kOp:
        node.op = field.bytes;
        break;
      case node_fields::kAttribute:
        if (node.attributes.size() >= kMostAttributes) throw Broken("a node has more attributes than any has");
        node.attributes.insert(read_attribute(field.bytes));
        break;
      default:
        break;
    }
  });
  return node;
}

Value read_value(std::string_view message) {
  Value value;
  std::string_view type, tensor, shape;
  each_field(message, "an input or output", [&](const Field& field) {
    if (field.number == value_fields::kName) value.name = field.bytes;
    if (field.number == value_fields::kType) type = field.bytes;
  });
  each_field(type, "a type", [&](const Field& field) {
    if (field.number == value_fields::kTensorType) tensor = field.bytes;
  });
  each_field(tensor, "a type", [&](const Field& field) {
    if (field.number == value_fields::kShape) shape = field.bytes;
  });
  each_field(shape, "a shape", [&](const Field& field) {
    if (field.number != value_fields::kDimension) return;
    if (value.dimensions.size() >= kMostDimensions) throw Broken("an input or output has too many dimensions");
    std::uint64_t size = 0;
    each_field(field.bytes, "a dimension", [&](const Field& part) {
      if (part.number == value_fields::kDimensionValue) size = part.value;
    });
    value.dimensions.push_back(size);
  });
  return value;
}

// Constants among the nodes are as good as others.
void take_constants(Graph& graph) {
  std::erase_if(graph.nodes, [&](Node& node) {
    if (node.op != "Constant" || node.outputs.size() != 1) return false;
    const auto found = node.attributes.find("value");
    if (found == node.attributes.end()) return false;
    graph.constants[node.outputs[0]] = std::move(found->second.tensor);
    return true;
  });
}

Graph read_graph_message(std::string_view message) {
  Graph graph;
  each_field(message, "the graph", [&](const Field& field) {
    switch (field.number) {
      case graph_fields::kNode:
        if (graph.nodes.size() >= kMostNodes) throw Broken("it has more nodes than are read");
        graph.nodes.push_back(read_node(field.bytes));
        break;
      case graph_fields::kInitializer: {
        if (graph.constants.size() >= kMostTensors) throw Broken("it has more tensors than are read");
        Tensor tensor = read_tensor(field.bytes);
        const std::string_view name = tensor.name;
        graph.constants[name] = std::move(tensor);
        break;
      }
      case graph_fields::kInput:
      case graph_fields::kOutput: {
        auto& values = field.number == graph_fields::kInput ? graph.inputs : graph.outputs;
        if (values.size() >= kMostTensors) throw Broken("it has more inputs than are read");
        values.push_back(read_value(field.bytes));
        break;
      }
      default:
        break;
    }
  });
  return graph;
}

}  // namespace

std::string Node::description() const {
  const std::string_view called = !name.empty() ? name : outputs.empty() ? std::string_view{} : outputs.front();
  return fmt::format("{} '{}'", op, called);
}

std::int64_t Node::number(std::string_view attribute, std::int64_t otherwise) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? otherwise : found->second.whole;
}

float Node::real(std::string_view attribute, float otherwise) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? otherwise : found->second.real;
}

std::span<const std::int64_t> Node::list(std::string_view attribute) const {
  const auto found = attributes.find(attribute);
  if (found == attributes.end()) return {};
  return found->second.list;
}

std::expected<Graph, std::string> read_graph(std::string_view file) {
  try {
    std::string_view message;
    each_field(file, "the file", [&](const Field& field) {
      if (field.number == model_fields::kGraph && field.kind == Field::Kind::bytes) message = field.bytes;
    });
    if (message.empty()) throw Broken("it holds no ONNX graph");
    Graph graph = read_graph_message(message);
    take_constants(graph);
    std::erase_if(graph.inputs, [&](const Value& value) { return graph.constants.contains(value.name); });
    for (const Node& node : graph.nodes) {
      for (const std::string_view output : node.outputs) {
        if (!graph.producers.emplace(output, &node).second) {
          throw Broken(fmt::format("two nodes produce '{}'", output));
        }
      }
    }
    return graph;
  } catch (const Broken& broken) {
    return std::unexpected(broken.why);
  }
}

}  // namespace fuhyo::nn::onnx
