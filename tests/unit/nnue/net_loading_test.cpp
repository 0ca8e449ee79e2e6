// Options that choose a network, what "eval" prints, and the network that is built in.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "engines/nnue/engine.h"
#include "engines/nnue/net/built_in.h"
#include "engines/nnue/net/choice.h"
#include "engines/nnue/net/loading.h"
#include "engines/nnue/net/untrained.h"
#include "engines/shogi/movegen.h"
#include "engines/usi/game.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/usi/conversation.h"

namespace fuhyo::nnue {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LoadingTest : public ::testing::Test {
 protected:
  LoadingTest() { LoadedNetwork::add_options(options_); }

  void set(const char* name, const std::string& value) { ASSERT_TRUE(options_.set(name, value)); }
  std::string write(const std::string& name, const std::string& bytes) { return folder_.write(name, bytes).string(); }
  static shogi::Position position(const char* text) { return usi::parse_position(text)->current(); }

  usi::OptionTable options_;
  LoadedNetwork loaded_;
  const test::TemporaryFolder folder_;
};

TEST_F(LoadingTest, WithoutAFileItIsTheOneThatIsBuiltIn) {
  ASSERT_TRUE(loaded_.update(options_));
  EXPECT_THAT(loaded_.description(), HasSubstr("network K+P 256x2-32-32 from the program, "));
  EXPECT_THAT(loaded_.eval_lines(shogi::Position()).back(), HasSubstr("K+P 256x2-32-32 file built-in"));
  EXPECT_TRUE(built_in_network() == test::read_file(FUHYO_SOURCE_DIR "/engines/nnue/nets/kp256.nn.bin"));
}

// Learnt, and right about what anybody sees.
TEST_F(LoadingTest, TheOneThatIsBuiltInKnowsWhatPiecesAreWorth) {
  ASSERT_TRUE(loaded_.update(options_));
  const auto value = [&](const char* sfen) { return loaded_.value(*shogi::Position::from_sfen(sfen)); };
  EXPECT_LT(std::abs(value("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")), 150);
  EXPECT_GT(value("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"), 400) << "a rook more";
  EXPECT_LT(value("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL b - 1"), -300) << "a bishop less";
  EXPECT_GT(value("lnsgkg1nl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b S 1"), 400) << "a silver taken";
}

TEST_F(LoadingTest, FindsTheStandardFileOfAFolder) {
  const std::string file = write("nn.bin", untrained_network());
  set("EvalDir", folder_.path().string());
  ASSERT_TRUE(loaded_.update(options_));
  EXPECT_THAT(loaded_.eval_lines(shogi::Position()).back(), HasSubstr("file " + file));
}

TEST_F(LoadingTest, AConfiguredFileThatIsNotThereIsAnError) {
  set("EvalDir", folder_.path().string());
  const auto result = loaded_.update(options_);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), "the network cannot be used: " + folder_.file("nn.bin") + ": No such file or directory");
}

TEST_F(LoadingTest, EvalFileWinsOverEvalDir) {
  set("EvalDir", "nowhere");
  set("EvalFile", write("other.bin", untrained_network()));
  EXPECT_TRUE(loaded_.update(options_));
  set("EvalFile", "");
  EXPECT_FALSE(loaded_.update(options_));
}

TEST_F(LoadingTest, AFileIsReadAgainWhenItChanged) {
  const std::string name = write("nn.bin", untrained_network());
  set("EvalFile", name);
  ASSERT_TRUE(loaded_.update(options_));
  const auto* before = loaded_.network().get();
  ASSERT_TRUE(loaded_.update(options_));
  EXPECT_EQ(loaded_.network().get(), before);
  write("nn.bin", "something else");
  EXPECT_FALSE(loaded_.update(options_));
  write("nn.bin", untrained_network());
  EXPECT_TRUE(loaded_.update(options_));
}

TEST_F(LoadingTest, SimdPathIsRefusedWhereItCannotRun) {
#if defined(__aarch64__)
  const char* const other = "avx2";
#else
  const char* const other = "neon";
#endif
  set("SimdPath", other);
  const auto result = loaded_.update(options_);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error(), HasSubstr(std::string("cannot run '") + other + "'; it can run auto, "));
  for (const Kernels* kernels : kernels_here()) {
    set("SimdPath", kernels->name);
    ASSERT_TRUE(loaded_.update(options_));
    EXPECT_EQ(loaded_.kernels().name, std::string(kernels->name));
  }
}

