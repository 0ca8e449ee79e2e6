// ONNX files of any graph, for tests: as much of the format as graphs of networks use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::nn {

std::string varint(std::uint64_t value);
// A field of a message: a number, or bytes (texts, messages).
std::string field(std::uint32_t number, std::uint64_t value);
std::string field(std::uint32_t number, std::string_view bytes);

class OnnxWriter {
 public:
  OnnxWriter& input(std::string_view name, const std::vector<std::int64_t>& sizes);  // -1: any
  OnnxWriter& output(std::string_view name);
  // Weights of a formula.
  OnnxWriter& tensor(std::string_view name, const std::vector<std::int64_t>& sizes);
  OnnxWriter& node(std::string_view op, const std::vector<std::string>& inputs, std::string_view output,
                   const std::string& attributes = "");
  static std::string whole(std::string_view name, std::int64_t value);
  static std::string list(std::string_view name, const std::vector<std::int64_t>& values);

  std::string file() const { return field(1, 7) + field(7, graph_) + field(8, field(2, 14)); }

 private:
  static std::string value(std::string_view name, const std::vector<std::int64_t>& sizes);
  std::string graph_;
};

// A network of two blocks x 4 channels on a board of 3x3, as PyTorch exports it with its batch norms folded; `change`
// may alter each node before it is written: an empty op leaves it out.
struct WrittenNode {
  std::string op;
  std::vector<std::string> inputs;
  std::string output, attributes;
};
std::vector<WrittenNode> small_network_nodes();
OnnxWriter small_network_frame();

template <class Change>
std::string small_network(const Change& change) {
  OnnxWriter writer = small_network_frame();
  for (WrittenNode node : small_network_nodes()) {
    change(node);
    if (!node.op.empty()) writer.node(node.op, node.inputs, node.output, node.attributes);
  }
  return writer.file();
}
inline std::string small_network() {
  return small_network([](WrittenNode&) {});
}

}  // namespace fuhyo::nn
