// Networks as PyTorch exported them, against what PyTorch computed with them (tests/golden/onnx/make.py).
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "engines/nn/choice.h"
#include "engines/nn/cpu_backend.h"
#include "engines/nn/model_file.h"
#include "engines/nn/onnxruntime/onnxruntime_backend.h"
#include "engines/nn/reference_backend.h"

namespace fuhyo::nn {
namespace {

constexpr std::uint32_t kPositions = 3;
constexpr std::size_t kLabelStep = 27;

struct Golden {
  std::string name;
  Shape shape;
};

class OnnxTest : public ::testing::TestWithParam<Golden> {
 protected:
  static std::filesystem::path file(std::string_view extension) {
    return std::filesystem::path(FUHYO_SOURCE_DIR) / "tests/golden/onnx" / (GetParam().name + std::string(extension));
  }
};

bool bit(std::size_t i) { return static_cast<std::uint32_t>(i * 2654435761U) >> 28 == 0; }

Batch inputs(const Shape& shape) {
  Batch batch(shape, kPositions);
  while (batch.size() < kPositions) {
    const std::uint32_t i = batch.add();
    for (std::size_t plane = 0; plane < shape.planes; ++plane) {
      for (std::size_t s = 0; s < 81; ++s) {
        if (bit((i * shape.planes + plane) * 81 + s)) batch.planes(i)[plane][s / 64] |= std::uint64_t{1} << (s % 64);
      }
    }
    for (std::size_t k = 0; k < shape.scalars; ++k) batch.scalars(i)[k] = bit(i * shape.scalars + k + 1) ? 1 : 0;
  }
  return batch;
}

void expect_golden(Backend& backend, const std::filesystem::path& expected) {
  Evaluations out(backend.shape(), kPositions);
  ASSERT_TRUE(backend.evaluate(inputs(backend.shape()), out));
  std::ifstream lines(expected);
  for (std::uint32_t i = 0; i < kPositions; ++i) {
    float number = 0;
    ASSERT_TRUE(lines >> number);
    EXPECT_NEAR(out.value(i), number, 1e-5) << backend.name();
    for (std::size_t label = 0; label < out.logits(i).size(); label += kLabelStep) {
      ASSERT_TRUE(lines >> number);
      ASSERT_NEAR(out.logits(i)[label], number, 1e-4) << backend.name() << ", label " << label;
    }
  }
}

TEST_P(OnnxTest, IsReadAndComputedAsPyTorchDoes) {
  const auto loaded = load_model(file(".onnx"));
  ASSERT_TRUE(loaded) << loaded.error();
  EXPECT_EQ(loaded->model->shape, GetParam().shape) << loaded->description;
  expect_golden(*reference_backend(loaded->model), file(".txt"));
  for (const Kernels* kernels : kernels_here()) expect_golden(*cpu_backend(*loaded->model, *kernels), file(".txt"));
}

// Where ONNX Runtime's library is, or where FUHYO_ONNXRUNTIME says that it is.
TEST_P(OnnxTest, IsComputedByOnnxRuntimeAsPyTorchDoes) {
  const char* const library = std::getenv("FUHYO_ONNXRUNTIME");
  const auto backend = onnxruntime_backend(file(".onnx"), {.shared_library = library != nullptr ? library : ""});
  if (!backend && library == nullptr) GTEST_SKIP() << backend.error();
  ASSERT_TRUE(backend) << backend.error();
  EXPECT_EQ((*backend)->shape().policy_size(), GetParam().shape.policy_size());
  EXPECT_EQ((*backend)->shape().scalars, GetParam().shape.scalars);
  expect_golden(**backend, file(".txt"));
  expect_golden(*(*backend)->for_another_thread(), file(".txt"));
}

Shape shape(std::uint32_t scalars, Activation activation, std::uint32_t squeeze,
            BlockKind otherwise = BlockKind::plain) {
  return {.scalars = scalars,
          .channels = 12,
          .blocks = 2,
          .kind = squeeze == 0 ? otherwise : BlockKind::squeeze_excite,
          .activation = activation,
          .squeeze = squeeze,
          .value_hidden = 6};
}

INSTANTIATE_TEST_SUITE_P(PyTorch, OnnxTest,
                         ::testing::Values(Golden{"relu", shape(57, Activation::relu, 0)},
                                           Golden{"silu", shape(119, Activation::silu, 0)},
                                           Golden{"squeeze", shape(57, Activation::relu, 3)},
                                           Golden{"squeeze_silu", shape(57, Activation::silu, 3)},
                                           Golden{"before", shape(57, Activation::relu, 0, BlockKind::pre_activation)},
                                           Golden{"unfolded", shape(57, Activation::relu, 0)}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace fuhyo::nn
