#include "engines/learn/loop/run.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <utility>

#include "engines/learn/data/whole_file.h"
#include "engines/learn/data/work_folder.h"
#include "engines/learn/generate/coordinator.h"
#include "engines/learn/loop/gate_stage.h"
#include "engines/learn/loop/round.h"
#include "engines/learn/loop/stage.h"
#include "engines/learn/train/game_set.h"
#include "engines/learn/train/train_log.h"
#include "engines/nnue/net/untrained.h"

namespace fuhyo::learn {
namespace {

namespace json = boost::json;
using Failure = std::unexpected<std::string>;

// What of a training's log a plot shows.
void read_log(const std::filesystem::path& file, GenerationReport& report) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    boost::system::error_code error;
    const json::value parsed = json::parse(line, error);
    const json::object* object = error ? nullptr : parsed.if_object();
    if (object == nullptr) continue;
    const json::value* kind = object->if_contains("kind");
    auto& points = kind != nullptr && *kind == "validation" ? report.validation : report.training;
    points.push_back({number_in(*object, "epoch"), number_in(*object, "loss")});
  }
}

class Loop {
 public:
  Loop(const LoopOptions& options, const std::stop_token& stop) : options_(options), stop_(stop) {
    result_.report = {.name = options.name, .seed = options.config.seed, .configuration = options.config.text};
  }

  std::expected<LoopResult, std::string> run() {
    if (auto ready = take_first_network(); !ready) return Failure(ready.error());
    for (number_ = 0; number_ < static_cast<int>(options_.config.generations.size()); ++number_) {
      auto done = run_generation();
      if (!done) return Failure(done.error());
      if (!*done) return result_;
    }
    result_.complete = true;
    return result_;
  }

 private:
  using Done = std::expected<bool, std::string>;  // false: asked to stop

  std::filesystem::path untrained() const { return options_.folder / "untrained.nn.bin"; }
  // A copy, so that the run does not depend on what becomes of the file.
  std::expected<void, std::string> take_first_network() {
    const std::string& network = options_.config.network;
    result_.best = network.empty() ? untrained() : options_.folder / "first.nn.bin";
    if (!network.empty()) result_.fv_scale = options_.config.fv_scale;
    if (std::filesystem::exists(result_.best)) return {};
    if (auto fits = check(options_.config); !fits) return fits;
    const std::expected<std::string, std::string> bytes =
        network.empty() ? nnue::untrained_network() : read_file(network);
    if (!bytes) return Failure(bytes.error());
    return replace_file(result_.best, *bytes);
  }

  const LoopGeneration& generation() const { return options_.config.generations[static_cast<std::size_t>(number_)]; }
  GenerationReport& report() { return result_.report.generations.back(); }
  std::filesystem::path folder(int number) const { return options_.folder / fmt::format("generation-{}", number); }
  std::filesystem::path folder() const { return folder(number_); }
  std::filesystem::path network() const { return folder() / "train" / kNetworkName; }
  std::uint64_t seed(std::uint64_t purpose) const { return round_seed(options_.config.seed, number_, purpose); }
  void say(std::string_view line) const { say_of(options_.say, "generation", number_, line); }

  Done run_generation() {
    if (auto made = make_folder(folder()); !made) return Failure(made.error());
    result_.report.generations.push_back({.number = number_, .nodes = generation().play.nodes});
    for (const auto stage : {&Loop::play, &Loop::learn, &Loop::test}) {
      auto done = (this->*stage)();
      if (auto told = write_page(options_.folder, result_.report); !told) return Failure(told.error());
      if (!done || !*done) return done;
    }
    return true;
  }

  // ---- games ----
  Done play() {
    GenerateOptions options;
    options.job = {.play = generation().play, .starts = options_.config.starts, .openings = options_.config.openings};
    options.job.play.network = result_.best.string();
    options.job.play.fv_scale = result_.fv_scale;
    options.job.play.seed = seed(0);
    if (auto taken = take_fingerprints(options.job); !taken) return Failure(taken.error());
    options.games = {.first = 0, .count = generation().games};
    options.folder = folder();
    options.processes = options_.processes;
    options.worker = play_command(options_.program);
    options.say = [this](std::string_view line) { say(line); };
    // Another place of the same files is no other job.
    SelfPlayJob anywhere = options.job;
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
  Done learn() {
    TrainOptions options = generation().train;
    options.sampler.seed = seed(1);
    options.threads = static_cast<std::size_t>(std::max(options_.processes, 1));
    options.say = [this](std::string_view line) { say(line); };
    report().lambda = options.lambda;
    const bool from_best = generation().from_best && result_.best != untrained();
    if (from_best) options.from = result_.best.string();
    const int first = std::max(0, number_ - generation().window + 1);
    auto stage =
        Stage::open(folder() / "train.json", fmt::format("{}{} games of {} to {}", to_text(options),
                                                         from_best ? " from the best network" : "", first, number_));
    if (!stage) return Failure(stage.error());
    if (!stage->result()) {
      std::vector<DataSet> sets;
      for (int from = first; from <= number_; ++from) {
        auto set = game_set((folder(from) / "self-play.games").string());
        if (!set) return Failure(set.error());
        sets.push_back(std::move(*set));
      }
      const Stopwatch watch;
      const auto trained = train(options, std::move(sets), folder() / "train", stop_);
      if (!trained) return Failure(trained.error());
      if (!trained->complete) return stage->stopped(watch.seconds());
      auto kept = stage->done({{"games", trained->games},
                               {"samples", trained->samples},
                               {"steps", trained->steps},
                               {"loss", trained->validation.loss},
                               {"accuracy", trained->validation.accuracy},
                               {"agreement", trained->validation.agreement}},
                              watch.seconds());
      if (!kept) return Failure(kept.error());
    }
    const json::object& result = *stage->result();
    report().samples = whole_in(result, "samples");
    report().steps = whole_in(result, "steps");
    report().loss = number_in(result, "loss");
    report().accuracy = number_in(result, "accuracy");
    report().agreement = number_in(result, "agreement");
    report().train_seconds = stage->seconds();
    read_log(folder() / "train" / kTrainLogName, report());
    return true;
  }

  // ---- its test ----
  GateOptions gate_options() const {
    const LoopGate& gate = options_.config.gate;
    return {.candidate = {network().string(), generation().train.shape.fv_scale},
            .champion = {result_.best.string(), result_.fv_scale},
            .engine = options_.engine,
            .openings = gate.openings,
            .folder = folder() / "gate",
            .concurrency = options_.processes,
            .hash_mb = generation().play.hash_mb,
            .seed = seed(2),
            .test = gate.test,
            .test_nodes = gate.test_nodes,
            .test_games = gate.test_games,
            .match_nodes = gate.match_nodes,
            .match_games = gate.match_games,
            .say = [this](std::string_view line) { say(line); }};
  }
  Done test() {
    auto done = gate_once(gate_options(), folder() / "gate.json", report(), stop_);
    if (!done || !*done) return done;
    if (report().accepted) {
      result_.best = network();
      result_.fv_scale = generation().train.shape.fv_scale;
    }
    say(report().accepted ? "accepted" : "not accepted: the network before it stays the best one");
    return true;
  }

  const LoopOptions& options_;
  const std::stop_token& stop_;
  LoopResult result_;
  int number_ = 0;
};

}  // namespace

std::expected<LoopResult, std::string> run_loop(const LoopOptions& options, const std::stop_token& stop) {
  const auto lock = take_folder(options.folder, "run.lock");
  if (!lock) return Failure(lock.error());
  return Loop(options, stop).run();
}

}  // namespace fuhyo::learn
