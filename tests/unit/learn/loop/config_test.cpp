// Settings of the loop.
#include "engines/learn/loop/config.h"

#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

constexpr std::string_view kWhole = R"(
seed = 7
processes = 2
engine = "bin/fuhyo-nnue"
network = "first.nn.bin"
network_fv_scale = 24

[self_play]
openings = "lines.sfen.xz"
first_ply = 6
last_ply = 30
random_moves = 2
nodes = 500
hash_mb = 8
most_at_start = 400
adjudicated_at = 2500
adjudicated_after = 6
to_the_end = 0.1
draw_at_ply = 256

[train]
features = "K+P"
width = 128
hidden1 = 16
hidden2 = 32
fv_scale = 20
optimiser = "amsbound"
rate = [2e-3, 1e-6]
warm_up = 100
lambda = 0.6
epochs = 4
batch = 4096
per_game = 8
score_limit = 1500
pool = 100000
window = 2
strong_moves = "strong.sfen"
comparisons = 128
choices = 32
comparison_weight = 0.25
temperature = 80
strong_first_ply = 4
strong_last_ply = 50
from_best = true

[gate]
openings = "/sets/gate.sfen"
elo = [-1, 4]
nodes = 3000
games = 500
match_nodes = 9000
match_games = 0

[[generation]]
games = 1000
lambda = 0.3
nodes = 250

[[generation]]
games = 2000
epochs = 6
from_best = false
)";

LoopConfig parsed(std::string_view text) { return must(parse_loop_config(text, "/runs/a/run.toml")); }
std::string refusal(std::string_view text) { return error_of(parse_loop_config(text, "run.toml")); }

