#include "engines/learn/loop/policy_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <utility>

#include "engines/learn/data/whole_file.h"
#include "engines/learn/data/work_folder.h"
#include "engines/learn/generate/policy/coordinator.h"
#include "engines/learn/loop/gate_stage.h"
#include "engines/learn/loop/round.h"
#include "engines/learn/loop/stage.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using Failure = std::unexpected<std::string>;

constexpr std::string_view kGamesName = "self-play.hcpe3";

// What of a training's log a plot shows: what was learnt, and the first test.
void read_policy_log(const fs::path& file, const std::string& test, GenerationReport& report) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    boost::system::error_code error;
    const json::value parsed = json::parse(line, error);
    const json::object* object = error ? nullptr : parsed.if_object();
    if (object == nullptr) continue;
    const json::value* name = object->if_contains("test");
    const LossPoint point{number_in(*object, "epoch"), number_in(*object, "loss")};
    if (name == nullptr)
      report.training.push_back(point);
    else if (name->is_string() && std::string_view(name->get_string()) == test)
      report.validation.push_back(point);
  }
}

class PolicyLoop {
 public:
  PolicyLoop(const PolicyLoopOptions& options, const std::stop_token& stop)
      : options_(options), config_(options.config), stop_(stop) {
    result_.report = {
        .name = options.name, .seed = config_.seed, .configuration = config_.text, .first = "the first network"};
  }

  std::expected<PolicyLoopResult, std::string> run() {
    if (auto ready = take_first(); !ready) return Failure(ready.error());
    for (number_ = 0; number_ < static_cast<int>(config_.generations.size()); ++number_) {
      const auto done = run_generation();
      if (!done) return Failure(done.error());
      if (!*done) return result_;
    }
    result_.complete = true;
    return result_;
  }

 private:
  using Done = std::expected<bool, std::string>;  // false: asked to stop