TEST(EvalCommand, SaysOnGoTooWhatIsWrong) {
  Engine engine;
  const std::string out =
      test::converse(engine, "setoption name EvalFile value no-such-file\nisready\ngo depth 1\nquit\n");
  const std::string error = "info string Error! the network cannot be used: no-such-file: No such file or directory\n";
  EXPECT_EQ(out, error + error + "bestmove resign\n");
}

// Truncated toward zero: -1340 / 24 is -55.8, and -55 * 100 / 90 is -61.1.
TEST(EvalCommand, TruncatesTowardZero) {
  EXPECT_EQ(to_value(-1340, 24), -55);
  EXPECT_EQ(to_value(-14'650, 24), -610);
  EXPECT_EQ(to_centipawns(-55), -61);
  EXPECT_EQ(to_centipawns(-610), -677);
  EXPECT_EQ(to_value(636, 16), 39);
  EXPECT_EQ(to_centipawns(39), 43);
}

TEST(EvalCommand, PrintsTheKnownNetwork) {
  const auto file = fs::path(FUHYO_SOURCE_DIR) / "../shared/data/nets/suishopetite-kp256.nn.bin";
  if (!fs::exists(file)) GTEST_SKIP() << file << " is not there";
  Engine engine;
  const std::string options = "setoption name EvalFile value " + file.string() + "\nsetoption name FV_SCALE value 24\n";
  EXPECT_EQ(test::converse(engine, options + "position startpos moves 7g7f 3c3d 2g2f\neval\nquit\n"),
            "eval = -55\ninfo string raw -1340 fv_scale 24 value -55 cp -61 winrate 0.4771 features "
            "K+P 256x2-32-32 file " +
                file.string() + "\n");
}

// ---- the untrained network ----

int worth(const shogi::Position& position, shogi::Color side) {
  int sum = 0;
  for (int index = 0; index < shogi::SQUARE_NB; ++index) {
    const auto square = static_cast<shogi::Square>(index);
    const shogi::Piece piece = position.piece_on(square);
    if (piece == shogi::NO_PIECE || shogi::color_of(piece) != side) continue;
    const shogi::PieceType type = shogi::type_of(piece);
    const bool like_gold = type >= shogi::PRO_PAWN && type <= shogi::PRO_SILVER;
    const auto seen = side == shogi::BLACK ? square : static_cast<shogi::Square>(80 - square);
    sum += untrained_worth(like_gold ? shogi::GOLD : type, seen);
  }
  for (int type = shogi::PAWN; type <= shogi::GOLD; ++type) {
    const auto kind = static_cast<shogi::PieceType>(type);
    sum += position.hand(side).count(kind) * untrained_worth_in_hand(kind);
  }
  return sum;
}

TEST_F(LoadingTest, UntrainedValueFollowsTheWorthOfPieces) {
  set("EvalFile", write("untrained.bin", untrained_network()));
  ASSERT_TRUE(loaded_.update(options_));
  std::mt19937 random(1);
  shogi::Position position;
  int exact = 0, inexact = 0, beyond = 0;
  for (int i = 0; i < 4'000; ++i) {
    const auto moves = shogi::legal_moves(position);
    if (moves.empty() || i % 300 == 0) {
      position = *shogi::Position::from_sfen(i % 600 == 0 ? shogi::Position::kStartSfen
                                                          : "4k4/9/9/9/4P4/9/9/9/4K4 b 2R2B4G4S4N4L8P9p 1");
      continue;
    }
    position.do_move(moves[random() % moves.size()]);
    const shogi::Color us = position.side_to_move();
    const int difference = worth(position, us) - worth(position, ~us), value = loaded_.value(position);
    if (std::abs(difference) <= kUntrainedExact) {
      ++exact;
      ASSERT_EQ(value, difference) << position.sfen();
    } else if (std::abs(difference) < kUntrainedMost) {
      ++inexact;
      ASSERT_NEAR(value, difference, 4) << position.sfen();
    } else {
      ++beyond;
      ASSERT_EQ(value, difference > 0 ? kUntrainedMost : -kUntrainedMost);
    }
  }
  EXPECT_GT(exact, 100);
  EXPECT_GT(inexact, 100);
  EXPECT_GT(beyond, 100);
}

TEST(Untrained, IsAFileAsOthersWriteThem) { EXPECT_EQ(untrained_network().size(), 893'917u); }

}  // namespace
}  // namespace fuhyo::nnue
