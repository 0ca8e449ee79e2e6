// Reads JKF, a game as JSON (the json-kifu-format of npm; its schema is in the repository na2hiro/Kifu-for-JS): headers
// under the names of KIF, the start as a preset or a board, moves with times, comments and ends. Pure functions; any
// thread.
//
// Comments become Comment::program. A time may have decimals of a second. A piece that is not named is the one on the
// origin; "relative" is only looked at where a move has no origin and is no drop. Forks become branches; what is broken
// ends its fork, not the file, and a warning says so. Legality is not judged.
#pragma once

#include <expected>
#include <string_view>

#include "engines/record/game_file.h"

namespace fuhyo::record {

// A whole file as it lies on disk. A defect of the JSON itself has its line; one of what it says, the number of its
// move.
std::expected<GameFile, Diagnostic> read_jkf(std::string_view bytes);

}  // namespace fuhyo::record
