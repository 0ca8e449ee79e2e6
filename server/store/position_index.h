// The positions of finished games but demonstrations, by which games are found. Made of the archive, behind the
// journal, which it never makes wait: SQLite has it in a file of its own, "-positions" beside the database. It may be
// deleted while nobody uses it, and of another database it is none: then it is made anew. One thread at a time.
#pragma once

#include <cstddef>
#include <expected>
#include <string>

namespace fuhyo::store {

class PositionIndex {
 public:
  virtual ~PositionIndex() = default;
  // Takes in at most `most` finished games that are not in it yet, all of them or none; how many there were. Fewer than
  // `most`: now it has them all.
  virtual std::expected<std::size_t, std::string> take_in(std::size_t most) = 0;
};

}  // namespace fuhyo::store
