#include "engines/learn/loop/run.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engines/learn/data/whole_file.h"
#include "engines/learn/generate/coordinator.h"
#include "engines/learn/train/game_set.h"
#include "engines/nnue/net/untrained.h"

namespace fuhyo::learn {
namespace {

class NnueLoop final : public GenerationLoop<LoopConfig> {
 public:
  using GenerationLoop::GenerationLoop;

 private:
  std::filesystem::path untrained() const { return options_.folder / "untrained.nn.bin"; }

  // A copy, so that the run does not depend on what becomes of the file.
  std::expected<void, std::string> prepare() override {
    const std::string& network = config_.network;
    result_.best = network.empty() ? untrained() : options_.folder / "first.nn.bin";
    if (!network.empty()) result_.fv_scale = config_.fv_scale;
    if (std::filesystem::exists(result_.best)) return {};
    if (auto fits = check(config_); !fits) return fits;
    const std::expected<std::string, std::string> bytes =
        network.empty() ? nnue::untrained_network() : read_file(network);
    if (!bytes) return Failure(bytes.error());
    return replace_file(result_.best, *bytes);
  }

  std::int64_t nodes() const override { return generation().play.nodes; }
  Done play() override {
    GenerateOptions options;
    options.job.play = generation().play;
    options.job.play.fv_scale = result_.fv_scale;
    options.worker = play_command(options_.program);
    return play_games(std::move(options));
  }

  bool from_best() const { return generation().from_best && result_.best != untrained(); }
  TrainOptions train_options() const {
    TrainOptions options = generation().train;
    options.sampler.seed = seed(1);
    return options;
  }
  std::string train_text(int first) const override {
    return fmt::format("{}{} games of {} to {}", to_text(train_options()), from_best() ? " from the best network" : "",
                       first, number());
  }
  StageResult train(int first) override {
    TrainOptions options = train_options();
    options.threads = static_cast<std::size_t>(std::max(options_.processes, 1));
    options.say = teller();
    if (from_best()) options.from = result_.best.string();
    std::vector<DataSet> sets;
    for (int from = first; from <= number(); ++from) {
      auto set = game_set((folder(from) / "self-play.games").string());
      if (!set) return Failure(set.error());
      sets.push_back(std::move(*set));
    }
    const auto trained = learn::train(options, std::move(sets), folder() / "train", stop_);
    if (!trained) return Failure(trained.error());
    if (!trained->complete) return std::nullopt;
    return boost::json::object{{"games", trained->games},
                               {"samples", trained->samples},
                               {"steps", trained->steps},
                               {"loss", trained->validation.loss},
                               {"accuracy", trained->validation.accuracy},
                               {"agreement", trained->validation.agreement}};
  }

  std::filesystem::path network() const override { return folder() / "train" / kNetworkName; }
  void set_up_test(GateOptions& options) const override {
    options.candidate.fv_scale = generation().train.shape.fv_scale;
    options.champion.fv_scale = result_.fv_scale;
    options.hash_mb = generation().play.hash_mb;
  }
  void accept() override { result_.fv_scale = generation().train.shape.fv_scale; }
};

}  // namespace

std::expected<LoopResult, std::string> run_loop(const LoopOptions& options, const std::stop_token& stop) {
  return NnueLoop(options, stop).run();
}

}  // namespace fuhyo::learn
