// Reads KIF and KI2 record files (.kif, .kifu, .ki2, .ki2u): LF, CR LF or CR, in UTF-8 with or without a mark, UTF-16
// with one, Shift_JIS or EUC-JP. The two differ in their lines of moves alone, so one reader takes both: "   1
// ７六歩(77)   ( 0:12/00:00:12)" of KIF, "▲７六歩 △３四歩 ▲同　銀右" of KI2 (see kif_move.h). Pure functions; any
// thread.
//
// What a line becomes: "*text" a comment (Comment::program), "#text" a note, but for those that open the file, which
// are about the program that wrote it; "&text", a bookmark, a note with its "&". Headers are kif_header.h's, blanks at
// their ends cut off. The end is the word in place of a move; without one, what the line "まで..." says. A line that
// says nothing this program understands is kept as an unparsed comment, with a warning.
//
// "変化：3手" begins a variation: what could have been played from the third move on, in the latest line above that has
// such a move. What is broken ends the variation, not the file, and a warning says so; so does one of a variation that
// no line has room for, or that stands before the moves (ShogiHome wrote such lines).
//
// Refused is what leaves the game in doubt: a move that is none, that cannot be carried out with more moves after it,
// that several pieces could make, moves after the end, a broken board. A second end is kept as a note. Legality is not
// judged.
#pragma once

#include <expected>
#include <string_view>

#include "engines/record/game_file.h"

namespace fuhyo::record {

// A whole file as it lies on disk.
std::expected<GameFile, Diagnostic> read_kif(std::string_view bytes);
// The same for text that is UTF-8 already.
std::expected<GameFile, Diagnostic> parse_kif(std::string_view utf8);

}  // namespace fuhyo::record
