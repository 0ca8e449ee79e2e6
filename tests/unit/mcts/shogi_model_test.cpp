#include "engines/mcts/shogi/shogi_model.h"

#include <fstream>
#include <gtest/gtest.h>

#include "engines/mcts/shogi/labels.h"
#include "engines/nn/container.h"
#include "engines/nn/random_model.h"
#include "engines/shogi/usi_move.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::mcts {
namespace {

namespace fs = std::filesystem;

class ShogiModelTest : public ::testing::Test {
 protected:
  // A network that likes one move more than all others, whatever the position, and thinks it is even.
  fs::path write(const nn::Shape& shape, std::string_view move) const {
    nn::Model model = nn::Model::zeros(shape);
    if (!move.empty()) model.policy_bias[label_of(*shogi::parse_usi_move(move), shogi::BLACK)] = 5;
    std::ofstream out(file_, std::ios::binary);
    nn::write_container(model, "", out);
    return file_;
  }
  void expect(const std::string& ini) const { std::ofstream(file_.string() + ".ini") << ini; }
  auto load() const { return load_shogi_model(file_); }
  std::string refusal() const { return test::error_of(load()); }

  test::TemporaryFolder folder_;
  fs::path file_ = folder_.path() / "net.bin";
};

constexpr nn::Shape kShape = {.channels = 2, .blocks = 1};

TEST_F(ShogiModelTest, IsLoadedAndTried) {
  write(kShape, "2g2f");
  auto loaded = load();
  ASSERT_TRUE(loaded) << loaded.error();
  EXPECT_TRUE(loaded->description.ends_with("plays 2g2f at 0.500")) << loaded->description;
  expect("SelfTest_Move=2g2f\nSelfTest_Value=0.5\nC_init=144\n");
  loaded = load();
  ASSERT_TRUE(loaded) << loaded.error();
  EXPECT_EQ(loaded->options, (nn::ModelOptions{{"C_init", "144"}}));
}

TEST_F(ShogiModelTest, IsRefusedIfItThinksOtherwise) {
  write(kShape, "2g2f");
  expect("SelfTest_Move=7g7f\n");
  EXPECT_EQ(refusal(), file_.string() + ": its best move is 2g2f where 7g7f is expected, in " +
                           std::string(shogi::Position::kStartSfen));
  expect("SelfTest_Value=0.52\n");
  EXPECT_EQ(refusal(), file_.string() + ": its value is 0.5000 where 0.5200 is expected, in " +
                           std::string(shogi::Position::kStartSfen));
  expect("SelfTest_Value=0.52\nSelfTest_Tolerance=0.03\n");
  EXPECT_TRUE(load());
}

// The move is that of the side to move: the label of 2g2f is that of 8c8d for White.
TEST_F(ShogiModelTest, IsTriedInAnyPosition) {
  write(kShape, "2g2f");
  expect("SelfTest_Position=lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2\nSelfTest_Move=8c8d\n");
  const auto loaded = load();
  EXPECT_TRUE(loaded) << loaded.error();
}

TEST_F(ShogiModelTest, SaysWhatItsTestCannotBe) {
  write(kShape, "");
  const std::string ini = file_.string() + ".ini: ";
  expect("SelfTest_Move=7g7e\n");
  EXPECT_TRUE(refusal().starts_with(ini + "SelfTest_Move: '7g7e' is no legal move of ")) << refusal();
  expect("SelfTest_Value=much\n");
  EXPECT_EQ(refusal(), ini + "SelfTest_Value: 'much' is no number from 0 to 1");
  expect("SelfTest_Value=1.5\n");
  EXPECT_EQ(refusal(), ini + "SelfTest_Value: '1.5' is no number from 0 to 1");
  expect("SelfTest_Position=9/9 b\n");
  EXPECT_TRUE(refusal().starts_with(ini + "SelfTest_Position: ")) << refusal();
}

TEST_F(ShogiModelTest, MustBeOfShogi) {
  write({.edge = 8, .planes = 3, .scalars = 0, .channels = 2, .policy_planes = 1}, "");
  EXPECT_EQ(refusal(), file_.string() + ": its board has 8x8 squares, not 9x9");
}

// A file that only ONNX Runtime can read, which a library of the tests plays (tests/unit/nn/fake_onnxruntime): the
// value is a sixteenth of the planes of hands, so that of nobody's hand is 0.
TEST_F(ShogiModelTest, MayBeKnownToOnnxRuntimeOnly) {
  std::ofstream(file_) << "input input1 1 -1 62 9 9\ninput input2 1 -1 57 9 9\noutput output_policy 1 2187\n"
                          "output output_value 1 1\n";
  const auto load_it = [&] {
    return load_shogi_model(file_, {.kind = "onnxruntime", .shared_library = FUHYO_FAKE_ONNXRUNTIME});
  };
  expect("SelfTest_Value=0\nC_init=144\n");
  const auto loaded = load_it();
  ASSERT_TRUE(loaded) << loaded.error();
  EXPECT_TRUE(loaded->description.starts_with("a network of 62+57 inputs and 2187 labels from "))
      << loaded->description;
  EXPECT_TRUE(loaded->description.ends_with(" at 0.000")) << loaded->description;
  EXPECT_EQ(loaded->options, (nn::ModelOptions{{"C_init", "144"}}));
  const auto refused = [&](const std::string& ini) {
    expect(ini);
    return test::error_of(load_it());
  };
  EXPECT_EQ(refused("SelfTest_Value=0.5\n"), file_.string() + ": its value is 0.0000 where 0.5000 is expected, in " +
                                                 std::string(shogi::Position::kStartSfen));
  const std::string rich = "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L 1";
  EXPECT_EQ(refused("SelfTest_Position=" + rich + "\n"),
            file_.string() + ": its value is 1.25, which is no chance, in " + rich);
  EXPECT_EQ(refused("SelfTest_Value=much\n"), file_.string() + ".ini: SelfTest_Value: 'much' is no number from 0 to 1");
}

}  // namespace
}  // namespace fuhyo::mcts
