// Forced mates by checks alone ("tsume"), as a service: proves a mate or that there is none, and gives its line.
// What is answered is certain: a mate was replayed, every defence of it, by the rules of engines/shogi, and that there
// is none rests on no cut-off and no path. The game before the position, its move number and the points of a
// declaration play no part. One thread at a time per object.
#pragma once

#include <cstddef>
#include <vector>

#include "engines/mate/proof_search.h"
#include "engines/mate/proof_table.h"
#include "engines/shogi/position.h"

namespace fuhyo::mate {

struct Answer {
  enum class Kind : std::uint8_t { mate, no_mate, unknown };
  Kind kind = Kind::unknown;
  // Of a mate: a line that ends with it.
  std::vector<shogi::Move> line{};
  // No shorter mate exists, and in the line the attacker never takes longer than it must, the defender never less than
  // it can. Every legal defence counts, also an interposition that is simply taken.
  bool shortest = false;
  std::uint64_t nodes = 0;
};

class Solver {
 public:
  // Memory for what is known of positions. Throws std::bad_alloc.
  void resize(std::size_t megabytes) { table_.resize(megabytes); }
  std::size_t megabytes() const { return table_.megabytes(); }
  // How much of it the last problem took.
  std::size_t used_bytes() const { return table_.used_bytes(); }

  // Whether the side to move mates. `shortest` also looks for the shortest mate, and keeps the first one found if it is
  // stopped. `stop` is asked every few hundred positions, less than a millisecond apart.
  Answer solve(const shogi::Position& position, bool shortest, Stop stop);

 private:
  ProofTable table_;
};

}  // namespace fuhyo::mate
