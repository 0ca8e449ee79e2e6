// Whole trainings in small: what they leave in their folder, and that one which was stopped ends as one that was not.
#include "engines/learn/train/trainer.h"

#include <cmath>
#include <sstream>

#include <boost/json.hpp>

#include "engines/jobs/files/file_lock.h"
#include "engines/learn/data/whole_file.h"
#include "engines/learn/train/checkpoint.h"
#include "engines/learn/train/choice.h"
#include "engines/learn/train/export.h"
#include "engines/learn/train/game_set.h"
#include "games.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

class TrainerTest : public FolderTest {
 protected:
  static TrainOptions small() {
    TrainOptions options;
    options.shape = {.width = 64, .hidden1 = 16, .hidden2 = 16};
    options.epochs = 3;
    options.batch = 256;
    options.rate.first = 3e-3;
    options.rate.last = 3e-4;
    options.lambda = 1;
    options.sampler = {.seed = 9, .score_limit = 3'000, .held_back = 8, .pool = 700};
    return options;
  }
  static std::vector<DataSet> data() {
    static const auto games = test::play_games(11, 150);
    return {test::set_of(games)};
  }
  static std::vector<DataSet> more_data() {
    static const auto games = test::play_games(12, 1'000);
    return {test::set_of(games)};
  }
  // Lines of the log of a training.
  std::vector<boost::json::object> log(const std::string& run) const {
    std::istringstream in(folder_.read(run + "/log.jsonl"));
    std::vector<boost::json::object> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(boost::json::parse(line).as_object());
    return lines;
  }
  auto learn(const TrainOptions& options, const fs::path& run = "out", const std::stop_token& stop = {}) const {
    return train(options, data(), folder_ / run, stop);
  }
};

// A run and its checkpoint are compared with it when they go on.
TEST(TrainOptions, AreWrittenAsTheyAlwaysWere) {
  TrainOptions options;
  options.sampler.seed = ~std::uint64_t{0};
  const std::string rest =
      R"(,"beta1":8.999999761581421E-1,"beta2":9.990000128746033E-1,"epsilon":9.99999993922529E-9,)"
      R"("decay":9.999999776482582E-3,"final_rate":1.0000000149011612E-1,"closing":1.0000000474974513E-3,"rate":1E-3,)"
      R"("last_rate":1E-5,"warm_up":0,"lambda":7E-1,"epochs":10,"batch":16384,"seed":"18446744073709551615",)"
      R"("per_game":16,"score_limit":2000,"held_back":64,"pool":2000000,"validation":200000,"positions":2000,)";
  const std::string shape = R"({"features":"K+P","width":256,"hidden1":32,"hidden2":32,"fv_scale":16,"optimiser":)";
  EXPECT_EQ(to_text(options), shape + R"("adam")" + rest + R"("comparison":{}})");
  options.method.method = Method::adamw;
  options.comparison.lines = "strong.sfen";
  EXPECT_EQ(to_text(options), shape + R"("adamw")" + rest +
                                  R"("comparison":{"each_step":256,"choices":16,"weight":1E-1,"temperature":1E2,)"
                                  R"("first_ply":8,"last_ply":60}})");
}

// ---- a whole training ----

TEST_F(TrainerTest, MakesANetworkThatKnowsMore) {
  std::vector<std::string> said;
  TrainOptions options = small();
  options.say = into(said);
  const auto trained = must(train(options, more_data(), folder_ / "out", {}));
  EXPECT_TRUE(trained.complete);
  EXPECT_EQ(trained.games, 1'000U);
  EXPECT_EQ(trained.steps, 3 * (trained.samples / 256));
  EXPECT_GT(trained.validation.accuracy, 0.55);
  EXPECT_LT(trained.validation.loss, 0.68);
  EXPECT_THAT(said.back(), HasSubstr("epoch 3 of 3"));

  // The log: lines of training that begin worse than they end, and one of validation for each epoch.
  std::vector<double> losses;
  for (const auto& line : log("out")) {
    if (line.at("kind") != "validation") losses.push_back(line.at("loss").to_number<double>());
  }
  ASSERT_EQ(losses.size(), trained.steps);
  EXPECT_EQ(log("out").size(), trained.steps + 3);
  EXPECT_LT(losses.back(), losses.front() - 0.02);

  // The same call again does nothing, and says the same.
  const auto again = must(train(options, more_data(), folder_ / "out", {}));
  EXPECT_TRUE(again.complete);
  EXPECT_EQ(again.validation.loss, trained.validation.loss);
}

TEST_F(TrainerTest, LearnsWhatStrongPlayersMove) {
  TrainOptions options = small();
  options.comparison = {.lines = folder_.write("pawns.sfen", test::lines_of_pawn_movers(1, 300)).string(),
                        .each_step = 64,
                        .choices = 8,
                        .weight = 0.1};
  std::vector<std::string> said;
  options.say = into(said);
  const auto trained = must(train(options, more_data(), folder_ / "out", {}));
  EXPECT_GT(trained.validation.comparison_agreement, 0.3);  // one of eight by chance
  EXPECT_LT(trained.validation.comparison_loss, 0.9 * std::log(8.0));
  EXPECT_LT(trained.validation.loss, 0.69);
  EXPECT_THAT(said.back(), HasSubstr("strong moves"));
  EXPECT_THAT(folder_.read("out/log.jsonl"), HasSubstr("comparison_agreement"));

  TrainOptions other = options;
  other.comparison.weight = 2;
  EXPECT_THAT(error_of(train(other, more_data(), folder_ / "out", {})), HasSubstr("it was trained with comparison"));
  folder_.write("pawns.sfen", test::lines_of_pawn_movers(1, 299));
  EXPECT_THAT(error_of(train(options, more_data(), folder_ / "out", {})), HasSubstr("strong moves, here are"));
  options.comparison.lines = folder_ / "none";
  EXPECT_FALSE(train(options, more_data(), folder_ / "new", {}));
  options.batch = 260;
  EXPECT_EQ(error_of(train(options, more_data(), folder_ / "new", {})),
            "a batch of 260 is no multiple of the 8 moves of a comparison");
}

TEST_F(TrainerTest, GoesOnAsIfItHadNeverStopped) {
  TrainOptions options = small();
  options.method.method = Method::amsgrad;
  options.comparison = {.lines = folder_.write("pawns.sfen", test::lines_of_pawn_movers(2, 100)).string(),
                        .each_step = 8};
  must(learn(options, "whole"));
  // Stopped at each line of progress, which is said after each step.
  int stops = 0;
  while (true) {
    std::stop_source stop;
    TrainOptions interrupted = options;
    interrupted.progress_s = 0;
    interrupted.threads = 1 + static_cast<std::size_t>(stops % 3);
    int steps = 0;
    interrupted.say = [&](std::string_view line) {
      if (line.starts_with("epoch") && line.find("step") != line.npos && ++steps == 4) stop.request_stop();
    };
    if (must(learn(interrupted, "parts", stop.get_token())).complete) break;
    ASSERT_LT(++stops, 100);
  }
  EXPECT_GT(stops, 3);
  EXPECT_EQ(folder_.read("parts/net.nn.bin"), folder_.read("whole/net.nn.bin"));
  // All weights, not only their integers; what belongs to them are times and places.
  const Model model = *Model::make(options.shape, 1);
  const auto whole = must(read_checkpoint(folder_ / "whole/checkpoint", model));
  const auto parts = must(read_checkpoint(folder_ / "parts/checkpoint", model));
  EXPECT_EQ(whole.state.steps, parts.state.steps);
  EXPECT_EQ(whole.state.weights, parts.state.weights);
  EXPECT_EQ(whole.state.mean, parts.state.mean);
  EXPECT_EQ(whole.state.largest, parts.state.largest);
  // Losses in the log, step by step.
  const auto losses = [&](const char* run) {
    std::vector<std::pair<std::int64_t, double>> all;
    for (const auto& line : log(run)) {
      all.emplace_back(line.at("step").as_int64(), line.at("loss").to_number<double>());
    }
    return all;
  };
  EXPECT_EQ(losses("whole"), losses("parts"));
}

TEST_F(TrainerTest, LearnsFromFilesOfGames) {
  const std::string file = folder_.file("a.games");
  write_games(file, test::play_games(11, 150));
  auto set = must(game_set(file + "=0.5"));
  EXPECT_EQ(set.weight, 0.5);
  TrainOptions options = small();
  options.epochs = 1;
  const auto trained = must(train(options, {set}, folder_ / "out", {}));
  EXPECT_TRUE(trained.complete);
  EXPECT_EQ(trained.games, 150U);
  EXPECT_EQ(trained.samples % 8, 0U);
  EXPECT_TRUE(fs::exists(folder_ / "out/net.nn.bin"));

  EXPECT_FALSE(game_set(folder_.file("none.games")));
  EXPECT_THAT(error_of(game_set(file + "=1.5")), HasSubstr("a weight is from 0 to 1"));
}

// ---- what is refused ----

TEST_F(TrainerTest, RefusesToGoOnWithSomethingElse) {
  TrainOptions options = small();
  options.epochs = 1;
  must(learn(options));
  TrainOptions other = options;
  other.lambda = 0.5;
  EXPECT_THAT(error_of(learn(other)), HasSubstr("checkpoint: it was trained with lambda 1E0, not 5E-1"));
  EXPECT_THAT(error_of(train(options, {test::set_of(test::play_games(11, 149))}, folder_ / "out", {})),
              HasSubstr("it was trained with 150 games, here are 149"));
  other = options;
  other.shape.width = 128;
  EXPECT_FALSE(learn(other));

  const std::string bytes = folder_.read("out/checkpoint");
  folder_.write("out/checkpoint", flipped(bytes, bytes.size() / 2));
  EXPECT_THAT(error_of(learn(options)), HasSubstr("damaged"));
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{20}, bytes.size() - 1}) {
    folder_.write("out/checkpoint", bytes.substr(0, size));
    EXPECT_FALSE(learn(options)) << size;
  }
}

TEST_F(TrainerTest, RefusesTooLittleData) {
  TrainOptions options = small();
  EXPECT_EQ(error_of(train(options, {test::set_of({})}, folder_ / "out", {})),
            "0 positions of 0 games, less than a batch of 256");
  options.epochs = 0;
  EXPECT_FALSE(learn(options));
  options = small();
  options.kernels = "mmx";
  EXPECT_FALSE(learn(options));
  folder_.write("a file", "x");
  EXPECT_FALSE(learn(small(), "a file/out"));
}

TEST_F(TrainerTest, AFolderIsWorkedInOnceAtATime) {
  fs::create_directory(folder_ / "out");
  const auto other = jobs::FileLock::take(folder_ / "out/train.lock");
  ASSERT_TRUE(other);
  EXPECT_EQ(error_of(learn(small())), folder_.file("out/train.lock") + ": another process works with it");
}

TEST_F(TrainerTest, AFileThatCannotBeReplacedStaysAsItWas) {
  ASSERT_TRUE(replace_file(folder_ / "one", "first"));
  ASSERT_TRUE(replace_file(folder_ / "one", "second"));
  EXPECT_EQ(folder_.read("one"), "second");
  EXPECT_FALSE(replace_file(folder_ / "none/two", "x"));
  EXPECT_FALSE(read_file(folder_ / "none/two"));
  fs::create_directories(folder_ / "three/inside");
  EXPECT_FALSE(replace_file(folder_ / "three", "x"));
}

}  // namespace
}  // namespace fuhyo::learn
