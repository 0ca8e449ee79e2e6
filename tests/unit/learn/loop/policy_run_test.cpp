// The loop for policy networks, small: games, fine-tuning with a teacher's samples, test; stopped and gone on with.
#include "engines/learn/loop/policy_run.h"

#include "engines/learn/loop/settings_table.h"
#include "engines/learn/policy/layout.h"
#include "engines/learn/policy/sample_file.h"
#include "engines/learn/policy/shogi_network.h"
#include "engines/shogi/movegen.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

constexpr std::string_view kPolicyRun = R"(
seed = 3
[policy]
network = "old.nn"
at_once = 16
[self_play]
playouts = 4
fast_playouts = 2
mate_nodes = 0
draw_at_ply = 30
[train]
blocks = 1
channels = 16
value_planes = 2
value_hidden = 8
batch = 32
norm_batch = 16
epochs = 1
teacher = ["teacher.samples"]
tests = ["teacher.samples", "other.samples"]
[gate]
openings = "openings.sfen"
elo = [-200, -100]
playouts = 1
games = 400
match_games = 2
match_playouts = 2
[[generation]]
games = 24
[[generation]]
games = 12
window = 2
lambda = 0.5
)";

class PolicyLoopTest : public FolderTest {
 protected:
  PolicyLoopTest() {
    nn::Shape shape = policy::default_shape();
    shape.channels = 16, shape.blocks = 1, shape.value_planes = 2, shape.value_hidden = 8;
    const policy::Layout layout(shape);
    const nn::Model chance = policy::folded(layout, policy::first_weights(layout, 1), policy::first_statistics(layout));
    EXPECT_TRUE(policy::save_shogi_network(chance, "", folder_ / "old.nn"));
    std::vector<policy::Sample> samples;
    shogi::Position position;
    for (int ply = 0; ply < 100; ++ply) {
      const auto moves = shogi::legal_moves(position);
      if (moves.empty()) break;
      const shogi::Move move = moves[static_cast<std::size_t>(ply * 7) % moves.size()];
      if (auto sample = policy::sample_of(position, move)) samples.push_back(*sample);
      position.do_move(move);
    }
    for (const char* name : {"teacher.samples", "other.samples"}) {
      EXPECT_TRUE(policy::write_samples(folder_ / name, "by chance", samples));
    }
    // Many openings: two networks by chance are as strong as each other in the mean only.
    std::string openings;
    for (unsigned line = 0; line < 200; ++line) {
      shogi::Position at;
      for (unsigned ply = 0; ply < 6; ++ply) {
        const auto moves = shogi::legal_moves(at);
        const shogi::Move move = moves[(line * 31 + ply * 17) % moves.size()];
        openings += (ply == 0 ? "" : " ") + shogi::to_usi(move);
        at.do_move(move);
      }
      openings += '\n';
    }
    folder_.write("openings.sfen", openings);
  }

  PolicyLoopOptions asked_{.config = must(parse_policy_config(kPolicyRun, folder_ / "run.toml")),
                           .name = "run",
                           .folder = folder_ / "run",
                           .program = FUHYO_LEARN,
                           .engine = FUHYO_MCTS,
                           .processes = 2};
};

TEST_F(PolicyLoopTest, SaysBeforeTheFirstGameWhatDoesNotFit) {
  EXPECT_TRUE(check(asked_.config));
  asked_.config.checkpoint = folder_ / "teacher.samples";
  EXPECT_THAT(check(asked_.config).error(), HasSubstr("teacher.samples"));
  EXPECT_THAT(run_policy_loop(asked_, {}).error(), HasSubstr("teacher.samples"));
  asked_.config.network = folder_ / "openings.sfen";
  EXPECT_THAT(check(asked_.config).error(), HasSubstr("openings.sfen"));
}

