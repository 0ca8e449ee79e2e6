// The transposition table: what is known about positions met before. Not thread-safe: one search owns it.
#pragma once

#include <cstdint>
#include <memory>

#include "engines/shogi/types.h"

namespace fuhyo::nnue {

enum class Bound : std::uint8_t { none, upper, lower, exact };

struct TableEntry {
  shogi::Key key = 0;
  shogi::Move move;
  std::int16_t value = 0;  // mate scores count from this position, not from the root
  std::int16_t depth = 0;
  Bound bound = Bound::none;
  std::uint8_t age = 0;
};

class Table {
 public:
  // Throws away what it holds. At least one bucket.
  void resize(std::size_t megabytes);
  void clear();
  // A new search begins: older entries give way first.
  void age() { ++age_; }

  const TableEntry* probe(shogi::Key key) const;
  void store(shogi::Key key, shogi::Move move, int value, int depth, Bound bound);
  // Entries of this search, per mille (a sample).
  int full_permille() const;
  std::size_t megabytes() const { return megabytes_; }

 private:
  // One entry that prefers depth, one that takes everything.
  struct Bucket {
    TableEntry deep, newest;
  };
  Bucket& bucket(shogi::Key key) const;

  std::unique_ptr<Bucket[]> buckets_;
  std::size_t count_ = 0;
  std::size_t megabytes_ = 0;
  std::uint8_t age_ = 0;
};

}  // namespace fuhyo::nnue
