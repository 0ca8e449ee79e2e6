// `fuhyo-learn loop` with settings for Othello, and `fuhyo-learn othello`, as they are called.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/learn/othello/lessons.h"
#include "engines/nn/random_model.h"
#include "engines/othello/othello_game.h"
#include "tests/support/shell_test.h"

namespace fuhyo::learn {
namespace {

using ::testing::HasSubstr;

class OthelloCommands : public ::fuhyo::test::ShellTest {
 protected:
  void SetUp() override {
    nn::Shape shape = othello::default_shape();
    ASSERT_TRUE(write_network(nn::random_model(shape, 1), "by a test", folder_ / "net.nn"));
    shape.edge = 6;
    ASSERT_TRUE(write_network(nn::random_model(shape, 1), "by a test", folder_ / "other.nn"));
    folder_.write("run.toml",
                  "[othello]\nepochs = 1\ngames = 8\nplayouts = 2\nblocks = 0\n[train]\nbatch = 64\nnorm_batch = 16\n"
                  "[arena]\ngames = 2\nplayouts = 1\ntable = []\n");
  }
  int run(const std::string& arguments) { return shell(fmt::format("'{}' {}", FUHYO_LEARN, arguments)); }
};

TEST_F(OthelloCommands, RunTheLoop) {
  EXPECT_EQ(run("loop run.toml --check"), 0) << said_;
  EXPECT_EQ(said_, "run.toml: 1 epochs of Othello\n");
  EXPECT_EQ(run("loop run.toml"), 0) << said_;
  EXPECT_THAT(said_, HasSubstr("run/epoch-1/policy.nn; the tables: run/tables.md"));
  EXPECT_THAT(folder_.read("run/tables.md"), HasSubstr("| 1 | "));
  folder_.write("bad.toml", "[othello]\nepoch = 1\n");
  EXPECT_EQ(run("loop bad.toml"), 64);
  EXPECT_THAT(said_, HasSubstr("bad.toml:2: there is no key 'epoch' in [othello]"));
}

TEST_F(OthelloCommands, ExportAPlayer) {
  EXPECT_EQ(run("othello export --net net.nn --out player.cpp"), 0) << said_;
  EXPECT_EQ(said_, fmt::format("player.cpp: {} characters\n", folder_.read("player.cpp").size()));
  EXPECT_THAT(folder_.read("player.cpp"), HasSubstr("by a test"));
  ASSERT_EQ(run("othello export --net ../" + folder_.path().filename().string() + "/net.nn --out player.cpp"), 0);
  EXPECT_THAT(folder_.read("player.cpp"), HasSubstr(" from net.nn, "));
  EXPECT_EQ(run("othello export --net other.nn --out other.cpp"), 1);
  EXPECT_THAT(said_, HasSubstr("other.nn: 2 blocks x 16 channels"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other.cpp"));
  // A disk that is full after half a kilobyte.
  const std::string full = fmt::format("trap '' XFSZ; ulimit -f 1; '{}' ", FUHYO_LEARN);
  EXPECT_EQ(shell(full + "othello export --net net.nn --out full.cpp"), 1);
  EXPECT_THAT(said_, HasSubstr("full.cpp: cannot be written: File too large"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "full.cpp") || std::filesystem::exists(folder_ / "full.cpp.new"));
  EXPECT_EQ(run("othello export --net run.toml --out other.cpp"), 1);
  EXPECT_EQ(run("othello export --net missing --out other.cpp"), 64);
}

TEST_F(OthelloCommands, PlayAgainstMovesAtRandom) {
  EXPECT_EQ(run("othello random --net net.nn --playouts 1,3 --games 6"), 0) << said_;
  EXPECT_THAT(said_, HasSubstr("| playouts | won | drawn | lost |"));
  EXPECT_THAT(said_, HasSubstr("\n| 3 | "));
  EXPECT_EQ(run("othello random --net other.nn"), 1);
  EXPECT_EQ(run("othello random --net net.nn --playouts 0"), 64);
  EXPECT_EQ(run("othello"), 64);
}

}  // namespace
}  // namespace fuhyo::learn