TEST(LoopConfig, TakesEveryKey) {
  const LoopConfig config = parsed(kWhole);
  EXPECT_EQ(config.seed, 7u);
  EXPECT_EQ(config.processes, 2);
  EXPECT_EQ(config.engine, "/runs/a/bin/fuhyo-nnue");
  EXPECT_EQ(config.network, "/runs/a/first.nn.bin");
  EXPECT_EQ(config.fv_scale, 24);
  EXPECT_EQ(config.openings, "/runs/a/lines.sfen.xz");
  EXPECT_EQ(config.starts, (StartOptions{.first_ply = 6, .last_ply = 30, .random_moves = 2}));
  EXPECT_EQ(config.gate.openings, "/sets/gate.sfen");
  EXPECT_EQ(config.gate.test.elo0, -1);
  EXPECT_EQ(config.gate.test.elo1, 4);
  EXPECT_EQ(config.gate.test_nodes, 3'000);
  EXPECT_EQ(config.gate.test_games, 500);
  EXPECT_EQ(config.gate.match_nodes, 9'000);
  EXPECT_EQ(config.gate.match_games, 0);
  ASSERT_EQ(config.generations.size(), 2u);
  const LoopGeneration& first = config.generations[0];
  EXPECT_EQ(first.games, 1'000u);
  EXPECT_EQ(first.window, 2);
  EXPECT_TRUE(first.from_best);
  EXPECT_EQ(first.play, (SelfPlayOptions{.nodes = 250,
                                         .hash_mb = 8,
                                         .most_at_start = 400,
                                         .adjudicated_at = 2'500,
                                         .adjudicated_after = 6,
                                         .to_the_end = 0.1,
                                         .draw_at_ply = 256}));
  EXPECT_EQ(first.train.shape,
            (ModelShape{.features = "K+P", .width = 128, .hidden1 = 16, .hidden2 = 32, .fv_scale = 20}));
  EXPECT_EQ(first.train.method.method, Method::amsbound);
  EXPECT_EQ(first.train.rate, (RateOptions{.first = 2e-3, .last = 1e-6, .warm_up = 100}));
  EXPECT_EQ(first.train.sampler.per_game, 8);
  EXPECT_EQ(first.train.sampler.score_limit, 1'500);
  EXPECT_EQ(first.train.sampler.pool, 100'000u);
  EXPECT_EQ(first.train.batch, 4'096u);
  EXPECT_EQ(first.train.comparison, (ComparisonOptions{.lines = "/runs/a/strong.sfen",
                                                       .each_step = 128,
                                                       .choices = 32,
                                                       .weight = 0.25,
                                                       .temperature = 80,
                                                       .first_ply = 4,
                                                       .last_ply = 50}));
  EXPECT_EQ(first.train.epochs, 4);
  EXPECT_EQ(first.train.lambda, 0.3);
}

TEST(LoopConfig, AGenerationSaysWhatIsOtherThanForAll) {
  const LoopGeneration second = parsed(kWhole).generations.at(1);
  EXPECT_EQ(second.play.nodes, 500);
  EXPECT_EQ(second.train.lambda, 0.6);
  EXPECT_EQ(second.train.epochs, 6);
  EXPECT_FALSE(second.from_best);
}

TEST(LoopConfig, LeavesTheRestAsItIsMeantToBe) {
  const std::string least = "[gate]\nopenings = \"a\"\n[[generation]]\ngames = 1\n";
  const LoopConfig config = parsed(least);
  EXPECT_EQ(config.starts.last_ply, 16);
  EXPECT_EQ(config.generations[0].play, SelfPlayOptions{});
  EXPECT_EQ(config.generations[0].train.epochs, 10);
  EXPECT_EQ(config.generations[0].train.batch, 16'384u);
  EXPECT_EQ(config.generations[0].window, 3);
  EXPECT_FALSE(config.generations[0].from_best);
  EXPECT_FALSE(config.generations[0].train.comparison.any());
  EXPECT_EQ(config.gate.test.elo1, 10);
  EXPECT_EQ(parsed("[self_play]\nopenings = \"o\"\n" + least).starts.last_ply, 40);
  EXPECT_EQ(parsed("[self_play]\nfirst_ply = 20\n" + least).starts.last_ply, 20);
  EXPECT_EQ(parsed("[self_play]\nfirst_ply = 0\nlast_ply = 0\n" + least).starts.last_ply, 0);
}

TEST(LoopConfig, NamesThePlaceOfWhatIsWrong) {
  EXPECT_THAT(refusal("seed = 1\nsede = 2\n"), testing::StartsWith("run.toml:2: there is no key 'sede'"));
  EXPECT_THAT(refusal("[train]\nwitdh = 2\n"), HasSubstr("run.toml:2: there is no key 'witdh' in [train]"));
  EXPECT_THAT(refusal("[[generation]]\ngame = 2\n"), HasSubstr("'game' in [generation]"));
  EXPECT_THAT(refusal("seed = \"1\"\n"), HasSubstr("run.toml:1: 'seed': a whole number"));
  EXPECT_THAT(refusal("[train]\nlambda = 2\n"), HasSubstr("'lambda' in [train]: a number from 0 to 1"));
  EXPECT_THAT(refusal("[train]\nrate = 0.1\n"), HasSubstr("two numbers"));
  EXPECT_THAT(refusal("[train]\nrate = [0, 0]\n"), HasSubstr("from 0 to 1, the first at least 1e-09 is expected"));
  EXPECT_THAT(refusal("[train]\nfrom_best = 1\n"), HasSubstr("'from_best' in [train]: true or false"));
  EXPECT_THAT(refusal("[train]\noptimiser = \"sgd\"\n"), AllOf(HasSubstr("run.toml:2:"), HasSubstr("adam")));
  EXPECT_THAT(refusal("train = 1\n"), HasSubstr("a table: [train]"));
  EXPECT_THAT(refusal("generation = 1\n"), HasSubstr("[[generation]]"));
  EXPECT_THAT(refusal("[self_play\n"), testing::StartsWith("run.toml:1:"));
  EXPECT_THAT(refusal("seed = 1\n"), HasSubstr("there is no [[generation]]"));
  EXPECT_THAT(refusal("[gate]\nopenings=\"a\"\n[[generation]]\nnodes = 1\n"), HasSubstr("run.toml:3:"));
  EXPECT_THAT(refusal("[[generation]]\ngames = 1\n"), HasSubstr("[gate] says no 'openings'"));
  EXPECT_THAT(refusal("[gate]\nopenings=\"a\"\nelo = [5, 5]\n[[generation]]\ngames = 1\n"), HasSubstr("lower"));
  const std::string rest = "[gate]\nopenings=\"a\"\n[[generation]]\ngames = 1\n[[generation]]\ngames = 1\n";
  EXPECT_EQ(refusal("[train]\nwidth = 64\n" + rest), "");
  EXPECT_THAT(refusal("[train]\nwidth = 100\n" + rest), HasSubstr("run.toml: [[generation]] 0: a width of 100"));
  EXPECT_THAT(refusal("[train]\nfeatures = \"X\"\n" + rest), HasSubstr("[[generation]] 0: "));
  EXPECT_EQ(refusal(rest + "width = 64\n"), "");
  EXPECT_THAT(refusal(rest + "width = 64\nfrom_best = true\n"), HasSubstr("[[generation]] 1: 'from_best', and"));
}

}  // namespace
}  // namespace fuhyo::learn
