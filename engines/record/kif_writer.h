// Writes games as KIF and KI2 files, which read_kif() reads back. UTF-8 with LF; see encode_from_utf8() for Shift_JIS.
// Pure functions; any thread.
//
// What neither can say, and what becomes of it: notes and unparsed lines become "#" remarks, which are read as notes;
// text of several lines becomes several comments; blanks at the ends of headers go; a header whose name would be taken
// for something else becomes a remark. Ends: see kif_end.h; EndKind::other keeps its word, if it can be one.
//
// KIF says whole seconds: fractions are cut off. A move that the rules forbid is written like any other one. A move
// that nobody could carry out is written too, as the side to move's.
//
// KI2 has neither times nor origins, and ends are said by its last line alone ("まで123手で先手の勝ち"). Other programs
// refuse what they do not know there: so KIF goes without the line, and KI2 has it as a comment, for the ends that are
// not is_usual_end(). Comments on the end stand before that line, as they want it; so KI2 says them of the last move.
//
// Branches are "変化：3手" with their moves; a "+" behind a move of KIF says that there are others below.
#pragma once

#include <expected>
#include <string>

#include "engines/record/game.h"

namespace fuhyo::record {

std::string write_kif(const Game& game);

// Fails, and says why, if a move cannot be told from others in words: one that its piece does not make, or an
// impossible one.
std::expected<std::string, std::string> write_ki2(const Game& game);

}  // namespace fuhyo::record
