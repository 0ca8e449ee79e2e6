#include "engines/nn/model_file.h"

#include <sstream>

#include "engines/nn/choice.h"
#include "engines/nn/container.h"
#include "engines/nn/cpu_backend.h"
#include "engines/nn/random_model.h"
#include "engines/nn/self_test.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/nn/batches.h"
#include "tests/unit/nn/onnx_writer.h"

namespace fuhyo::nn {
namespace {

namespace fs = std::filesystem;

const Shape kSmall = {.channels = 4, .blocks = 1};

class ModelFileTest : public ::testing::Test {
 protected:
  static std::string container() {
    std::ostringstream out;
    write_container(random_model(kSmall, 1), "by a test", out);
    return out.str();
  }

  const test::TemporaryFolder folder_;
};

TEST_F(ModelFileTest, IsKnownByWhatItHolds) {
  const auto own = load_model(folder_.write("a.onnx", container()));
  ASSERT_TRUE(own) << own.error();
  EXPECT_EQ(own->model->shape, kSmall);
  EXPECT_TRUE(own->description.ends_with("a.onnx, Fuhyo (by a test)")) << own->description;
  const auto onnx = load_model(folder_.write("b.bin", small_network()));
  ASSERT_TRUE(onnx) << onnx.error();
  EXPECT_TRUE(onnx->description.ends_with("b.bin, ONNX")) << onnx->description;
}

TEST_F(ModelFileTest, HasOptionsBesideIt) {
  const fs::path file = folder_.write("net.onnx", container());
  EXPECT_TRUE(load_model(file)->options.empty());
  folder_.write("net.onnx.ini",
                "[engine]\r\n; of the maker\r\nC_init=144\r\n Softmax_Temperature = 174 \r\n\r\nname=\n");
  const auto loaded = load_model(file);
  ASSERT_TRUE(loaded) << loaded.error();
  EXPECT_EQ(loaded->options, (ModelOptions{{"C_init", "144"}, {"Softmax_Temperature", "174"}, {"name", ""}}));
  folder_.write("net.onnx.ini", "C_init=144\nrubbish\n");
  EXPECT_EQ(load_model(file).error(), file.string() + ".ini: line 2 is no NAME=VALUE: 'rubbish'");
}

TEST_F(ModelFileTest, OptionsHaveLimits) {
  const auto error = [](const std::string& text) {
    std::istringstream in(text);
    return test::error_of(read_ini(in));
  };
  std::string lines;
  for (std::size_t i = 0; i < kMostIniLines; ++i) lines += "a=1\n";
  EXPECT_EQ(error(lines), "");
  EXPECT_EQ(error(lines + "a=1\n"), "it has more than 1000 lines");
  EXPECT_EQ(error("a=" + std::string(kLongestIniLine - 2, 'x')), "");
  EXPECT_EQ(error("a=" + std::string(kLongestIniLine - 1, 'x')), "line 1 is longer than 4096 bytes");
  EXPECT_EQ(error("=1"), "line 1 is no NAME=VALUE: '=1'");
}

TEST_F(ModelFileTest, IsRefusedWithItsName) {
  const auto error = [](const fs::path& file) { return load_model(file).error(); };
  const fs::path missing = folder_.path() / "none.onnx";
  EXPECT_EQ(error(missing), missing.string() + ": No such file or directory");
  EXPECT_EQ(error(folder_.path()), folder_.path().string() + ": it is no file");
  const fs::path text = folder_.write("text\n.onnx", "This is a text.");
  EXPECT_TRUE(error(text).ends_with("text?.onnx: the file is damaged, or no ONNX")) << error(text);
  EXPECT_TRUE(error(folder_.write("cut", container().substr(0, 1000))).find("cut: it has 1000 bytes where ") !=
              std::string::npos);
}

TEST_F(ModelFileTest, MayBePartOfTheProgram) {
  const std::string bytes = container(), ini = "C_init=144\nname=a\n";
  const auto carried = load_model(ModelSource::of_program("a.nn", bytes, ini));
  ASSERT_TRUE(carried) << carried.error();
  const fs::path file = folder_.write("a.nn", bytes);
  folder_.write("a.nn.ini", ini);
  const auto read = load_model(file);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(carried->options, read->options);
  EXPECT_EQ(carried->model->shape, read->model->shape);
  EXPECT_EQ(carried->model->policy.weights, read->model->policy.weights);
  EXPECT_TRUE(carried->description.ends_with(" from a.nn of the program, Fuhyo (by a test)")) << carried->description;
  EXPECT_TRUE(load_model(ModelSource::of_program("a.nn", bytes, ""))->options.empty());
  const std::string onnx = small_network();
  EXPECT_TRUE(load_model(ModelSource::of_program("a.nn", onnx, "")));
}

TEST_F(ModelFileTest, IsRefusedWithItsNameInTheProgramToo) {
  const std::string bytes = container();
  const auto error = [](std::string_view some, std::string_view ini) {
    return load_model(ModelSource::of_program("a.nn", some, ini)).error();
  };
  EXPECT_TRUE(
      error(std::string_view(bytes).substr(0, 1000), "").starts_with("a.nn of the program: it has 1000 bytes "));
  EXPECT_EQ(error("", ""), "a.nn of the program: it holds no ONNX graph");
  EXPECT_EQ(error(bytes, "rubbish"), "a.nn.ini of the program: line 1 is no NAME=VALUE: 'rubbish'");
}

// A back end that is right but for one logit.
class Wrong final : public Backend {
 public:
  Wrong(const Model& model, float error) : right_(cpu_backend(model, *kernels_here().front())), error_(error) {}
  const Shape& shape() const override { return right_->shape(); }
  std::string name() const override { return "wrong"; }
  std::uint32_t best_batch() const override { return 1; }
  std::unique_ptr<Backend> for_another_thread() const override { return nullptr; }
  std::expected<void, std::string> evaluate(const Batch& inputs, Evaluations& out) override {
    auto done = right_->evaluate(inputs, out);
    out.logits(0)[7] += error_;
    return done;
  }

 private:
  std::unique_ptr<Backend> right_;
  float error_;
};

TEST(SelfTest, FindsWhatIsComputedWrongly) {
  const auto model = std::make_shared<const Model>(random_model(kSmall, 1));
  const Batch inputs = random_batch(kSmall, 1, 1);
  for (const Kernels* kernels : kernels_here()) {
    EXPECT_TRUE(self_test(model, *cpu_backend(*model, *kernels), inputs)) << kernels->name;
  }
  Wrong right(*model, 0), far(*model, 0.1F), nowhere(*model, NAN);
  EXPECT_TRUE(self_test(model, right, inputs));
  const auto found = self_test(model, far, inputs);
  ASSERT_FALSE(found);
  EXPECT_TRUE(found.error().starts_with("wrong computes wrongly: logit 7 is ")) << found.error();
  EXPECT_FALSE(self_test(model, nowhere, inputs));
}

}  // namespace
}  // namespace fuhyo::nn
