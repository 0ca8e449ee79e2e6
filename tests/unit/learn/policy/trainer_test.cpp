// Whole trainings in small: what they learn and leave in their folder, and that one which was stopped ends as one that
// was not.
#include <cmath>
#include <fstream>
#include <random>

#include "engines/learn/data/whole_file.h"
#include "engines/learn/policy/checkpoint.h"
#include "engines/learn/policy/sample_file.h"
#include "engines/learn/policy/shogi_sample_source.h"
#include "engines/learn/policy/validation.h"
#include "engines/mcts/shogi/shogi_model.h"
#include "engines/shogi/movegen.h"
#include "tests/support/sanitized.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn::policy {
namespace {

// Positions of random games; what is to be learnt of each is a move by chance, and who wins.
std::vector<Sample> samples(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Sample> out;
  while (out.size() < count) {
    shogi::Position position;
    for (int ply = 0; ply < 60 && out.size() < count; ++ply) {
      const auto moves = shogi::legal_moves(position);
      if (moves.empty()) break;
      const shogi::Move move = moves[random() % moves.size()];
      if (ply % 4 == 3) {
        out.push_back(*sample_of(position, move));
        if (random() % 3 > 0) {
          out.back().result = static_cast<std::uint8_t>(random() % 2 * 2);
          out.back().score = static_cast<std::int16_t>(*out.back().result == 2 ? 2500 : -2500);
        }
      }
      position.do_move(move);
    }
  }
  return out;
}

class PolicyTraining : public FolderTest {
 protected:
  PolicyTraining() {
    must(write_samples(data_, "by a test", samples(48, 1)));
    must(write_samples(other_, "by a test", samples(40, 2)));
  }
  TrainOptions small() const {
    TrainOptions options{.shape = default_shape()};
    options.shape.blocks = 1;
    options.shape.channels = 16;
    options.shape.value_planes = 2;
    options.shape.value_hidden = 8;
    options.learn = {.pass = 8, .decay = 0, .memory = 0.2};
    options.rate = {.first = 1e-2, .last = 1e-3, .warm_up = 5};
    options.batch = 16;
    options.epochs = 6;
    options.validations = 1;
    return options;
  }
  std::expected<Trained, std::string> learn(const TrainOptions& options, const std::string& folder,
                                            const std::stop_token& stop = {}) const {
    return train(options, {data_.string()}, {other_.string()}, folder_ / folder, stop);
  }
  Checkpoint checkpoint(const fs::path& run, const nn::Shape& shape) const {
    return must(read_checkpoint(folder_ / run / "checkpoint", Layout(shape)));
  }

