// `fuhyo-learn loop` with settings for Othello, and `fuhyo-learn othello`, as they are called.
#include "engines/learn/othello/sample_source.h"
#include "engines/nn/random_model.h"
#include "engines/othello/othello_game.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

class OthelloCommands : public LearnCommand {
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
};

TEST_F(OthelloCommands, RunTheLoop) {
  expect(0, "loop run.toml --check", testing::Eq("run.toml: 1 epochs of Othello\n"));
  expect(0, "loop run.toml");
  EXPECT_THAT(said_, HasSubstr("run/epoch-1/policy.nn; the tables: run/tables.md"));
  EXPECT_THAT(folder_.read("run/tables.md"), HasSubstr("| 1 | "));
  folder_.write("bad.toml", "[othello]\nepoch = 1\n");
  expect(64, "loop bad.toml", HasSubstr("bad.toml:2: there is no key 'epoch' in [othello]"));
}

TEST_F(OthelloCommands, ExportAPlayer) {
  expect(0, "othello export --net net.nn --out player.cpp");
  EXPECT_EQ(said_, fmt::format("player.cpp: {} characters\n", folder_.read("player.cpp").size()));
  EXPECT_THAT(folder_.read("player.cpp"), HasSubstr("by a test"));
  expect(0, "othello export --net ../" + folder_.path().filename().string() + "/net.nn --out player.cpp");
  EXPECT_THAT(folder_.read("player.cpp"), HasSubstr(" from net.nn, "));
  expect(1, "othello export --net other.nn --out other.cpp", HasSubstr("other.nn: 2 blocks x 16 channels"));
  EXPECT_FALSE(fs::exists(folder_ / "other.cpp"));
  // A disk that is full after half a kilobyte.
  const std::string full = fmt::format("trap '' XFSZ; ulimit -f 1; '{}' ", FUHYO_LEARN);
  EXPECT_EQ(shell(full + "othello export --net net.nn --out full.cpp"), 1);
  EXPECT_THAT(said_, HasSubstr("full.cpp: cannot be written: File too large"));
  EXPECT_FALSE(fs::exists(folder_ / "full.cpp") || fs::exists(folder_ / "full.cpp.new"));
  expect(1, "othello export --net run.toml --out other.cpp");
  expect(64, "othello export --net missing --out other.cpp");
}

TEST_F(OthelloCommands, PlayAgainstMovesAtRandom) {
  expect(0, "othello random --net net.nn --playouts 1,3 --games 6",
         AllOf(HasSubstr("| playouts | won | drawn | lost |"), HasSubstr("\n| 3 | ")));
  expect(1, "othello random --net other.nn");
  expect(64, "othello random --net net.nn --playouts 0");
  expect(64, "othello");
}

}  // namespace
}  // namespace fuhyo::learn
