
#include "engines/nn/onnx/graph.h"
#include "engines/nn/onnx/protobuf.h"
#include "engines/nn/onnx/read.h"
#include "engines/nn/reference_backend.h"
#include "tests/support/expected.h"
#include "tests/unit/nn/batches.h"
#include "tests/unit/nn/onnx_writer.h"

namespace fuhyo::nn {
namespace {

std::string refusal(const std::string& file) { return test::error_of(onnx::read(file)); }

// The network with one node changed.
template <class Change>
std::string with(std::string_view output, const Change& change) {
  return small_network([&](WrittenNode& node) {
    if (node.output == output) change(node);
  });
}

TEST(Onnx, IsReadByItsStructure) {
  const auto model = onnx::read(small_network());
  ASSERT_TRUE(model) << model.error();
  const Shape expected = {.edge = 3,
                          .planes = 3,
                          .scalars = 2,
                          .channels = 4,
                          .blocks = 2,
                          .policy_planes = 2,
                          .value_planes = 1,
                          .value_hidden = 5};
  EXPECT_EQ(model->shape, expected);
  // The blocks come in the order of their use.
  EXPECT_NE(model->blocks[0].first.weights, model->blocks[0].second.weights);
}

TEST(Onnx, MayBeSpelledInOtherWays) {
  const auto plain = onnx::read(small_network());
  ASSERT_TRUE(plain) << plain.error();
  const auto expect_same = [&](const std::string& file) {
    const auto other = onnx::read(file);
    ASSERT_TRUE(other) << other.error();
    ASSERT_EQ(other->shape, plain->shape);
    const Batch inputs = random_batch(plain->shape, 2, 1);
    Evaluations one(plain->shape, 2), two(plain->shape, 2);
    ASSERT_TRUE(reference_backend(std::make_shared<const Model>(*plain))->evaluate(inputs, one));
    ASSERT_TRUE(reference_backend(std::make_shared<const Model>(*other))->evaluate(inputs, two));
    EXPECT_LT(largest_difference(one, two, 2), 1e-5F);
  };
  // The summands of the first layer and of blocks in another order.
  expect_same(small_network([](WrittenNode& node) {
    if (node.op == "Add") std::swap(node.inputs[0], node.inputs[1]);
  }));
  // A node that changes nothing.
  OnnxWriter writer = small_network_frame();
  for (WrittenNode node : small_network_nodes()) {
    if (node.output == "x1") {
      writer.node("Relu", node.inputs, "x1before").node("Identity", {"x1before"}, "x1");
      continue;
    }
    if (node.output == "c1o") node.inputs[0] = "x1before";
    writer.node(node.op, node.inputs, node.output, node.attributes);
  }
  expect_same(writer.file());
}

// The same layers, with norms and activations before those of blocks, as the legacy wideresnet10 has them.
OnnxWriter pre_activation_network(bool turned) {
  const std::string around = OnnxWriter::list("pads", {1, 1, 1, 1});
  OnnxWriter writer = small_network_frame();
  const auto add = [&](const std::string& a, const std::string& b, const std::string& out) {
    writer.node("Add", turned ? std::vector{b, a} : std::vector{a, b}, out);
  };
  const auto prepare = [&](const std::string& in, const std::string& out) {
    writer.node("BatchNormalization", {in, "scale", "shift", "mean", "variance"}, out + "norm");
    writer.node("Relu", {out + "norm"}, out);
  };
  for (const WrittenNode& node : small_network_nodes()) {
    if (node.output == "n") break;
    writer.node(node.op, node.inputs, node.output, node.attributes);
  }
  std::string x = "u";
  for (const std::string name : {"b", "c"}) {
    prepare(x, name + "p");
    writer.node("Conv", {name + "p", name + "1", name + "1b"}, name + "1o", around)
        .node("Relu", {name + "1o"}, name + "r");
    writer.node("Conv", {name + "r", name + "2", name + "2b"}, name + "2o", around);
    add(name + "2o", x, name + "s");
    x = name + "s";
  }
  prepare(x, "x2");
  bool head = false;
  for (const WrittenNode& node : small_network_nodes()) {
    head |= node.output == "po";
    if (head) writer.node(node.op, node.inputs, node.output, node.attributes);
  }
  return writer;
}

TEST(Onnx, MayHaveActivationsBeforeLayers) {
  for (const bool turned : {false, true}) {
    const auto model = onnx::read(pre_activation_network(turned).file());
    ASSERT_TRUE(model) << model.error();
    EXPECT_EQ(model->shape.kind, BlockKind::pre_activation);
    EXPECT_EQ(model->shape.blocks, 2U);
    EXPECT_EQ(model->shape.activation, Activation::relu);
    // Layers are those of the network with activations after them; the norm of its first layer is not folded here.
    const auto plain = onnx::read(with("n", [](WrittenNode& node) { node = {"Identity", {"u"}, "n", ""}; }));
    ASSERT_TRUE(plain) << plain.error();
    EXPECT_EQ(model->planes.weights, plain->planes.weights);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(model->blocks[i].first.weights, plain->blocks[i].first.weights);
      EXPECT_EQ(model->blocks[i].second.bias, plain->blocks[i].second.bias);
      EXPECT_EQ(model->blocks[i].before.scale, model->last.scale);
      EXPECT_EQ(model->blocks[i].before.shift, model->last.shift);
    }
    EXPECT_EQ(model->last.scale.size(), 4U);
  }
}

TEST(Onnx, NamesTheNodeThatDoesNotFit) {
  EXPECT_EQ(refusal(with("b1r", [](WrittenNode& node) { node.op = "HardSwish"; })),
            "node HardSwish 'HardSwish_b1r' does not fit: ReLU or SiLU is expected there");
  EXPECT_EQ(refusal(with("output_value", [](WrittenNode& node) { node.op = "Tanh"; })),
            "node Tanh 'Tanh_output_value' does not fit: Sigmoid is expected there");
  EXPECT_EQ(refusal(with("c2o", [](WrittenNode& node) { node.attributes = ""; })),
            "node Conv 'Conv_c2o' does not fit: it does not keep the size of the board, or has groups");
  EXPECT_EQ(refusal(with("c2o", [](WrittenNode& node) { node.attributes += OnnxWriter::whole("group", 2); })),
            "node Conv 'Conv_c2o' does not fit: it does not keep the size of the board, or has groups");
  EXPECT_EQ(refusal(with("c1o", [](WrittenNode& node) { node.inputs[0] = "x0"; })),
            "node Add 'Add_cs' does not fit: a sum of a block's result and its input is expected there");
  EXPECT_EQ(refusal(with("vo", [](WrittenNode& node) { node.inputs[0] = "x1"; })),
            "node Relu 'Relu_x2' does not fit: what the value is computed from, too is expected there");
  EXPECT_EQ(refusal(with("h", [](WrittenNode& node) { node.inputs[1] = "f2"; })),
            "node Gemm 'Gemm_h' does not fit: its bias has another length");
  EXPECT_EQ(refusal(with("c1o", [](WrittenNode& node) { node.inputs[1] = "nowhere"; })),
            "node Conv 'Conv_c1o' does not fit: its input 2 is no constant");
  EXPECT_EQ(refusal(with("c1o", [](WrittenNode& node) { node.inputs[2] = "vb"; })),
            "node Conv 'Conv_c1o' does not fit: its bias has another length");
  EXPECT_EQ(refusal(with("n", [](WrittenNode& node) { node.inputs[4] = "shift"; })),
            "node BatchNormalization 'BatchNormalization_n' does not fit: its variance is not positive");
  EXPECT_EQ(refusal(with("c1o", [](WrittenNode& node) { node.inputs[1] = "a3"; })),
            "block 2.first.weights has a length that does not fit");
  EXPECT_EQ(refusal(with("n", [](WrittenNode& node) { node.inputs[2] = "vb"; })),
            "node BatchNormalization 'BatchNormalization_n' does not fit: it is not of 4 channels");
  EXPECT_EQ(refusal(with("bs", [](WrittenNode& node) { node.op = ""; })),
            "'bs' is no result of a node where the sum of a residual block is expected");
}

TEST(Onnx, KnowsKernelsOfOneAndOfThree) {
  for (const std::vector<std::int64_t>& sizes :
       std::vector<std::vector<std::int64_t>>{{4, 4, 5, 5}, {4, 4, 2, 2}, {4, 4, 3, 1}}) {
    OnnxWriter writer = small_network_frame();
    writer.tensor("other", sizes);
    for (WrittenNode node : small_network_nodes()) {
      if (node.output == "c2o") {
        node.inputs[1] = "other";
        node.attributes = OnnxWriter::list("pads", std::vector<std::int64_t>(4, sizes[2] / 2));
      }
      writer.node(node.op, node.inputs, node.output, node.attributes);
    }
    EXPECT_EQ(refusal(writer.file()), "node Conv 'Conv_c2o' does not fit: its kernel is neither 1x1 nor 3x3");
  }
}

// Such circles are no ONNX, but whoever writes files may write them.
TEST(Onnx, DoesNotGoRoundInCircles) {
  EXPECT_EQ(refusal(with("bs", [](WrittenNode& node) { node.inputs = {"b2o", "x2"}; })),
            "node Add 'Add_bs' does not fit: a sum of a block's result and its input is expected there");
  EXPECT_EQ(refusal(with("x1", [](WrittenNode& node) { node = {"Identity", {"x1"}, "x1", ""}; })),
            "its nodes go round in a circle");
  EXPECT_EQ(refusal(small_network([](WrittenNode& node) {
              if (node.output == "b1o") node.inputs[0] = "x2";
              if (node.output == "bs") node.inputs = {"b2o", "x2"};
            })),
            "it has more than 100 blocks");
}

TEST(Onnx, HasTwoInputsAndTwoOutputs) {
  OnnxWriter one;
  EXPECT_EQ(refusal(one.input("input1", {-1, 62, 9, 9}).output("output_policy").file()),
            "it has 1 inputs and 1 outputs, not two of each");
  OnnxWriter flat;
  flat.input("input1", {-1, 62, 81}).input("input2", {-1, 57, 9, 9}).output("output_policy").output("output_value");
  EXPECT_EQ(refusal(flat.file()), "input 'input1' is no batch of planes of a board");
}

TEST(Onnx, RefusesWhatIsNone) {
  EXPECT_EQ(refusal(""), "it holds no ONNX graph");
  EXPECT_EQ(refusal("This is a text."), "the file is damaged, or no ONNX");
  OnnxWriter twice;
  EXPECT_EQ(refusal(twice.node("Relu", {"a"}, "b").node("Relu", {"c"}, "b").file()), "two nodes produce 'b'");
}

TEST(Onnx, IsRefusedWhereverItIsCut) {
  const std::string whole = small_network();
  for (std::size_t length = 0; length + 4 < whole.size(); ++length) {  // the last field is not needed
    ASSERT_FALSE(onnx::read(whole.substr(0, length))) << length;
  }
}

TEST(Onnx, ReadsTensorsWithinLimits) {
  const auto tensor = [](const std::string& message) { return refusal(field(7, field(5, message))); };
  const std::string named = field(2, 1) + field(8, "w");
  EXPECT_EQ(tensor(named + field(1, 3) + field(9, "12345678")), "tensor 'w' has 8 bytes where its 3 numbers need 12");
  EXPECT_EQ(tensor(named + field(1, 1 << 20) + field(1, 1 << 20)), "tensor 'w' is larger than any that is read");
  EXPECT_EQ(tensor(named + field(1, ~std::uint64_t{0})), "tensor 'w' has a negative size");
  EXPECT_EQ(tensor(named + field(1, 1) + field(14, 1)), "tensor 'w' lies in another file, which is not read");
  EXPECT_EQ(tensor(named + field(1, std::string(9, '\1'))), "a list of numbers is longer than any that is needed");
}

TEST(Protobuf, ReadsFieldsToTheirEnd) {
  const std::string message = field(1, 300) + field(2, "text") + std::string("\x1d\x00\x00\x80\x3f", 5);
  onnx::MessageReader reader(message);
  auto found = reader.next();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->number, 1U);
  EXPECT_EQ(found->value, 300U);
  found = reader.next();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bytes, "text");
  found = reader.next();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, 0x3f800000U);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.broken());
  for (const std::string& broken : {std::string("\x08"), std::string("\x08\xff"), std::string("\x12\x05") + "four",
                                    std::string("\x0b"), std::string("\x00\x00", 2), std::string(11, '\xff')}) {
    onnx::MessageReader bad(broken);
    EXPECT_FALSE(bad.next());
    EXPECT_TRUE(bad.broken());
  }
}

}  // namespace
}  // namespace fuhyo::nn
