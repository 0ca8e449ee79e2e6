// The flags of `fuhyo match`, and the plan that they make.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "engines/match/match.h"

namespace CLI {
class App;
}

namespace fuhyo::app {

struct MatchOptions {
  std::vector<std::string> engines;
  std::string each, time, openings;
  bool shuffle = false, one_game = false, gauntlet = false, chain = false, ladder = false, pin = false,
       stop_at_fault = false;
  std::int64_t games = 0, rounds = 0, first_opening = 1, opening_plies = -1;
  int seeds = 1, concurrency = 1;
  std::uint64_t seed = 1;
  std::string sprt, sprt_scale = "normalised";
  double alpha = 0.05, beta = 0.05;
  int move_limit = 320;
  std::string declaration = "27";
  std::int64_t margin_ms = 20, hang_ms = 10'000, patience_s = 600;
  std::string resign, draw;
  std::string games_file, pgn, csa, protocol_log;
  std::vector<std::string> report;
  std::int64_t every = 10;
  bool check_only = false;
  std::string queue, worker, batch, worker_name;
  std::int64_t chunk = 4, lease_s = 120;
  bool drain = false;
};

void add_match_flags(CLI::App& command, MatchOptions& options);

struct PlanError {
  std::string text;
  int code;  // to exit with
};
// What the flags ask for; what is wrong with them, or with the file of openings.
std::expected<match::MatchPlan, PlanError> plan_of(const MatchOptions& options);

}  // namespace fuhyo::app
