// `fuhyo tune`: finds better values for the parameters of an engine by games.
#include <fmt/format.h>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "engines/match/tune/engine_trials.h"
#include "engines/match/tune/toy.h"
#include "engines/usi/process_stop.h"
#include "server/app/commands.h"
#include "server/app/match/protocol_log.h"
#include "server/app/tune/keeper.h"
#include "server/app/tune/options.h"

namespace fuhyo::app {
namespace {

namespace tune = match::tune;

constexpr int kExitInterrupted = 130;

using Failure = std::unexpected<ExitError>;

int wrong(const ExitError& failure) {
  fmt::print(stderr, "fuhyo tune: {}\n", failure.text);
  return failure.code;
}

// ---- games ----

TuneResult<void> play_toy_games(const TuneOptions& options, tune::Tuner& tuner, TuneKeeper& keeper,
                                const std::stop_token& stop) {
  while (tuner.games() < options.games && !stop.stop_requested()) {
    const tune::TrialResult result = tune::play_toy(tuner.next(), options.per_trial(), options.play.seed);
    if (auto reported = tuner.report(result); !reported) return Failure({reported.error(), kExitFailed});
    if (auto kept = keeper.reported(); !kept) return kept;
  }
  return {};
}

// Who plays, and how.
TuneResult<tune::EngineTrials> trials_of(const TuneOptions& options) {
  if (options.engine.empty()) return Failure({"which engine? --engine COMMAND, or --toy", kExitUsage});
  const auto base = engine_base(options.play);
  if (!base) return Failure(base.error());
  auto engine = match::parse_contestant(options.engine, *base);
  if (!engine) return Failure({fmt::format("--engine {}: {}", options.engine, engine.error()), kExitUsage});
  auto runner = runner_terms(options.play);
  if (!runner) return Failure(runner.error());
  auto openings = openings_of(options.play);
  if (!openings) return Failure(openings.error());
  if (openings->empty()) openings->emplace_back();
  return tune::EngineTrials{.engine = std::move(*engine),
                            .openings = std::move(*openings),
                            .runner = std::move(*runner),
                            .games_per_trial = options.per_trial(),
                            .games = options.games};
}

TuneResult<void> play_engine_games(const TuneOptions& options, tune::Tuner& tuner, TuneKeeper& keeper,
                                   const std::stop_token& stop) {
  auto trials = trials_of(options);
  if (!trials) return Failure(trials.error());
  if (trials->engine.time == match::TimeControl{}) {
    return Failure({"how long may the engine think? --tc TIME", kExitUsage});
  }
  std::optional<ProtocolLog> log;
  if (!options.play.protocol_log.empty()) {
    log.emplace(options.play.protocol_log);
    if (!log->is_open()) return Failure({options.play.protocol_log + ": cannot be written", kExitCannotCreate});
    trials->runner.log = log->writer();
  }
  // One that is not a tuning build, or of another version, is found before the first game.
  const match::Contestant sample = with_options(trials->engine, tuner.parameters(), values_of(tuner.parameters()));
  if (auto tried = match::Runner::try_out(sample, stop); !tried) return Failure({tried.error(), kExitFailed});
  std::optional<ExitError> trouble;
  const auto reported = [&](const tune::TrialTally& tally) -> std::expected<void, std::string> {
    const auto kept = keeper.reported(tally.faults > 0 ? fmt::format(", {} faults", tally.faults) : std::string());
    if (kept) return {};
    trouble = kept.error();
    return std::unexpected(kept.error().text);
  };
  const auto played = play_trials(*trials, tuner, reported, stop);
  if (trouble) return Failure(*trouble);
  if (!played) return Failure({played.error(), kExitFailed});
  return {};
}

// ---- what an engine can be tuned in ----

int list_parameters(const TuneOptions& options, const std::stop_token& stop) {
  const auto trials = trials_of(options);
  if (!trials) return wrong(trials.error());
  std::string lines;
  match::UsiPlayer engine(trials->engine.engine, "", -1,
                          [&lines](std::string_view, char direction, std::string_view line) {
                            if (direction == '>' && line.starts_with("option ")) lines += fmt::format("{}\n", line);
                          });
  if (auto started = engine.new_game({.stop = stop}); !started) return wrong({started.error().why, kExitFailed});
  auto parameters = tune::read_parameters(lines, engine.name());
  if (!parameters) return wrong({parameters.error(), kExitFailed});
  if (!options.only.empty()) parameters = selected(*parameters, options.only);
  if (!parameters) return wrong({"--only: " + parameters.error(), kExitUsage});
  fmt::print("{}", to_params(*parameters));
  return kExitOk;
}

int run(const TuneOptions& options) {
  usi::StopBySignal stop;
  if (options.list) return list_parameters(options, stop.token());
  if (options.games == 0) return wrong({"how many games? --games N", kExitUsage});
  const auto lock = lock_state(options);
  if (!lock) return wrong(lock.error());
  auto tuner = open_tuner(options);
  if (!tuner) return wrong(tuner.error());
  TuneKeeper keeper(options, **tuner);
  const auto played = options.toy ? play_toy_games(options, **tuner, keeper, stop.token())
                                  : play_engine_games(options, **tuner, keeper, stop.token());
  if (!played) {
    if (const auto saved = keeper.save(); !saved) wrong(saved.error());
    return wrong(played.error());
  }
  if (auto finished = keeper.finish(); !finished) return wrong(finished.error());
  return stop.token().stop_requested() && (*tuner)->games() < options.games ? kExitInterrupted : kExitOk;
}

}  // namespace

Command add_tune(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "tune", "Finds better values for an engine's parameters by games");
  const auto options = std::make_shared<TuneOptions>();
  add_tune_flags(*command, *options);
  return [options] { return run(*options); };
}

}  // namespace fuhyo::app
