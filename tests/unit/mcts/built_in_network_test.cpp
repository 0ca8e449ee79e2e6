// The network that fuhyo-mcts carries: when it is taken, and what the one of this build is.
#include <array>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "engines/mcts/engine/built_in.h"
#include "engines/mcts/engine/engine.h"
#include "engines/mcts/engine/network.h"
#include "engines/mcts/shogi/labels.h"
#include "engines/nn/container.h"
#include "engines/nn/random_model.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/game.h"
#include "engines/usi/loop.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::mcts {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// ---- which network is taken, with a small one as if it were built in ----

class CarriedNetwork : public ::testing::Test {
 protected:
  CarriedNetwork() { LoadedNetwork::add_options(options_); }
  void set(const char* name, const std::string& value) { ASSERT_TRUE(options_.set(name, value)) << name; }
  // A network that likes one move more than all others.
  static std::string container(std::string_view move) {
    nn::Model model = nn::Model::zeros({.channels = 2, .blocks = 1});
    model.policy_bias[label_of(*shogi::parse_usi_move(move), shogi::BLACK)] = 5;
    std::ostringstream out;
    nn::write_container(model, "", out);
    return out.str();
  }
  void carry(std::string_view ini) { loaded_ = LoadedNetwork(nn::ModelSource::of_program("own.nn", bytes_, ini)); }
  void update() {
    const auto updated = loaded_.update(options_);
    ASSERT_TRUE(updated) << updated.error();
  }
  std::string refusal() { return test::error_of(loaded_.update(options_)); }

  const std::string bytes_ = container("2g2f");
  const test::TemporaryFolder folder_;
  usi::OptionTable options_;
  LoadedNetwork loaded_{nn::ModelSource::of_program("own.nn", bytes_, "")};
};

TEST_F(CarriedNetwork, IsTakenWhereNobodyNamesAFile) {
  update();
  ASSERT_EQ(loaded_.description().size(), 1U);
  EXPECT_THAT(loaded_.description()[0], HasSubstr(" from own.nn of the program, Fuhyo, "));
  EXPECT_THAT(loaded_.description()[0], HasSubstr(" plays 2g2f at 0.500"));
  const nn::Backend* const before = &loaded_.backend();
  update();
  EXPECT_EQ(&loaded_.backend(), before) << "it is loaded once";
  set("DNN_Model", "<empty>");
  set("EvalDir", "/nowhere");
  update();
  EXPECT_THAT(loaded_.description()[0], HasSubstr("own.nn of the program"));
}

TEST_F(CarriedNetwork, GivesWayToAFile) {
  std::ofstream(folder_.path() / "model.onnx", std::ios::binary) << container("7g7f");
  set("EvalDir", folder_.path().string());
  update();
  EXPECT_THAT(loaded_.description()[0], HasSubstr("model.onnx"));
  EXPECT_THAT(loaded_.description()[0], HasSubstr(" plays 7g7f "));
  set("DNN_Model", "");
  update();
  EXPECT_THAT(loaded_.description()[0], HasSubstr(" plays 2g2f "));
  set("DNN_Model", (folder_.path() / "model.onnx").string());
  update();
  EXPECT_THAT(loaded_.description()[0], HasSubstr(" plays 7g7f "));
}

TEST_F(CarriedNetwork, DoesNotStandInForAFileThatIsMissing) {
  const std::string advice = ": set EvalDir and DNN_Model to a policy and value network (ONNX of dlshogi's kind)";
  set("EvalDir", "/nowhere");
  EXPECT_EQ(refusal(), "there is no network '/nowhere/model.onnx'" + advice);
  set("EvalDir", "eval");
  set("DNN_Model", "other.onnx");
  EXPECT_EQ(refusal(), "there is no network 'eval/other.onnx'" + advice);
}

TEST_F(CarriedNetwork, BringsItsOptions) {
  carry("SelfTest_Move=2g2f\nSelfTest_Value=0.5\nSoftmax_Temperature=120\nDNN_Device=3\n");
  update();
  EXPECT_THAT(loaded_.description(), Contains("own.nn.ini of the program: DNN_Device=3"));
  set("DNN_Device", "2");
  usi::OptionTable all = options_;
  all.add_spin("Softmax_Temperature", 174, 1, 500, {});
  const auto effective = loaded_.effective(all);
  ASSERT_TRUE(effective) << effective.error();
  EXPECT_EQ(effective->spin("Softmax_Temperature"), 120);
  EXPECT_EQ(effective->spin("DNN_Device"), 2) << "somebody has said so";
  carry("DNN_Device=many\n");
  update();
  usi::OptionTable untouched;
  LoadedNetwork::add_options(untouched);
  const auto wrong = loaded_.effective(untouched);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error(), StartsWith("own.nn.ini of the program: "));
}

