// The texts of a match in a queue: of the batch, of a chunk with its games, and of the results. JSON, one line for each
// game (output/json.h), so that people can read a queue. Pure; any thread.
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

// What all games of the batch have in common.
struct MatchJob {
  std::vector<Contestant> engines;
  Rules rules;
  std::uint64_t seed = 1;
  bool operator==(const MatchJob&) const = default;
};
std::string to_text(const MatchJob& job);
std::expected<MatchJob, std::string> parse_match_job(std::string_view text);

// The whole schedule in chunks of so many encounters, played games included. `name`: of the batch; empty: derived from
// its content, so that the same match is the same batch.
jobs::Batch to_batch(const Match& match, std::string name, std::int64_t encounters);

// The text of a chunk, and of its result: one line for each game; games to be played have no moves. An error names the
// line.
std::string games_text(const std::vector<PlayedGame>& games);
std::expected<std::vector<PlayedGame>, std::string> parse_games(std::string_view text);

}  // namespace fuhyo::match
