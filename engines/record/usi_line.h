// A game as the line with which USI sets up a position: "position startpos moves 7g7f 3c3d", "position sfen ... moves
// ...". Pure functions; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "engines/record/game_file.h"

namespace fuhyo::record {

// One line with LF. It says the start and the moves, and nothing else: no names, times, comments or end, and no move
// that could not be carried out.
std::string write_usi(const Game& game);

// The first line that is neither empty nor a "#" remark; "position", "startpos", "sfen" and "moves" may be missing.
// Behind the moves "resign" and "win" may end the game, as bestmove says them. Legality is not judged. Lines after it
// are other games, and a warning says how many there are.
std::expected<GameFile, Diagnostic> read_usi(std::string_view bytes);
// All of them: at least one.
std::expected<std::vector<GameFile>, Diagnostic> read_usi_lines(std::string_view bytes);
// Whether a line begins as one without a keyword does: with an SFEN or a move.
bool is_bare_usi(std::string_view line);

}  // namespace fuhyo::record
