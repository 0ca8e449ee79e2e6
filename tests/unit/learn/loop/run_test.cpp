// A whole run, small: games, training, test; stopped, gone on with, and the same again.
#include "engines/learn/loop/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/jobs/files/file_lock.h"
#include "engines/learn/train/export.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::learn {
namespace {

using testing::HasSubstr;

LoopTerms terms(const test::TemporaryFolder& folder, std::string_view run) {
  const auto config = parse_loop_config(R"(
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
)",
                                        folder / "run.toml");
  EXPECT_TRUE(config) << config.error();
  folder.write("openings.sfen", "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n");
  return {.config = config.value_or(LoopConfig{}),
          .name = "run",
          .folder = folder / run,
          .program = FUHYO_LEARN,
          .engine = FUHYO_NNUE,
          .processes = 2};
}

TEST(Loop, SaysBeforeTheFirstGameThatANetworkDoesNotFit) {
  const test::TemporaryFolder folder;
  LoopTerms asked = terms(folder, "run");
  EXPECT_TRUE(check(asked.config));
  const auto model = Model::make({.width = 64}, 1);
  ASSERT_TRUE(model) << model.error();
  asked.config.network = folder.write("first.nn.bin", network_file(*model)).string();
  asked.config.generations[1].from_best = true;
  EXPECT_TRUE(check(asked.config));
  asked.config.generations[1].train.shape.width = 128;
  EXPECT_THAT(check(asked.config).error(), HasSubstr("first.nn.bin: 'from_best': "));
  EXPECT_THAT(run_loop(asked, {}).error(), HasSubstr("first.nn.bin: 'from_best': "));
  EXPECT_FALSE(std::filesystem::exists(folder / "run/generation-0"));
  asked.config.network = folder.write("text.nn.bin", "no network").string();
  EXPECT_THAT(check(asked.config).error(), HasSubstr("text.nn.bin"));
}

TEST(Loop, MakesANetworkAGenerationAndAPage) {
  const test::TemporaryFolder folder;
  LoopTerms asked = terms(folder, "run");
  const auto outcome = run_loop(asked, {});
  ASSERT_TRUE(outcome) << outcome.error();
  EXPECT_TRUE(outcome->complete);
  ASSERT_EQ(outcome->report.generations.size(), 2u);
  for (const GenerationReport& generation : outcome->report.generations) {
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
  EXPECT_GT(outcome->report.generations[1].samples, outcome->report.generations[0].samples);
  EXPECT_THAT(folder.read("run/index.html"), HasSubstr("<td>1</td><td>20</td>"));
  EXPECT_FALSE(folder.read("run/generation-1/train/net.nn.bin").empty());

  // Nothing is done again.
  std::vector<std::string> said;
  asked.say = [&](std::string_view line) { said.emplace_back(line); };
  const auto again = run_loop(asked, {});
  ASSERT_TRUE(again) << again.error();
  EXPECT_TRUE(again->complete);
  for (const std::string& line : said) EXPECT_THAT(line, HasSubstr("accepted"));
  EXPECT_EQ(again->best, outcome->best);
}

// ... and comes to the same network as a run that was not.
TEST(Loop, GoesOnWhereItWasStopped) {
  const test::TemporaryFolder folder;
  LoopTerms asked = terms(folder, "run");
  asked.config.generations.resize(1);
  int stops = 0;
  for (bool complete = false; !complete; ++stops) {
    ASSERT_LT(stops, 100);
    std::stop_source stop;
    // Each time a little later, so that it comes to an end.
    int lines = 0;
    asked.say = [&](std::string_view) {
      if (++lines > 1 + stops) stop.request_stop();
    };
    const auto outcome = run_loop(asked, stop.get_token());
    ASSERT_TRUE(outcome) << outcome.error();
    complete = outcome->complete;
  }
  EXPECT_GT(stops, 2);
  asked.say = {};
  asked.folder = folder / "whole";
  const auto whole = run_loop(asked, {});
  ASSERT_TRUE(whole) << whole.error();
  EXPECT_EQ(folder.read("run/generation-0/train/net.nn.bin"), folder.read("whole/generation-0/train/net.nn.bin"));
}

// A run that begins with a network that is there, which its own one goes on from.
TEST(Loop, RefusesToGoOnByOtherTerms) {
  const test::TemporaryFolder folder;
  LoopTerms asked = terms(folder, "run");
  asked.config.generations.resize(1);
  const std::string mine = network_file(*Model::make({.width = 64}, 5));
  asked.config.network = folder.write("mine.nn.bin", mine).string();
  asked.config.fv_scale = 24;
  asked.config.generations[0].from_best = true;
  const auto outcome = run_loop(asked, {});
  ASSERT_TRUE(outcome) << outcome.error();
  EXPECT_EQ(folder.read("run/first.nn.bin"), mine);
  if (!outcome->report.generations[0].accepted) {
    EXPECT_EQ(outcome->best, folder / "run/first.nn.bin");
    EXPECT_EQ(outcome->fv_scale, 24);
  }
  // The copy is what counts.
  std::filesystem::remove(folder / "mine.nn.bin");
  EXPECT_TRUE(run_loop(asked, {}));
  asked.config.generations[0].train.lambda = 0.5;
  EXPECT_THAT(run_loop(asked, {}).error(), testing::AllOf(HasSubstr("train.json"), HasSubstr("other terms")));
}

TEST(Loop, IsRunOnceAtATime) {
  const test::TemporaryFolder folder;
  const LoopTerms asked = terms(folder, "run");
  std::filesystem::create_directories(asked.folder);
  const auto other = jobs::FileLock::take(asked.folder / "run.lock");
  ASSERT_TRUE(other);
  EXPECT_THAT(run_loop(asked, {}).error(), testing::AllOf(HasSubstr("run.lock"), HasSubstr("another process")));
}

TEST(Loop, SaysWhatIsNotThere) {
  const test::TemporaryFolder folder;
  LoopTerms asked = terms(folder, "run");
  asked.config.openings = folder / "missing.sfen";
  EXPECT_THAT(run_loop(asked, {}).error(), HasSubstr("missing.sfen"));
}

}  // namespace
}  // namespace fuhyo::learn
