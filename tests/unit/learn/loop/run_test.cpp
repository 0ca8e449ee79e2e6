// A whole run, small: games, training, test; stopped, gone on with, and the same again.
#include "engines/learn/loop/run.h"

#include "engines/jobs/files/file_lock.h"
#include "engines/learn/train/export.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

constexpr std::string_view kLoopRun = R"(
seed = 3
[self_play]
nodes = 20
hash_mb = 1
draw_at_ply = 60
[train]
epochs = 2
batch = 64
width = 64
[gate]
openings = "openings.sfen"
nodes = 20
games = 4
match_games = 2
match_nodes = 30
[[generation]]
games = 30
lambda = 0.3
[[generation]]
games = 20
)";

class Loop : public FolderTest {
 protected:
  Loop() { folder_.write("openings.sfen", "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n"); }

  LoopOptions asked_{.config = must(parse_loop_config(kLoopRun, folder_ / "run.toml")),
                     .name = "run",
                     .folder = folder_ / "run",
                     .program = FUHYO_LEARN,
                     .engine = FUHYO_NNUE,
                     .processes = 2};
};

TEST_F(Loop, SaysBeforeTheFirstGameThatANetworkDoesNotFit) {
  EXPECT_TRUE(check(asked_.config));
  asked_.config.network = folder_.write("first.nn.bin", network_file(*Model::make({.width = 64}, 1))).string();
  asked_.config.generations[1].from_best = true;
  EXPECT_TRUE(check(asked_.config));
  asked_.config.generations[1].train.shape.width = 128;
  EXPECT_THAT(check(asked_.config).error(), HasSubstr("first.nn.bin: 'from_best': "));
  EXPECT_THAT(run_loop(asked_, {}).error(), HasSubstr("first.nn.bin: 'from_best': "));
  EXPECT_FALSE(fs::exists(folder_ / "run/generation-0"));
  asked_.config.network = folder_.write("text.nn.bin", "no network").string();
  EXPECT_THAT(check(asked_.config).error(), HasSubstr("text.nn.bin"));
}

TEST_F(Loop, MakesANetworkAGenerationAndAPage) {
  const auto result = must(run_loop(asked_, {}));
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.report.generations.size(), 2u);
  for (const GenerationReport& generation : result.report.generations) {
    EXPECT_EQ(generation.games, generation.number == 0 ? 30u : 20u);
    EXPECT_GT(generation.positions, 500u);
    EXPECT_GT(generation.steps, 0u);
    EXPECT_GT(generation.loss, 0.1);
    EXPECT_FALSE(generation.training.empty());
    EXPECT_FALSE(generation.validation.empty());
    EXPECT_EQ(generation.test_games, 4);
    EXPECT_THAT(generation.verdict, testing::AnyOf("H0", "H1", "undecided"));
  }
  // The second one learns from the games of both.
  EXPECT_GT(result.report.generations[1].samples, result.report.generations[0].samples);
  EXPECT_THAT(folder_.read("run/index.html"), HasSubstr("<td>1</td><td>20</td>"));
  EXPECT_FALSE(folder_.read("run/generation-1/train/net.nn.bin").empty());

  // Nothing is done again.
  std::vector<std::string> said;
  asked_.say = into(said);
  const auto again = must(run_loop(asked_, {}));
  EXPECT_TRUE(again.complete);
  for (const std::string& line : said) EXPECT_THAT(line, HasSubstr("accepted"));
  EXPECT_EQ(again.best, result.best);
}

// ... and comes to the same network as a run that was not.
TEST_F(Loop, GoesOnWhereItWasStopped) {
  asked_.config.generations.resize(1);
  EXPECT_GT(run_in_pieces(asked_, run_loop), 2);
  asked_.folder = folder_ / "whole";
  must(run_loop(asked_, {}));
  EXPECT_EQ(folder_.read("run/generation-0/train/net.nn.bin"), folder_.read("whole/generation-0/train/net.nn.bin"));
}

// A run that begins with a network that is there, which its own one goes on from.
TEST_F(Loop, RefusesToGoOnWithOtherOptions) {
  asked_.config.generations.resize(1);
  const std::string mine = network_file(*Model::make({.width = 64}, 5));
  asked_.config.network = folder_.write("mine.nn.bin", mine).string();
  asked_.config.fv_scale = 24;
  asked_.config.generations[0].from_best = true;
  const auto result = must(run_loop(asked_, {}));
  EXPECT_EQ(folder_.read("run/first.nn.bin"), mine);
  if (!result.report.generations[0].accepted) {
    EXPECT_EQ(result.best, folder_ / "run/first.nn.bin");
    EXPECT_EQ(result.fv_scale, 24);
  }
  // The copy is what counts.
  fs::remove(folder_ / "mine.nn.bin");
  EXPECT_TRUE(run_loop(asked_, {}));
  asked_.config.generations[0].train.lambda = 0.5;
  EXPECT_THAT(run_loop(asked_, {}).error(), AllOf(HasSubstr("train.json"), HasSubstr("other terms")));
}

TEST_F(Loop, IsRunOnceAtATime) {
  fs::create_directories(asked_.folder);
  const auto other = jobs::FileLock::take(asked_.folder / "run.lock");
  ASSERT_TRUE(other);
  EXPECT_THAT(run_loop(asked_, {}).error(), AllOf(HasSubstr("run.lock"), HasSubstr("another process")));
}

TEST_F(Loop, SaysWhatIsNotThere) {
  asked_.config.openings = folder_ / "missing.sfen";
  EXPECT_THAT(run_loop(asked_, {}).error(), HasSubstr("missing.sfen"));
}

}  // namespace
}  // namespace fuhyo::learn
