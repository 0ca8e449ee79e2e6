// The loop of both kinds of networks for shogi. A generation is games of the best network so far, a training with them
// and a test. Everything is in one folder, from which the same call resumes.
//
//   generation-N/self-play.json, train.json, gate.json    results (stage.h); the games lie beside them
//   generation-N/train/                                   the training
//   generation-N/gate/                                    the games of the test
//   index.html, loss.svg, elo.svg                         a page of the run, after each stage
#pragma once

#include <algorithm>
#include <expected>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "engines/learn/gate/gate.h"
#include "engines/learn/loop/history.h"
#include "engines/learn/loop/round_loop.h"
#include "engines/learn/loop/stage.h"

namespace fuhyo::learn {

template <class Config>
struct GenerationLoopOptions {
  Config config;
  std::string name;  // of the run, for its page
  std::filesystem::path folder;
  std::string program;  // fuhyo-learn, for processes that play
  std::string engine;   // of the networks, for matches
  int processes = 1;
  RoundLoop::Say say{};
};

struct LoopResult {
  RunReport report;
  std::filesystem::path best;  // the best network so far
  int fv_scale = 16;           // its, if it is an NNUE network
  bool complete = false;       // else it was stopped
};

// Plays the games of a test unless they have been, and writes its part of the report. False: `stop` was requested.
std::expected<bool, std::string> gate_once(const GateOptions& options, const std::filesystem::path& file,
                                           GenerationReport& report, const std::stop_token& stop);
// What of a training's log a plot shows: what was learnt, and the validations with `test`, or without a name.
void read_train_log(const std::filesystem::path& file, std::string_view test, GenerationReport& report);

template <class Config>
class GenerationLoop : protected RoundLoop {
 public:
  GenerationLoop(const GenerationLoopOptions<Config>& options, const std::stop_token& stop)
      : RoundLoop(options.folder, "generation", options.config.seed, options.say, stop),
        options_(options),
        config_(options.config) {
    result_.report.name = options.name;
    result_.report.seed = config_.seed;
    result_.report.configuration = config_.text;
  }

  std::expected<LoopResult, std::string> run() {
    const auto done = run_rounds(static_cast<int>(config_.generations.size()));
    if (!done) return Failure(done.error());
    result_.complete = *done;
    return std::move(result_);
  }

 protected:
  virtual std::int64_t nodes() const = 0;                // a move of the games
  virtual std::string train_text(int first) const = 0;   // all that the network depends on
  virtual StageResult train(int first) = 0;              // with the games of generations `first` to this one
  virtual std::string first_test() const { return {}; }  // whose validations the page shows
  virtual std::filesystem::path network() const = 0;     // that the training makes
  virtual void set_up_test(GateOptions& /*options*/) const {}
  virtual void accept() = 0;  // its network is the best one from now on

  const auto& generation() const { return config_.generations[static_cast<std::size_t>(number())]; }

  // `options`: with a worker, and what of a job is not the same for all kinds.
  template <class Options>
  Done play_games(Options options) {
    options.job.starts = config_.starts;
    options.job.openings = config_.openings;
    options.job.play.network = result_.best.string();
    options.job.play.seed = seed(0);
    if (auto taken = take_fingerprints(options.job); !taken) return Failure(taken.error());
    options.games = {.first = 0, .count = generation().games};
    options.folder = folder();
    options.processes = options_.processes;
    options.say = teller();
    // Another place of the same files is no other job.
    auto anywhere = options.job;
    anywhere.play.network.clear(), anywhere.openings.clear();
    const auto stage =
        run_stage(folder() / "self-play.json", fmt::format("{} games {}", to_text(anywhere), options.games.count),
                  [&]() -> StageResult {
                    const auto generated = generate(options, stop_);
                    if (!generated) return Failure(generated.error());
                    if (!generated->complete) return std::nullopt;
                    return boost::json::object{{"games", generated->games}, {"positions", generated->positions}};
                  });
    if (!stage) return Failure(stage.error());
    if (!*stage) return false;
    report().games = whole_in((*stage)->result, "games");
    report().positions = whole_in((*stage)->result, "positions");
    report().play_seconds = (*stage)->seconds;
    return true;
  }

  const GenerationLoopOptions<Config>& options_;
  const Config& config_;
  LoopResult result_;

 private:
  GenerationReport& report() { return result_.report.generations.back(); }
  void begin_round() final { result_.report.generations.push_back({.number = number(), .nodes = nodes()}); }
  std::expected<void, std::string> write_report() final { return write_page(options_.folder, result_.report); }

  Done learn() final {
    report().lambda = generation().train.lambda;
    const int first = std::max(0, number() - generation().window + 1);
    const auto stage = run_stage(folder() / "train.json", train_text(first), [&] { return train(first); });
    if (!stage) return Failure(stage.error());
    if (!*stage) return false;
    const boost::json::object& result = (*stage)->result;
    report().samples = whole_in(result, "samples");
    report().steps = whole_in(result, "steps");
    report().loss = number_in(result, "loss");
    report().accuracy = number_in(result, "accuracy");
    report().agreement = number_in(result, "agreement");
    report().train_seconds = (*stage)->seconds;
    read_train_log(folder() / "train/log.jsonl", first_test(), report());
    return true;
  }

  Done test() final {
    GateOptions options = config_.gate;
    options.candidate.file = network().string();
    options.champion.file = result_.best.string();
    options.engine = options_.engine;
    options.folder = folder() / "gate";
    options.concurrency = options_.processes;
    options.seed = seed(2);
    options.say = teller();
    set_up_test(options);
    auto done = gate_once(options, folder() / "gate.json", report(), stop_);
    if (!done || !*done) return done;
    if (report().accepted) {
      result_.best = network();
      accept();
    }
    say(report().accepted ? "accepted" : "not accepted: the network before it stays the best one");
    return true;
  }
};

}  // namespace fuhyo::learn
