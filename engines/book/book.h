// The interface of an opening book: moves for a position.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engines/shogi/position.h"

namespace fuhyo::book {

struct BookMove {
  shogi::Move move{};
  shogi::Move reply{};      // expected of the opponent; no move if the book names none
  int value = 0;            // for the side to move, usually in centipawns
  int depth = 0;            // to which it was searched
  std::uint64_t count = 0;  // how often it was played
  bool operator==(const BookMove&) const = default;
};
// Each move once, in the order of the file.
using Entry = std::vector<BookMove>;
// What is there already stays as it is.
inline void add_once(Entry& entry, const BookMove& move) {
  if (std::ranges::find(entry, move.move, &BookMove::move) == entry.end()) entry.push_back(move);
}

// The position to look up. Books without move numbers ignore `ply`.
struct Query {
  shogi::Position position;
  // Only an entry with this move number will do (1 at the start); none: any.
  std::optional<int> ply{};
};

class Book {
 public:
  virtual ~Book() = default;
  // Empty if the book does not have the position. The moves are those of the file; the caller must check that they are
  // legal. One thread at a time.
  virtual Entry find(const Query& query) = 0;
  // One line for people: how many positions, and where they are kept.
  virtual std::string description() const = 0;
};

}  // namespace fuhyo::book
