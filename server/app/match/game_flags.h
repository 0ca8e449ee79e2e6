// How games are played: the flags that `fuhyo match` and `fuhyo tune` share, and what they come to.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "engines/match/contestant.h"
#include "engines/match/opening_line.h"
#include "engines/match/runner.h"
#include "server/app/commands.h"

namespace fuhyo::app {

struct GameFlags {
  std::string time, openings;
  std::int64_t opening_plies = -1, first_opening = 1;
  bool shuffle = false, pin = false;
  int concurrency = 1;
  std::uint64_t seed = 1;
  int move_limit = 320;
  std::string declaration = "27";
  std::int64_t margin_ms = 20, hang_ms = 10'000, patience_s = 600;
  std::int64_t usiok_s = 30, readyok_s = 300;
  std::string resign, draw, protocol_log;
};

void add_game_flags(CLI::App& command, GameFlags& flags);

// What parse_contestant() takes an engine to be that says nothing else: its time control, how long its start may take.
std::expected<match::Contestant, ExitError> engine_base(const GameFlags& flags);
// By slot; empty: engines run wherever there is room.
std::vector<int> cores_of(const GameFlags& flags);
std::expected<match::RunnerOptions, ExitError> runner_terms(const GameFlags& flags);
// Those of the file; none if none is named.
std::expected<std::vector<match::Opening>, ExitError> openings_of(const GameFlags& flags);

}  // namespace fuhyo::app