TEST_F(CarriedNetwork, MustThinkWhatItsMakerSaw) {
  carry("SelfTest_Move=7g7f\n");
  EXPECT_EQ(refusal(),
            "the network cannot be used: own.nn of the program: its best move is 2g2f where 7g7f is expected, "
            "in " +
                std::string(shogi::Position::kStartSfen));
  carry("rubbish\n");
  EXPECT_EQ(refusal(), "the network cannot be used: own.nn.ini of the program: line 1 is no NAME=VALUE: 'rubbish'");
  carry("SelfTest_Value=much\n");
  EXPECT_EQ(refusal(),
            "the network cannot be used: own.nn.ini of the program: SelfTest_Value: 'much' is no number from "
            "0 to 1");
}

TEST_F(CarriedNetwork, IsNoneThatOnnxRuntimeReads) {
  set("DNN_Backend", "onnxruntime");
  set("DNN_Library", FUHYO_FAKE_ONNXRUNTIME);
  EXPECT_EQ(refusal(),
            "the network cannot be used: own.nn of the program: ONNX Runtime reads files of ONNX, and this is "
            "none");
}

// ---- the one of this build ----

const fs::path kFile = fs::path(FUHYO_SOURCE_DIR) / "engines/mcts/nets/p5x64.nn";

TEST(BuiltInPolicyNetwork, IsTheFile) {
  const auto source = built_in_network();
  EXPECT_TRUE(source.bytes() == test::read_file(kFile));
  EXPECT_EQ(source.ini(), test::read_file(kFile.string() + ".ini"));
  EXPECT_LT(source.bytes().size(), std::size_t{1} << 20);
  EXPECT_EQ(source.name(), "p5x64.nn of the program");
}

// load_shogi_model() holds it to SelfTest_Move and SelfTest_Value of its ini.
TEST(BuiltInPolicyNetwork, ThinksAsItsIniSays) {
  const auto options = nn::read_options(built_in_network());
  ASSERT_TRUE(options) << options.error();
  ASSERT_TRUE(options->contains("SelfTest_Move") && options->contains("SelfTest_Value"));
  EXPECT_EQ(options->at("SelfTest_Position"), shogi::Position::kStartSfen);
  EXPECT_THAT((std::array{"7g7f", "2g2f", "5g5f", "3g3f", "1g1f", "9g9f", "7i6h", "7i7h", "3i4h", "3i3h", "6i7h",
                          "4i3h", "4i5h", "5i6h", "2h7h", "2h6h", "2h5h"}),
              Contains(options->at("SelfTest_Move")))
      << "what strong players open with";
  const double value = std::stod(options->at("SelfTest_Value"));
  EXPECT_TRUE(value > 0.35 && value < 0.65) << value;
  const auto loaded = load_shogi_model(built_in_network());
  ASSERT_TRUE(loaded) << loaded.error();
  EXPECT_THAT(loaded->description, HasSubstr(" from p5x64.nn of the program, Fuhyo ("));
  EXPECT_THAT(loaded->description, HasSubstr("plays " + options->at("SelfTest_Move") + " at "));
}

TEST(BuiltInPolicyNetwork, PlaysWithoutAnyOption) {
  Engine engine;
  std::istringstream in(
      "usi\nThreads 1\nUSI_Hash 8\nisready\nposition startpos moves 7g7f 3c3d\ngo nodes 100\nwait\nquit\n");
  std::ostringstream out;
  usi::run_loop(engine, in, out);
  EXPECT_THAT(out.str(), HasSubstr("option name DNN_Model type filename default model.onnx"));
  EXPECT_THAT(out.str(), HasSubstr(" from p5x64.nn of the program, "));
  EXPECT_THAT(out.str(), HasSubstr("readyok\n"));
  const auto at = out.str().find("bestmove ");
  ASSERT_NE(at, std::string::npos) << out.str();
  const auto best = usi::parse_bestmove(out.str().substr(at + 9));
  ASSERT_TRUE(best) << out.str();
  EXPECT_EQ(best->kind, usi::BestMove::Kind::move);
  EXPECT_TRUE(usi::parse_position("startpos moves 7g7f 3c3d")->current().is_legal(best->move)) << out.str();
}

}  // namespace
}  // namespace fuhyo::mcts
