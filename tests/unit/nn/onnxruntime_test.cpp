// The back end of ONNX Runtime, over a library that plays it (fake_onnxruntime/library.cpp says what it computes).
// tests/golden/onnx_test.cpp asks the real one where it is installed.
#include <dlfcn.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "engines/nn/onnxruntime/onnxruntime_backend.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/nn/batches.h"

namespace fuhyo::nn {
namespace {

using ::testing::HasSubstr;

constexpr const char* kUsual =
    "input input1 1 -1 2 3 3\n"
    "input input2 1 -1 3 3 3\n"
    "output output_policy 1 18\n"
    "output output_value 1 1\n";

class OnnxRuntime : public ::testing::Test {
 protected:
  std::expected<std::unique_ptr<Backend>, std::string> load(const std::string& network,
                                                            OnnxRuntimeSettings settings = {}) const {
    std::ofstream(file_) << network;
    if (settings.shared_library.empty()) settings.shared_library = FUHYO_FAKE_ONNXRUNTIME;
    return onnxruntime_backend(file_, settings);
  }
  std::string refusal(const std::string& network, const OnnxRuntimeSettings& settings = {}) const {
    const auto backend = load(network, settings);
    EXPECT_FALSE(backend);
    return backend ? "" : backend.error();
  }
  // Whether the batch comes out as the library's definition says.
  static void expect_right(Backend& backend, std::uint32_t size) {
    const Shape& shape = backend.shape();
    const Batch batch = random_batch(shape, size, size);
    Evaluations out(shape, size);
    const auto done = backend.evaluate(batch, out);
    ASSERT_TRUE(done) << done.error();
    for (std::uint32_t i = 0; i < size; ++i) {
      float constant = 0, ones = 0;
      for (std::size_t k = 0; k < shape.scalars; ++k) {
        constant += static_cast<float>(k + 1) * batch.scalars(i)[k];
        ones += batch.scalars(i)[k];
      }
      EXPECT_EQ(out.value(i), ones / 16);
      for (std::size_t label = 0; label < shape.policy_size(); ++label) {
        const std::size_t s = label % shape.squares();
        float expected = constant;
        for (std::size_t k = 0; k < shape.planes; ++k) {
          expected += static_cast<float>(k + 1) * static_cast<float>(batch.planes(i)[k][s / 64] >> s % 64 & 1);
        }
        ASSERT_EQ(out.logits(i)[label], expected) << i << ", " << label;
      }
    }
  }
  static int live() {
    void* const library = dlopen(FUHYO_FAKE_ONNXRUNTIME, RTLD_NOW);
    return reinterpret_cast<int (*)()>(dlsym(library, "fake_onnxruntime_live"))();
  }

  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "net.onnx";
};

TEST_F(OnnxRuntime, TakesWhatTheNetworkTakesAndGivesWhatItGives) {
  const auto backend = load(kUsual);
  ASSERT_TRUE(backend) << backend.error();
  EXPECT_EQ((*backend)->shape().edge, 3U);
  EXPECT_EQ((*backend)->shape().planes, 2U);
  EXPECT_EQ((*backend)->shape().scalars, 3U);
  EXPECT_EQ((*backend)->shape().policy_planes, 2U);
  EXPECT_EQ((*backend)->name(), "ONNX Runtime 0.0-fake");
  EXPECT_EQ((*backend)->best_batch(), 8U);
  for (const std::uint32_t size : {1U, 2U, 9U}) expect_right(**backend, size);
}

TEST_F(OnnxRuntime, KnowsBoardsOfTwoWords) {
  const auto backend = load(
      "input input1 1 -1 62 9 9\ninput input2 1 -1 57 9 9\noutput output_policy 1 2187\noutput output_value 1 1\n");
  ASSERT_TRUE(backend) << backend.error();
  expect_right(**backend, 3);
}

TEST_F(OnnxRuntime, TellsInputsAndOutputsApartByTheirNames) {
  // The fake's "last" input is planes then, so only what comes of it is looked at.
  const auto backend =
      load("input input2 1 -1 3 3 3\ninput input1 1 -1 2 3 3\noutput output_value 1 1\noutput output_policy 1 18\n");
  ASSERT_TRUE(backend) << backend.error();
  EXPECT_EQ((*backend)->shape().planes, 2U);
  EXPECT_EQ((*backend)->shape().policy_planes, 2U);
  Batch batch((*backend)->shape(), 1);
  batch.add();
  batch.planes(0)[1][0] = 1;
  Evaluations out((*backend)->shape(), 1);
  ASSERT_TRUE((*backend)->evaluate(batch, out));
  EXPECT_EQ(out.value(0), 1.F / 16);
  EXPECT_EQ(out.logits(0)[0], 2);
  EXPECT_EQ(out.logits(0)[1], 0);
}

TEST_F(OnnxRuntime, ComputesInHalvesToo) {
  const auto backend =
      load("input input1 10 -1 2 3 3\ninput input2 10 -1 3 3 3\noutput output_policy 10 18\noutput output_value 1 1\n");
  ASSERT_TRUE(backend) << backend.error();
  expect_right(**backend, 3);
}

TEST_F(OnnxRuntime, FillsBatchesOfAFixedSize) {
  const auto backend =
      load("input input1 1 4 2 3 3\ninput input2 1 4 3 3 3\noutput output_policy 1 18\noutput output_value 1 1\n");
  ASSERT_TRUE(backend) << backend.error();
  EXPECT_EQ((*backend)->best_batch(), 4U);
  for (const std::uint32_t size : {1U, 4U, 11U}) expect_right(**backend, size);
}

TEST_F(OnnxRuntime, IsSharedByThreads) {
  const auto first = load(kUsual);
  ASSERT_TRUE(first) << first.error();
  const auto second = (*first)->for_another_thread();
  std::thread other([&] { expect_right(*second, 5); });
  expect_right(**first, 3);
  other.join();
}

TEST_F(OnnxRuntime, AsksForProviders) {
  const auto backend = load(kUsual, {.providers = "cuda", .device = 3});
  ASSERT_TRUE(backend) << backend.error();
  EXPECT_EQ((*backend)->name(), "ONNX Runtime 0.0-fake (cuda)");
  EXPECT_EQ((*backend)->best_batch(), 128U);
  const std::string head = "ONNX Runtime 0.0-fake: ";
  EXPECT_EQ(refusal(kUsual, {.providers = "cuda"}), head + "cuda: there is no device 0");
  EXPECT_EQ(refusal(kUsual, {.providers = "cuda,tensorrt", .device = 3}),
            head + "this library was built without tensorrt");
  EXPECT_EQ(refusal(kUsual, {.providers = "gpu"}),
            head + "'gpu' is no provider: cuda and tensorrt are known, with commas between them");
}

TEST_F(OnnxRuntime, SaysWhyALibraryIsNone) {
  EXPECT_THAT(refusal(kUsual, {.shared_library = "/nowhere/libonnxruntime.so"}),
              HasSubstr("ONNX Runtime cannot be loaded: /nowhere/libonnxruntime.so: "));
  EXPECT_EQ(refusal(kUsual, {.shared_library = "libm.so.6"}), "libm.so.6 is no ONNX Runtime: it has no OrtGetApiBase");
  EXPECT_EQ(refusal(kUsual, {.shared_library = FUHYO_OTHER_ONNXRUNTIME}),
            "ONNX Runtime 0.0-fake does not have version 1 of its interface");
}

TEST_F(OnnxRuntime, SaysWhatDoesNotFit) {
  const std::string head = "ONNX Runtime 0.0-fake: ";
  const auto with = [&](const std::string& first, const std::string& policy, const std::string& value) {
    return refusal("input input1 " + first + "\ninput input2 1 -1 3 3 3\noutput output_policy " + policy +
                   "\noutput output_value " + value + "\n");
  };
  EXPECT_EQ(refusal("input input1 1 -1 2 3 3\noutput output_policy 1 18\n"),
            head + "the network has 1 inputs and 1 outputs, not two of each");
  EXPECT_EQ(with("1 -1 2 3", "1 18", "1 1"), head + "input 'input1' is no batch of planes of a board");
  EXPECT_EQ(with("1 -1 2 9 9", "1 18", "1 1"), head + "input 'input2' is no batch of planes of a board");
  EXPECT_EQ(with("1 -1 300 3 3", "1 18", "1 1"), head + "input 'input1' is no batch of planes of a board");
  EXPECT_EQ(with("7 -1 2 3 3", "1 18", "1 1"), head + "a tensor is not of floats");
  EXPECT_EQ(with("1", "1 18", "1 1"), head + "input 'input1' is no tensor");
  EXPECT_EQ(with("1 -1 2 3 3", "1 17", "1 1"),
            head + "output 'output_policy' has 17 numbers a position, not a logit for each plane and square");
  EXPECT_EQ(with("1 -1 2 3 3", "1 18", "1 3"), head + "output 'output_value' has 3 numbers a position, not one value");
  EXPECT_EQ(refusal("This is a text."), head + "no network: This is a text.");
  for (const char* function : {"create_session", "input_type", "output_name", "run"}) {
    EXPECT_EQ(refusal(kUsual + std::string("fail ") + function), head + "told to fail in " + function);
  }
}

TEST_F(OnnxRuntime, SaysWhatHappensLater) {
  const auto failing = load(kUsual + std::string("fail second_run"));
  ASSERT_TRUE(failing) << failing.error();
  const Shape& shape = (*failing)->shape();
  const Batch batch = random_batch(shape, 2, 1);
  Evaluations out(shape, 2);
  const auto done = (*failing)->evaluate(batch, out);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error(), "ONNX Runtime 0.0-fake: told to fail in second_run");
  const auto lying = load(kUsual + std::string("lie"));
  ASSERT_TRUE(lying) << lying.error();
  const auto said = (*lying)->evaluate(batch, out);
  ASSERT_FALSE(said);
  EXPECT_EQ(said.error(), "ONNX Runtime 0.0-fake: its outputs have other sizes than before");
}

TEST_F(OnnxRuntime, GivesBackWhatItTakes) {
  const int before = live();
  {
    const auto backend = load(kUsual);
    ASSERT_TRUE(backend) << backend.error();
    expect_right(**backend, 2);
    const int held = live();
    expect_right(**backend, 2);
    EXPECT_EQ(live(), held);
    refusal(kUsual + std::string("fail output_name"));
    refusal(kUsual + std::string("fail input_type"));
    refusal("input input1 1 -1 2 3\ninput input2 1 -1 3 3 3\noutput a 1 18\noutput b 1 1\n");
  }
  EXPECT_EQ(live(), before);
}

}  // namespace
}  // namespace fuhyo::nn
