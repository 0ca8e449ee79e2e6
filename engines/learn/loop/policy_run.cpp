#include "engines/learn/loop/policy_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engines/learn/data/whole_file.h"
#include "engines/learn/generate/policy/coordinator.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;

class PolicyLoop final : public GenerationLoop<PolicyLoopConfig> {
 public:
  PolicyLoop(const PolicyLoopOptions& options, const std::stop_token& stop) : GenerationLoop(options, stop) {
    result_.report.first = "the first network";
  }

 private:
  // Copies, so that the run does not depend on what becomes of the files.
  std::expected<void, std::string> prepare() override {
    result_.best = options_.folder / "first.nn";
    if (auto fits = fs::exists(result_.best) ? std::expected<void, std::string>() : check(config_); !fits) return fits;
    if (!config_.checkpoint.empty()) checkpoint_ = options_.folder / "first.checkpoint";
    for (const auto& [from, to] : {std::pair{&config_.network, &result_.best}, {&config_.checkpoint, &checkpoint_}}) {
      std::error_code error;
      if (to->empty() || fs::exists(*to, error)) continue;
      const auto bytes = read_file(*from);
      if (!bytes) return Failure(bytes.error());
      if (auto written = replace_file(*to, *bytes); !written) return written;
    }
    return {};
  }

  std::int64_t nodes() const override { return generation().play.playouts; }
  Done play() override {
    PolicyGenerateOptions options;
    options.job.play = generation().play;
    // A chunk for each process at least, and none that is many times what a process plays at once.
    const auto processes = static_cast<std::uint64_t>(std::max(options_.processes, 1));
    options.per_chunk =
        std::clamp<std::uint64_t>((generation().games + processes - 1) / processes, 1, options.per_chunk);
    options.worker = policy_play_command(options_.program, config_.at_once, config_.cache_mb, folder());
    return play_games(std::move(options));
  }

  std::string train_text(int first) const override {
    const policy::TrainOptions& train = generation().train;
    return fmt::format("{}, lambda {}; games of {} to {}, teacher {} of {}; seed {}; from {}", text_of_steps(train),
                       train.lambda, first, number(), config_.mix.part, config_.mix.files.size(), seed(1),
                       checkpoint_.empty() ? "chance" : checkpoint_.lexically_relative(options_.folder).string());
  }
  StageResult train(int first) override {
    policy::TrainOptions options = generation().train;
    options.seed = seed(1);
    options.from = checkpoint_.string();
    options.threads = static_cast<std::size_t>(std::clamp(options_.processes, 1, static_cast<int>(policy::kMostLanes)));
    options.say = teller();
    std::vector<std::string> data;
    for (int from = first; from <= number(); ++from) data.push_back((folder(from) / "self-play.hcpe3").string());
    const auto trained = policy::train(options, data, config_.tests, folder() / "train", stop_, config_.mix);
    if (!trained) return Failure(trained.error());
    if (!trained->complete) return std::nullopt;
    return boost::json::object{{"samples", trained->samples},
                               {"steps", trained->steps},
                               {"loss", trained->validation.move_loss},
                               {"agreement", trained->validation.accuracy()}};
  }
  std::string first_test() const override { return config_.tests.front(); }

  fs::path network() const override { return folder() / "train" / policy::kNetworkName; }
  void accept() override { checkpoint_ = folder() / "train" / kCheckpointName; }

  fs::path checkpoint_;  // of the best network so far; empty: none is known
};

}  // namespace

std::expected<LoopResult, std::string> run_policy_loop(const PolicyLoopOptions& options, const std::stop_token& stop) {
  return PolicyLoop(options, stop).run();
}

}  // namespace fuhyo::learn