TEST_F(PolicyLoopTest, PlaysLearnsAndTestsGenerationByGeneration) {
  std::vector<std::string> said;
  asked_.say = into(said);
  const auto result = must(run_policy_loop(asked_, {}));
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.report.generations.size(), 2u);
  for (const GenerationReport& generation : result.report.generations) {
    EXPECT_EQ(generation.games, generation.number == 0 ? 24u : 12u);
    EXPECT_GT(generation.steps, 0u);
    EXPECT_GT(generation.loss, 0.5);
    EXPECT_FALSE(generation.training.empty());
    ASSERT_LT(generation.steps, 16u);
    EXPECT_EQ(generation.validation.size(), generation.steps);  // of one test of two
    EXPECT_THAT(generation.verdict, testing::AnyOf("H0", "H1", "undecided"));
  }
  // Half of what is learnt is the teacher's; the second learns from the games of both.
  EXPECT_THAT(said, testing::Contains(HasSubstr("of 100 samples of a teacher mixed in")));
  EXPECT_GT(result.report.generations[1].samples, result.report.generations[0].samples);
  EXPECT_THAT(folder_.read("run/index.html"),
              AllOf(HasSubstr("<td>1</td><td>12</td>"), HasSubstr("the first network")));
  // A network that was accepted plays the next games, and is what the next one goes on from.
  EXPECT_TRUE(result.report.generations[0].accepted);
  EXPECT_EQ(result.report.generations[0].match_games, 2);
  EXPECT_THAT(folder_.read("run/generation-1/train.json"), HasSubstr("from generation-0/train/checkpoint"));

  said.clear();
  const auto again = must(run_policy_loop(asked_, {}));
  EXPECT_TRUE(again.complete);
  for (const std::string& line : said) EXPECT_THAT(line, HasSubstr("accepted"));
  EXPECT_EQ(again.best, result.best);
  asked_.config.generations[0].train.lambda = 0.1;
  EXPECT_THAT(run_policy_loop(asked_, {}).error(), AllOf(HasSubstr("train.json"), HasSubstr("other terms")));
}

// ... and comes to the same network as a run that was not.
TEST_F(PolicyLoopTest, GoesOnWhereItWasStopped) {
  asked_.config.generations.resize(1);
  EXPECT_GT(run_in_pieces(asked_, run_policy_loop), 1);
  asked_.folder = folder_ / "whole";
  must(run_policy_loop(asked_, {}));
  EXPECT_EQ(folder_.read("run/generation-0/train/policy.nn"), folder_.read("whole/generation-0/train/policy.nn"));
}

TEST_F(PolicyLoopTest, SaysWhatIsNotThere) {
  asked_.config.network = folder_.file("missing.nn");
  EXPECT_THAT(run_policy_loop(asked_, {}).error(), HasSubstr("missing.nn"));
  asked_.folder = folder_ / "other";
  asked_.config.network = folder_.file("old.nn");
  asked_.config.mix.files = {folder_.file("missing.samples")};
  EXPECT_THAT(run_policy_loop(asked_, {}).error(), HasSubstr("missing.samples"));
}

TEST(PolicyConfig, ReadsAndRefuses) {
  const auto config = must(parse_policy_config(kPolicyRun, "/runs/run.toml"));
  EXPECT_EQ(config.network, "/runs/old.nn");
  EXPECT_EQ(config.mix.files, std::vector<std::string>{"/runs/teacher.samples"});
  EXPECT_EQ(config.gate.test_nodes, 1);
  ASSERT_EQ(config.generations.size(), 2u);
  EXPECT_EQ(config.generations[1].train.lambda, 0.5);
  EXPECT_EQ(config.generations[0].train.lambda, 0.7);
  EXPECT_EQ(config.generations[0].play.playouts, 4);
  EXPECT_EQ(config.starts.last_ply, 16);
  EXPECT_TRUE(has_table(kPolicyRun, "policy"));
  EXPECT_FALSE(has_table("[train]\n", "policy"));

  const auto refused = [](std::string_view from, std::string_view to) {
    std::string text(kPolicyRun);
    text.replace(text.find(from), from.size(), to);
    return error_of(parse_policy_config(text, "run.toml"));
  };
  EXPECT_THAT(refused("network = \"old.nn\"", ""), HasSubstr("[policy] says no 'network'"));
  EXPECT_THAT(refused("playouts = 4", "playouts = 0"), AllOf(HasSubstr("run.toml:7"), HasSubstr("'playouts'")));
  EXPECT_THAT(refused("at_once", "at_twice"), HasSubstr("there is no key 'at_twice' in [policy]"));
  const std::string tests = R"(tests = ["teacher.samples", "other.samples"])";
  EXPECT_THAT(refused(tests, "tests = [1]"), HasSubstr("a list of strings in quotes"));
  EXPECT_THAT(refused(tests, ""), HasSubstr("says no 'tests'"));
  EXPECT_THAT(refused("norm_batch = 16", "norm_batch = 17"), HasSubstr("a multiple of 'norm_batch'"));
  EXPECT_THAT(refused("elo = [-200, -100]", "elo = [0, -1]"), HasSubstr("the first number is to be the lower one"));
  EXPECT_THAT(refused("games = 24", ""), HasSubstr("says no 'games'"));
  EXPECT_THAT(refused("[policy]", "[policy"), HasSubstr("run.toml:3"));
}

}  // namespace
}  // namespace fuhyo::learn