  fs::path data_ = folder_ / "data.samples", other_ = folder_ / "other.samples";
};

TEST_F(PolicyTraining, LearnsAHandfulOfPositionsByHeart) {
  if (test::kSanitized) GTEST_SKIP() << "how well it learns is the same in every build";
  const std::vector<Sample> few = samples(16, 3);
  ASSERT_TRUE(write_samples(data_, "few", few));
  ASSERT_TRUE(write_samples(other_, "the same", few));
  TrainOptions options = small();
  options.learn.pass = 16;
  options.epochs = 150;
  options.validations = 1;
  options.validation = 0;
  const auto trained = must(learn(options, "run"));
  EXPECT_TRUE(trained.complete);
  EXPECT_EQ(trained.steps, 150U);
  EXPECT_GE(trained.validation.accuracy(), 15.0 / 16);
  EXPECT_LT(trained.validation.move_loss, 0.5);
  EXPECT_GT(trained.validation.values, 5U);
  EXPECT_LT(trained.validation.result_loss, 0.2);
}

TEST_F(PolicyTraining, LeavesANetworkThatTheEngineLoads) {
  ASSERT_TRUE(learn(small(), "run"));
  const fs::path network = folder_ / "run" / kNetworkName;
  EXPECT_TRUE(fs::exists(network.string() + ".ini"));
  const auto loaded = must(mcts::load_shogi_model(network));
  EXPECT_THAT(loaded.description, HasSubstr("1 blocks x 16 channels"));
  EXPECT_TRUE(loaded.options.empty());
}

TEST_F(PolicyTraining, ThatIsCompleteIsLoggedOnce) {
  const auto first = must(learn(small(), "run"));
  const std::string log = folder_.read("run/log.jsonl");
  ASSERT_THAT(log, HasSubstr("\"validation\""));
  const auto again = must(learn(small(), "run"));
  EXPECT_EQ(again.validation.move_loss, first.validation.move_loss);
  EXPECT_EQ(folder_.read("run/log.jsonl"), log);
}

TEST_F(PolicyTraining, OfTheUsualShapeFitsInThreeMegabytes) {
  EXPECT_EQ(default_shape().fault(), "");
  EXPECT_LE(2 * default_shape().parameters(), 3'000'000U);
}

TEST_F(PolicyTraining, EndsTheSameWhereverItWasStoppedAndWithAnyThreads) {
  ASSERT_TRUE(learn(small(), "whole"));
  TrainOptions options = small();
  options.progress_s = 0;  // a line after each step
  int calls = 0;
  for (bool complete = false; !complete; ++calls) {
    std::stop_source source;
    int steps = 0;
    options.threads = 1 + static_cast<std::size_t>(calls % 2);
    options.say = [&](std::string_view line) {
      if (line.find(" step ") != std::string_view::npos && ++steps == 4) source.request_stop();
    };
    complete = must(learn(options, "parts", source.get_token())).complete;
  }
  EXPECT_GE(calls, 4);
  EXPECT_EQ(folder_.read("parts/policy.nn"), folder_.read("whole/policy.nn"));
  const Checkpoint whole = checkpoint("whole", small().shape), parts = checkpoint("parts", small().shape);
  EXPECT_EQ(parts.state.weights, whole.state.weights);
  EXPECT_EQ(parts.state.square, whole.state.square);
  EXPECT_EQ(parts.state.statistics, whole.state.statistics);
}

TEST_F(PolicyTraining, IsNotGoneOnWithOnOtherOptionsOrSamples) {
  ASSERT_TRUE(learn(small(), "run"));
  TrainOptions options = small();
  options.lambda = 0.5;
  EXPECT_THAT(error_of(learn(options, "run")), HasSubstr("it was trained with lambda 7E-1, not 5E-1"));
  ASSERT_TRUE(write_samples(data_, "others", samples(48, 9)));
  EXPECT_THAT(error_of(learn(small(), "run")), HasSubstr("it was trained with other samples"));
}

TEST_F(PolicyTraining, SaysThatItBeginsWithAnotherValueHead) {
  ASSERT_TRUE(learn(small(), "first"));
  TrainOptions options = small();
  options.epochs = 1;
  options.rate = {.first = 1e-9, .last = 1e-9};
  options.shape.value_planes = 3;
  options.from = (folder_ / "first/checkpoint").string();
  std::string said;
  options.say = [&](std::string_view line) { said += line, said += "\n"; };
  must(learn(options, "second"));
  EXPECT_THAT(said, HasSubstr("first/checkpoint, but for the value head, which begins anew: 2 planes"));
  const auto policy = [&](const char* run, const nn::Shape& shape) {
    const Checkpoint found = checkpoint(run, shape);
    return folded(Layout(shape), found.state.weights, found.state.statistics).policy.weights;
  };
  const std::vector<float> then = policy("first", small().shape), now = policy("second", options.shape);
  ASSERT_EQ(now.size(), then.size());
  for (std::size_t i = 0; i < now.size(); ++i) ASSERT_NEAR(now[i], then[i], 1e-6);
  options.shape.channels = 12;
  EXPECT_THAT(error_of(learn(options, "third")), HasSubstr("a checkpoint of a network of another shape"));
}

TEST_F(PolicyTraining, RefusesACheckpointThatIsDamaged) {
  ASSERT_TRUE(learn(small(), "run"));
  const fs::path written = folder_ / "run/checkpoint";
  const std::string bytes = must(read_file(written));
  const Layout layout(small().shape);
  const auto read = [&](const std::string& text) {
    return read_checkpoint(folder_.write("run/checkpoint", text), layout);
  };
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, bytes.size() / 2, bytes.size() - 1}) {
    EXPECT_FALSE(read(flipped(bytes, at))) << at;
  }
  EXPECT_FALSE(read(bytes.substr(0, bytes.size() / 2)));
  EXPECT_TRUE(read(bytes));
  nn::Shape larger = small().shape;
  larger.blocks = 2;
  EXPECT_THAT(error_of(read_checkpoint(written, Layout(larger))),
              HasSubstr("a checkpoint of a network of another shape"));
}

TEST_F(PolicyTraining, NamesAnEmptyFileAndLeavesNothing) {
  for (const char* name : {"empty.hcpe3", "empty.samples"}) {
    data_ = folder_ / name;
    std::ofstream{data_};
    EXPECT_EQ(error_of(learn(small(), "run")), data_.string() + ": is empty");
    const auto untested = train(small(), {other_.string()}, {data_.string()}, folder_ / "run", {});
    EXPECT_EQ(error_of(untested), data_.string() + ": is empty");
  }
  ASSERT_TRUE(write_samples(data_, "none", {}));
  EXPECT_EQ(error_of(learn(small(), "run")), "0 samples are less than a batch of 16");
  EXPECT_FALSE(fs::exists(folder_ / "run"));
}

TEST_F(PolicyTraining, NamesASampleWithoutALegalMove) {
  std::vector<Sample> bad = samples(48, 1);
  bad[7].move = 0;
  ASSERT_TRUE(write_samples(data_, "bad", bad));
  EXPECT_THAT(error_of(learn(small(), "run")), testing::StartsWith("no legal move"));
}

TEST(PolicyValidation, FitsTheLogisticFunction) {
  // Results that come about with the chances of this very function: nothing can be nearer to them.
  std::vector<std::pair<double, double>> games;
  double least = 0;
  for (int score = -1500; score <= 1500; score += 100) {
    const double chance = 1 / (1 + std::exp(-(1.7 * score / 600 - 0.2)));
    games.emplace_back(score, chance);
    least -= chance * std::log(chance) + (1 - chance) * std::log(1 - chance);
  }
  EXPECT_NEAR(logistic_loss(games), least / static_cast<double>(games.size()), 1e-6);
  EXPECT_EQ(logistic_loss({}), 0);
  // A whole step of Newton's method from the flat end of the function leaps to the other one.
  games = {{3'000, 0.75}, {-3'000, 0.25}};
  EXPECT_NEAR(logistic_loss(games), 0.562335, 1e-6);
}

}  // namespace
}  // namespace fuhyo::learn::policy
