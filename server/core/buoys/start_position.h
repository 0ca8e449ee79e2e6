// Start positions as hosts write them: for buoys, and for sets of positions that rounds draw from. Pure functions.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::core {

// A position to start from: where the pieces stood, and the moves that were made since.
struct StartPosition {
  std::string sfen;
  std::vector<std::string> moves;  // "+7776FU,T1": a move given without its time took one second (shogi-server)
  std::string title, comment;
  bool operator==(const StartPosition&) const = default;
};

// The moves of %%SETBUOY: CSA moves without blanks, each with its time or without: "+7776FU,T12-3334FU". All of them
// must be legal from the normal start position and must not end the game. The error says what is wrong.
std::expected<StartPosition, std::string> read_buoy_moves(std::string_view text);

// "startpos", an SFEN (with or without its move number) or CSA moves alone; then moves: after the word "moves" or
// without it, in USI ("7g7f 3c3d") or in CSA ("+7776FU,T12-3334FU"). Handicaps, missing pieces and kings are welcome;
// the side to move must have a legal move.
std::expected<StartPosition, std::string> read_start_position(std::string_view text);

// A set, one position a line: what read_start_position() reads, and after bars a title and a comment:
//   startpos moves 7g7f 3c3d | Yokofu | from the first round
// Empty lines, and lines that begin with '#', say nothing. The error names the line.
std::expected<std::vector<StartPosition>, std::string> read_position_set(std::string_view text);

}  // namespace fuhyo::core
