// `fuhyo-learn train` as it is called.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/learn/data/game_file.h"
#include "games.h"
#include "tests/support/shell_test.h"

namespace fuhyo::learn {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TrainCommand : public ::fuhyo::test::ShellTest {
 protected:
  void SetUp() override {
    auto writer = GameWriter::create(folder_.path() / "a.games", "by a test");
    for (const record::ScoredGame& game : test::play_games(1, 120)) ASSERT_TRUE(writer->append(game));
    ASSERT_TRUE(writer->flush());
  }
  int run(const std::string& arguments, const std::string& before = "") {
    return shell(fmt::format("{} '{}' train {}", before, FUHYO_LEARN, arguments));
  }
};

constexpr const char* kSmall = " --width 64 --batch 128 --epochs 2 --held-back 8";

TEST_F(TrainCommand, TrainsAndSaysHowItWent) {
  EXPECT_EQ(run("a.games -o out --optimiser amsbound --lambda 0.3 -j 2" + std::string(kSmall)), 0) << said_;
  EXPECT_THAT(said_, AllOf(HasSubstr("120 games in"), HasSubstr("epoch 2 of 2"), HasSubstr("out/net.nn.bin: ")));
  EXPECT_EQ(folder_.read("out/net.nn.bin").substr(0, 4), "\x16\x2f\xf3\x7a");
  EXPECT_THAT(folder_.read("out/log.jsonl"), HasSubstr(R"({"kind":"validation","step":)"));
}

TEST_F(TrainCommand, GoesOnAfterASignal) {
  const std::string terms = " --width 128 --batch 128 --epochs 8 --held-back 8";
  ASSERT_EQ(run("a.games -o whole" + terms), 0) << said_;
  // At its first line; if this process did not come to it before the other one was done, that is no fault.
  folder_.write("interrupt",
                "\"$@\" >lines & while kill -0 $! && ! [ -s lines ]; do sleep 0.02; done; kill $!; wait $!");
  EXPECT_THAT(run("a.games -o parts" + terms, "sh interrupt"), testing::AnyOf(0, 130)) << said_;
  ASSERT_EQ(run("a.games -o parts" + terms), 0) << said_;
  EXPECT_EQ(folder_.read("parts/net.nn.bin"), folder_.read("whole/net.nn.bin"));
  EXPECT_FALSE(folder_.read("whole/net.nn.bin").empty());
}

TEST_F(TrainCommand, SaysWhatIsWrong) {
  EXPECT_EQ(run("none.games -o out"), 64);
  EXPECT_THAT(said_, HasSubstr("none.games"));
  EXPECT_EQ(run("a.games=2 -o out"), 64);
  EXPECT_THAT(said_, HasSubstr("a.games=2: a weight is from 0 to 1"));
  EXPECT_EQ(run("a.games -o out --optimiser sgd"), 64);
  EXPECT_THAT(said_, HasSubstr("--optimiser: no optimiser is called 'sgd'"));
  EXPECT_EQ(run("a.games"), 64);
  EXPECT_EQ(run("a.games -o out --lambda 2"), 64);
  EXPECT_EQ(run("a.games -o out --batch 1000000"), 1);
  EXPECT_THAT(said_, HasSubstr("less than a batch of 1000000"));
  EXPECT_EQ(run("a.games -o out --features FFT"), 1);
  EXPECT_THAT(said_, HasSubstr("features 'FFT' cannot be trained"));
  EXPECT_EQ(run("a.games -o out --choices 8"), 64);
  EXPECT_THAT(said_, HasSubstr("--choices requires --strong-moves"));
  folder_.write("lines.sfen", test::lines_of_pawn_movers(1, 60));
  EXPECT_EQ(run("a.games -o out --strong-moves lines.sfen --choices 12 --batch 384"), 1);
  EXPECT_THAT(said_, HasSubstr("12 moves to a comparison: a power of two from 2 to 256 is expected"));
  EXPECT_EQ(run("said -o out"), 1);
  EXPECT_EQ(run("a.games -o said/out"), 1);
}

}  // namespace
}  // namespace fuhyo::learn
