// Writes a game as JKF, a game as JSON (see jkf_reader.h), which read_jkf() reads back. Pure functions; any thread.
//
// What it cannot say, and what becomes of it: fractions of a second are cut off; every comment becomes one of the same
// kind (Comment::program); of headers of one name the first stays. Ends have the names of CSA; EndKind::other its word,
// and max_moves is "MAX_MOVES", which the schema does not list. An impossible move is written as it is. Branches are
// forks of the move instead of which they are played, or of an entry without one at the end of a line; their comments
// before the first move stand behind it.
#pragma once

#include <string>

#include "engines/record/game.h"

namespace fuhyo::record {

std::string write_jkf(const Game& game);  // UTF-8, one line

}  // namespace fuhyo::record
