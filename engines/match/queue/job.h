// A match as work for many machines: what the batch says to all, what a chunk says of its games, and what comes back.
// Pure; any thread. JSON, and a line of it for each game (output/json.h), so that people can read a queue.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "engines/jobs/batch.h"
#include "engines/match/contestant.h"
#include "engines/match/match.h"
#include "engines/match/rules.h"

namespace fuhyo::match {

inline constexpr std::string_view kMatchKind = "match";

// What holds for every game of the batch.
struct MatchJob {
  std::vector<Contestant> engines;
  Rules rules;
  std::uint64_t seed = 1;
  bool operator==(const MatchJob&) const = default;
};
std::string to_text(const MatchJob& job);
std::expected<MatchJob, std::string> parse_match_job(std::string_view text);

// The whole schedule in chunks of so many encounters, whatever of it is played already. `name`: of the batch; empty:
// one that its content gives, so that the same match is the same batch.
jobs::Batch to_batch(const Match& match, std::string name, std::int64_t encounters);

// Of a chunk, and of its result: a line a game; those to be played have no moves yet. The error names the line.
std::string games_text(const std::vector<PlayedGame>& games);
std::expected<std::vector<PlayedGame>, std::string> parse_games(std::string_view text);

}  // namespace fuhyo::match
