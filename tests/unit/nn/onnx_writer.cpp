#include "tests/unit/nn/onnx_writer.h"

#include <cstring>

namespace fuhyo::nn {

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}

std::string field(std::uint32_t number, std::uint64_t value) { return varint(number << 3) + varint(value); }

std::string field(std::uint32_t number, std::string_view bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}

std::string OnnxWriter::value(std::string_view name, const std::vector<std::int64_t>& sizes) {
  std::string shape;
  for (const std::int64_t size : sizes) {
    shape += field(1, size < 0 ? field(2, "batch_size") : field(1, static_cast<std::uint64_t>(size)));
  }
  return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)));
}

OnnxWriter& OnnxWriter::input(std::string_view name, const std::vector<std::int64_t>& sizes) {
  graph_ += field(11, value(name, sizes));
  return *this;
}

OnnxWriter& OnnxWriter::output(std::string_view name) {
  graph_ += field(12, value(name, {}));
  return *this;
}

OnnxWriter& OnnxWriter::tensor(std::string_view name, const std::vector<std::int64_t>& sizes) {
  std::string message;
  std::size_t count = 1;
  for (const std::int64_t size : sizes) {
    message += field(1, static_cast<std::uint64_t>(size));
    count *= static_cast<std::size_t>(size);
  }
  std::size_t seed = 0;  // a tensor's weights are those of its name
  for (const char c : name) seed = seed * 31 + static_cast<unsigned char>(c);
  std::string raw(count * sizeof(float), '\0');
  for (std::size_t i = 0; i < count; ++i) {
    const float least = name == "variance" ? 0.1F : -0.4F;
    const float weight = static_cast<float>((i * 7 + seed) % 19) / 19 + least;
    std::memcpy(raw.data() + i * sizeof weight, &weight, sizeof weight);
  }
  graph_ += field(5, message + field(2, 1) + field(8, name) + field(9, raw));
  return *this;
}

OnnxWriter& OnnxWriter::node(std::string_view op, const std::vector<std::string>& inputs, std::string_view output,
                             const std::string& attributes) {
  std::string message;
  for (const std::string& input : inputs) message += field(1, input);
  graph_ += field(1, message + field(2, output) + field(3, std::string(op) + "_" + std::string(output)) + field(4, op) +
                         attributes);
  return *this;
}

std::string OnnxWriter::whole(std::string_view name, std::int64_t value) {
  return field(5, field(1, name) + field(3, static_cast<std::uint64_t>(value)) + field(20, 2));
}

std::string OnnxWriter::list(std::string_view name, const std::vector<std::int64_t>& values) {
  std::string message = field(1, name);
  for (const std::int64_t value : values) message += field(8, static_cast<std::uint64_t>(value));
  return field(5, message + field(20, 7));
}

OnnxWriter small_network_frame() {
  OnnxWriter writer;
  writer.input("input1", {-1, 3, 3, 3}).input("input2", {-1, 2, 3, 3}).output("output_policy").output("output_value");
  writer.tensor("a3", {4, 3, 3, 3}).tensor("a1", {4, 3, 1, 1}).tensor("a2", {4, 2, 1, 1});
  for (const char* name : {"scale", "shift", "mean", "variance"}) writer.tensor(name, {4});
  for (const char* name : {"b1", "b2", "c1", "c2"})
    writer.tensor(name, {4, 4, 3, 3}).tensor(std::string(name) + "b", {4});
  writer.tensor("p", {2, 4, 1, 1}).tensor("pb", {18});
  writer.tensor("v", {1, 4, 1, 1}).tensor("vb", {1}).tensor("f1", {5, 9}).tensor("f1b", {5}).tensor("f2", {1, 5});
  writer.tensor("f2b", {1});
  return writer;
}

std::vector<WrittenNode> small_network_nodes() {
  const std::string around = OnnxWriter::list("pads", {1, 1, 1, 1}), turned = OnnxWriter::whole("transB", 1);
  return {
      {"Conv", {"input1", "a3"}, "u1", around},
      {"Conv", {"input1", "a1"}, "u2", ""},
      {"Add", {"u1", "u2"}, "u12", ""},
      {"Conv", {"input2", "a2"}, "u3", ""},
      {"Add", {"u12", "u3"}, "u", ""},
      {"BatchNormalization", {"u", "scale", "shift", "mean", "variance"}, "n", ""},
      {"Relu", {"n"}, "x0", ""},
      {"Conv", {"x0", "b1", "b1b"}, "b1o", around},
      {"Relu", {"b1o"}, "b1r", ""},
      {"Conv", {"b1r", "b2", "b2b"}, "b2o", around},
      {"Add", {"b2o", "x0"}, "bs", ""},
      {"Relu", {"bs"}, "x1", ""},
      {"Conv", {"x1", "c1", "c1b"}, "c1o", around},
      {"Relu", {"c1o"}, "c1r", ""},
      {"Conv", {"c1r", "c2", "c2b"}, "c2o", around},
      {"Add", {"x1", "c2o"}, "cs", ""},
      {"Relu", {"cs"}, "x2", ""},
      {"Conv", {"x2", "p"}, "po", ""},
      {"Flatten", {"po"}, "pf", OnnxWriter::whole("axis", 1)},
      {"Add", {"pf", "pb"}, "output_policy", ""},
      {"Conv", {"x2", "v", "vb"}, "vo", ""},
      {"Relu", {"vo"}, "vr", ""},
      {"Flatten", {"vr"}, "vf", OnnxWriter::whole("axis", 1)},
      {"Gemm", {"vf", "f1", "f1b"}, "h", turned},
      {"Relu", {"h"}, "hr", ""},
      {"Gemm", {"hr", "f2", "f2b"}, "o", turned},
      {"Sigmoid", {"o"}, "output_value", ""},
  };
}

}  // namespace fuhyo::nn
