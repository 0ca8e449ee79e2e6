// What %%MONITOR2ON tells of a game: shogi-server's record so far, and then the lines of each move (PROTOCOL.md). Pure;
// any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/core/game_facts.h"

namespace fuhyo::app {

struct WatchedMove {
  std::string csa;  // "+7776FU"
  std::int32_t spent_s = 0;
  std::vector<std::string> comments;  // raw bytes
};

struct WatchedLines {
  std::vector<std::string> comments;  // on the move before these
  std::vector<WatchedMove> moves;
  std::string end;                      // "%TORYO", "#TIME_UP"; empty: none of these lines is an end
  std::optional<std::int32_t> spent_s;  // T of a line that is judged before its end is told (%KACHI)
};

// Lines without their prefix. Notes of the server, such as lines out of turn, are passed over.
WatchedLines read_watched_lines(std::span<const std::string> lines);

struct WatchedRecord {
  core::GameOpened opened;  // as the record says it: without number, room and the wall time of this machine
  WatchedLines lines;       // behind the preset moves
};

inline bool is_record(std::span<const std::string> lines) { return !lines.empty() && lines[0].starts_with("V2"); }
// The error says what is missing or wrong in it.
std::expected<WatchedRecord, std::string> read_watched_record(std::span<const std::string> lines,
                                                              const std::string& csa_id);

}  // namespace fuhyo::app
