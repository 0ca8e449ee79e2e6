// The flags of `fuhyo match`, and the plan that they make.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "engines/match/match.h"
#include "server/app/match/game_flags.h"

namespace fuhyo::app {

struct MatchOptions : GameFlags {
  std::vector<std::string> engines;
  std::string each;
  bool one_game = false, gauntlet = false, chain = false, ladder = false, stop_at_fault = false;
  std::int64_t games = 0, rounds = 0;
  int seeds = 1;
  std::string sprt, sprt_scale = "normalised";
  double alpha = 0.05, beta = 0.05;
  std::string games_file, pgn, csa;
  std::vector<std::string> report;
  std::int64_t every = 10;
  bool check_only = false;
  std::string queue, worker, batch, worker_name;
  std::int64_t chunk = 4, lease_s = 120;
  bool drain = false;
};

void add_match_flags(CLI::App& command, MatchOptions& options);

// What the flags ask for; what is wrong with them, or with the file of openings.
std::expected<match::MatchPlan, ExitError> plan_of(const MatchOptions& options);

}  // namespace fuhyo::app
