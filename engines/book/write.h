// Books as files: YaneuraOu's text and its binary. Pure functions; any thread.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "engines/book/book.h"

namespace fuhyo::book {

struct BookPosition {
  shogi::Position position;  // its move number is the book's
  Entry moves;
};

// A whole .db, sorted, so that it can be searched on disk; moves stay in their order.
std::string db_text(const std::vector<BookPosition>& positions);
// A whole .ybb with depths: what a .db says but replies and counts. Values and depths are cut to 16 bits. An error
// names a position that cannot be packed (packed_sfen.h) or has a move number above 65,535.
std::expected<std::string, std::string> ybb_bytes(const std::vector<BookPosition>& positions);

}  // namespace fuhyo::book
