// The trials of a tuner played by an engine: both sides are the same program, with different options. Blocks until the
// games are played.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engines/match/contestant.h"
#include "engines/match/opening_line.h"
#include "engines/match/runner.h"
#include "engines/match/tune/tuner.h"

namespace fuhyo::match::tune {

struct EngineTrials {
  Contestant engine;              // with the options of both sides; those that are tuned come on top
  std::vector<Opening> openings;  // at least one; taken in turn
  RunnerOptions runner;
  std::int64_t games_per_trial = 2;
  std::int64_t games = 0;  // until the tuner has so many
};

// What happened to the games so far.
struct TrialTally {
  std::int64_t wins = 0, draws = 0, losses = 0;  // of the sides called plus
  std::int64_t faults = 0;                       // losses by crash, hanging, time or an illegal move
};

// Engines that cannot play: so many games in a row that ended by a crash or a hang end the tuning.
constexpr int kFaultsInARow = 20;

// What a side is: the engine with the options of the parameters that are used.
Contestant with_options(Contestant engine, const Parameters& parameters, const Values& values);

// `reported`: called after each trial, and with the games so far; an error ends the tuning. One call at a time.
std::expected<void, std::string> play_trials(
    const EngineTrials& trials, Tuner& tuner,
    const std::function<std::expected<void, std::string>(const TrialTally&)>& reported, const std::stop_token& stop);

}  // namespace fuhyo::match::tune
