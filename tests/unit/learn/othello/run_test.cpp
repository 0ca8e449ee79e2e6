// The whole loop for Othello, small: settings, epochs, tables; stopped, gone on with, and the same again.
#include "engines/learn/othello/run.h"

#include "engines/learn/loop/settings_table.h"
#include "engines/learn/othello/records.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

constexpr std::string_view kSmallOthelloLoop = R"(
seed = 5
threads = 1
[othello]
epochs = 2
games = 12
part = 4
playouts = 4
at_once = 3
blocks = 1
value_planes = 2
value_hidden = 4
[train]
window = 2
batch = 64
norm_batch = 16
rate = [1e-2, 1e-3]
warm_up = 2
[arena]
games = 4
playouts = 2
table = [1, 3]
)";

std::string othello_fault(std::string_view text) { return error_of(parse_othello_config(text, "run.toml")); }

TEST(OthelloConfig, ReadsWhatIsThere) {
  const auto config = must(parse_othello_config(kSmallOthelloLoop, "run.toml"));
  EXPECT_EQ(config.seed, 5U);
  EXPECT_EQ(config.epochs, 2);
  EXPECT_EQ(config.part, 4U);
  EXPECT_EQ(config.play.search.playouts, 4);
  EXPECT_EQ(config.train.shape.value_hidden, 4U);
  EXPECT_EQ(config.train.rate.first, 1e-2);
  EXPECT_EQ(config.arena_table, (std::vector{1, 3}));
  EXPECT_TRUE(has_table(kSmallOthelloLoop, "othello"));
  EXPECT_FALSE(has_table("seed = 1\n[self_play]\n", "othello"));
  EXPECT_FALSE(has_table("[othello", "othello"));
  const auto usual = must(parse_othello_config("[othello]\n", "run.toml"));
  EXPECT_EQ(usual.games, 10'000U);
  EXPECT_EQ(usual.play.search.playouts, 64);
}

TEST(OthelloConfig, SaysWhatIsWrong) {
  EXPECT_EQ(othello_fault("[othello]\ngame = 3\n"), "run.toml:2: there is no key 'game' in [othello]");
  EXPECT_EQ(othello_fault("[othello]\ngames = 0\n"),
            "run.toml:2: 'games' in [othello]: a whole number from 1 to 100000000 is expected");
  EXPECT_EQ(othello_fault("[arena]\ntable = [1, 0]\n"),
            "run.toml:2: 'table' in [arena]: a list of whole numbers from 1 to 1000000 is expected");
  EXPECT_EQ(othello_fault("[train]\nbatch = 100\n"),
            "run.toml: 'batch' in [train] is to be a multiple of 'norm_batch'");
  EXPECT_EQ(othello_fault("[self_play]\n"), "run.toml:1: there is no key 'self_play'");
  EXPECT_THAT(othello_fault("[othello\n"), HasSubstr("run.toml:1: "));
}

class OthelloLoop : public FolderTest {
 protected:
  OthelloLoopOptions small_loop(std::string_view run) {
    return {.config = must(parse_othello_config(kSmallOthelloLoop, "run.toml")), .folder = folder_ / run, .threads = 1};
  }
};

TEST_F(OthelloLoop, LearnsEpochByEpochAndDoesNothingTwice) {
  OthelloLoopOptions options = small_loop("run");
  const auto result = must(run_othello_loop(options, {}));
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.by_epoch.size(), 3U);
  for (const OthelloScore& score : result.by_epoch) EXPECT_EQ(score.games(), 4U);
  ASSERT_EQ(result.by_playouts.size(), 2U);
  EXPECT_EQ(result.by_playouts[1].first, 3);
  EXPECT_THAT(folder_.read("run/tables.md"), HasSubstr("| epoch, 2 playouts | won | drawn | lost |"));
  EXPECT_THAT(folder_.read("run/tables.md"), HasSubstr("| playouts, epoch 2 | won | drawn | lost |"));
  EXPECT_NE(folder_.read("run/epoch-2/policy.nn"), folder_.read("run/epoch-1/policy.nn"));
  EXPECT_NE(folder_.read("run/epoch-1/policy.nn"), folder_.read("run/epoch-0/policy.nn"));
  EXPECT_TRUE(load_othello_network(result.network));

  std::vector<std::string> said;
  options.say = into(said);
  const auto again = must(run_othello_loop(options, {}));
  EXPECT_EQ(again.by_epoch, result.by_epoch);
  EXPECT_EQ(again.by_playouts, result.by_playouts);
  EXPECT_EQ(said.size(), 3U);
  for (const std::string& line : said) EXPECT_THAT(line, HasSubstr("against moves at random"));

  options.config.play.search.playouts = 5;
  EXPECT_THAT(error_of(run_othello_loop(options, {})), HasSubstr("games-0.othello: made by other terms (4 playouts"));
}

// Stopped in the middle of its games, with one of the files cut off, it comes to what it would have come to.
TEST_F(OthelloLoop, TakesNoInterruptedFileAsComplete) {
  ASSERT_TRUE(run_othello_loop(small_loop("whole"), {}));
  OthelloLoopOptions options = small_loop("parts");
  std::stop_source stop;
  int parts = 0;
  options.say = [&](std::string_view line) {
    if (line.find(" games, ") != std::string_view::npos && ++parts == 2) stop.request_stop();
  };
  const auto stopped = must(run_othello_loop(options, stop.get_token()));
  EXPECT_FALSE(stopped.complete);
  const std::string file = "parts/epoch-1/games-1.othello";
  ASSERT_TRUE(read_othello(folder_ / file));
  ASSERT_FALSE(fs::exists(folder_ / "parts/epoch-1/games-2.othello"));
  folder_.write(file, folder_.read(file).substr(0, 100));
  std::string said;
  options.say = [&](std::string_view line) { said += line; };
  const auto rest = must(run_othello_loop(options, {}));
  EXPECT_TRUE(rest.complete);
  EXPECT_THAT(said, HasSubstr("it is played again"));
  for (const char* name : {"epoch-1/games-1.othello", "epoch-2/games-2.othello", "epoch-2/policy.nn", "tables.md"}) {
    EXPECT_EQ(folder_.read(std::string("parts/") + name), folder_.read(std::string("whole/") + name)) << name;
  }
}

}  // namespace
}  // namespace fuhyo::learn
