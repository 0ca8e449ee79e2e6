// The lines of YaneuraOu's text books (.db): "sfen <board> <b|w> <hands> [<move number>]" opens a position, "<move>
// [<reply> [<value> [<depth> [<count>]]]]" is a move of it. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engines/book/book.h"

namespace fuhyo::book {

enum class LineKind : std::uint8_t {
  none,      // empty, a comment ("#", "//"), or a move that is none ("none", "resign")
  position,  // "sfen ..."
  move,
  damaged,  // none of these
};

// "sfen ..." in parts.
struct PositionLine {
  std::string_view key;      // board, side to move and hands, as they are written
  std::optional<int> ply{};  // the move number, where there is one
};

struct Line {
  LineKind kind = LineKind::none;
  PositionLine position{};
  BookMove move{};
};

// A line without its line end (a carriage return may remain). What lies behind the five fields of a move is a remark.
Line parse_db_line(std::string_view text);

// The same position has the same digest, whichever way its hands are written.
std::uint64_t digest_of_key(std::string_view key);
// Whether a key is written as Position::sfen() writes it: no other one of the same position is.
bool is_usual_key(std::string_view key);
// Whether two keys are the same position.
bool same_key(std::string_view a, std::string_view b);

}  // namespace fuhyo::book