  // Copies, so that the run does not depend on what becomes of the files.
  std::expected<void, std::string> take_first() {
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

  const PolicyGeneration& generation() const { return config_.generations[static_cast<std::size_t>(number_)]; }
  GenerationReport& report() { return result_.report.generations.back(); }
  fs::path folder(int number) const { return options_.folder / fmt::format("generation-{}", number); }
  fs::path folder() const { return folder(number_); }
  std::uint64_t seed(std::uint64_t purpose) const { return round_seed(config_.seed, number_, purpose); }
  void say(std::string_view line) const { say_of(options_.say, "generation", number_, line); }

  Done run_generation() {
    if (auto made = make_folder(folder()); !made) return Failure(made.error());
    result_.report.generations.push_back({.number = number_, .nodes = generation().play.playouts});
    for (const auto stage : {&PolicyLoop::play, &PolicyLoop::learn, &PolicyLoop::test}) {
      auto done = (this->*stage)();
      if (auto told = write_page(options_.folder, result_.report); !told) return Failure(told.error());
      if (!done || !*done) return done;
    }
    return true;
  }

  // ---- games ----
  Done play() {
    PolicyGenerateOptions options;
    options.job = {.play = generation().play, .starts = config_.starts, .openings = config_.openings};
    options.job.play.network = result_.best.string();
    options.job.play.seed = seed(0);
    if (auto taken = take_fingerprints(options.job); !taken) return Failure(taken.error());
    options.games = {.first = 0, .count = generation().games};
    options.folder = folder();
    options.processes = options_.processes;
    // A chunk for each process at least, and none that is many times what a process plays at once.
    const auto processes = static_cast<std::uint64_t>(std::max(options_.processes, 1));
    options.per_chunk =
        std::clamp<std::uint64_t>((options.games.count + processes - 1) / processes, 1, options.per_chunk);
    options.worker = policy_play_command(options_.program, config_.at_once, config_.cache_mb, options.folder);
    options.say = [this](std::string_view line) { say(line); };
    // Another place of the same files is no other job.
    PolicyPlayJob anywhere = options.job;
    anywhere.play.network.clear(), anywhere.openings.clear();
    auto stage =
        Stage::open(folder() / "self-play.json", fmt::format("{} games {}", to_text(anywhere), options.games.count));
    if (!stage) return Failure(stage.error());
    if (!stage->result()) {
      const Stopwatch watch;
      const auto generated = generate(options, stop_);
      if (!generated) return Failure(generated.error());
      if (!generated->complete) return stage->stopped(watch.seconds());
      auto kept = stage->done({{"games", generated->games}, {"positions", generated->positions}}, watch.seconds());
      if (!kept) return Failure(kept.error());
    }
    report().games = whole_in(*stage->result(), "games");
    report().positions = whole_in(*stage->result(), "positions");
    report().play_seconds = stage->seconds();
    return true;
  }

  // ---- training ----
  std::string train_text(int first) const {
    const policy::TrainOptions& train = generation().train;
    std::string text = fmt::format(
        "{}; value {} from {} planes; {} passes of {} by {}, rate {} to {} after {}, values {}, decay {}, lambda {}; "
        "games of {} to {}, teacher {} of {}; seed {}; from ",
        train.shape.name(), train.shape.value_hidden, train.shape.value_planes, train.epochs, train.batch,
        train.learn.pass, train.rate.first, train.rate.last, train.rate.warm_up, train.learn.value_weight,
        train.learn.decay, train.lambda, first, number_, config_.mix.part, config_.mix.files.size(), seed(1));
    return text + (checkpoint_.empty() ? "chance" : checkpoint_.lexically_relative(options_.folder).string());
  }

  Done learn() {
    policy::TrainOptions options = generation().train;
    options.seed = seed(1);
    options.from = checkpoint_.string();
    options.threads = static_cast<std::size_t>(std::clamp(options_.processes, 1, static_cast<int>(policy::kMostLanes)));
    options.say = [this](std::string_view line) { say(line); };
    report().lambda = options.lambda;
    const int first = std::max(0, number_ - generation().window + 1);
    auto stage = Stage::open(folder() / "train.json", train_text(first));
    if (!stage) return Failure(stage.error());
    if (!stage->result()) {
      std::vector<std::string> data;
      for (int from = first; from <= number_; ++from) data.push_back((folder(from) / kGamesName).string());
      const Stopwatch watch;
      const auto trained = policy::train(options, data, config_.tests, folder() / "train", stop_, config_.mix);
      if (!trained) return Failure(trained.error());
      if (!trained->complete) return stage->stopped(watch.seconds());
      auto kept = stage->done({{"samples", trained->samples},
                               {"steps", trained->steps},
                               {"loss", trained->validation.move_loss},
                               {"agreement", trained->validation.accuracy()}},
                              watch.seconds());
      if (!kept) return Failure(kept.error());
    }
    const json::object& result = *stage->result();
    report().samples = whole_in(result, "samples");
    report().steps = whole_in(result, "steps");
    report().loss = number_in(result, "loss");
    report().agreement = number_in(result, "agreement");
    report().train_seconds = stage->seconds();
    read_policy_log(folder() / "train" / policy::kLogName, config_.tests.front(), report());
    return true;
  }

  // ---- its test ----
  Done test() {
    const LoopGate& asked = config_.gate;
    const fs::path network = folder() / "train" / policy::kNetworkName;
    const GateOptions options{.candidate = {network.string()},
                              .champion = {result_.best.string()},
                              .kind = GateKind::policy,
                              .engine = options_.engine,
                              .openings = asked.openings,
                              .folder = folder() / "gate",
                              .concurrency = options_.processes,
                              .seed = seed(2),
                              .test = asked.test,
                              .test_nodes = asked.test_nodes,
                              .test_games = asked.test_games,
                              .match_nodes = asked.match_nodes,
                              .match_games = asked.match_games,
                              .say = [this](std::string_view line) { say(line); }};
    auto done = gate_once(options, folder() / "gate.json", report(), stop_);
    if (!done || !*done) return done;
    if (report().accepted) {
      result_.best = network;
      checkpoint_ = folder() / "train" / policy::kCheckpointName;
    }
    say(report().accepted ? "accepted" : "not accepted: the network before it stays the best one");
    return true;
  }

  const PolicyLoopOptions& options_;
  const PolicyLoopConfig& config_;
  const std::stop_token& stop_;
  PolicyLoopResult result_;
  fs::path checkpoint_;  // of the best network so far; empty: none is known
  int number_ = 0;
};

}  // namespace

std::expected<PolicyLoopResult, std::string> run_policy_loop(const PolicyLoopOptions& options,
                                                             const std::stop_token& stop) {
  const auto lock = take_folder(options.folder, "run.lock");
  if (!lock) return Failure(lock.error());
  return PolicyLoop(options, stop).run();
}

}  // namespace fuhyo::learn
