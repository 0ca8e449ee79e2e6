// The flags of `fuhyo tune`.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "engines/match/tune/spsa.h"
#include "engines/match/tune/tuner.h"
#include "engines/match/tune/two_stage.h"
#include "server/app/match/game_flags.h"

namespace fuhyo::app {

struct TuneOptions {
  std::string parameters, state, method = "spsa";
  std::vector<std::string> only;
  bool toy = false, list = false;
  std::string engine;
  GameFlags play{};
  std::int64_t games = 0, games_per_trial = 0;
  std::int64_t save_every_s = 10, tell_every = 0;
  std::string params_out, setoptions_out, plot_out;

  // SPSA
  std::string against, rounding;
  match::tune::SpsaRules spsa{};
  // two-stage
  match::tune::TwoStageRules two_stage{};
  std::string kernel = "rbf";
  bool length_each = false;

  std::int64_t per_trial() const { return games_per_trial > 0 ? games_per_trial : method == "two-stage" ? 100 : 2; }
};

void add_tune_flags(CLI::App& command, TuneOptions& options);

// A tuner that begins as the flags say.
std::expected<std::unique_ptr<match::tune::Tuner>, std::string> make_tuner(match::tune::Parameters parameters,
                                                                           const TuneOptions& options);

}  // namespace fuhyo::app
