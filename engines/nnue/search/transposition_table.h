// The transposition table, shared by all threads of a search.
//
// An entry is two words that are read and written by relaxed atomics: the data, and the key xor the data. Words of two
// different writes do not fit together, so a torn entry is never found (Hyatt and Mann's lockless hashing). Any
// thread may probe and store, at any time; resize() and clear() need everybody else to be away.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "engines/nnue/huge_pages.h"
#include "engines/nnue/search/values.h"

namespace fuhyo::nnue {

enum class Bound : std::uint8_t { none, upper, lower, exact };

// `value` counts mates from the position itself; value_from_table() turns it to the root's view.
struct TtEntry {
  shogi::Move move;
  std::int16_t value = 0;
  std::int16_t evaluation = 0;  // static, uncorrected; kUnknown in check
  std::int8_t depth = 0;
  Bound bound = Bound::none;
  bool pv = false;
};

// Mates and declarations are stored as seen from their position, since it is reached at different depths.
constexpr int value_to_table(int value, int ply) {
  return value >= kMateInMax ? value + ply : value <= -kMateInMax ? value - ply : value;
}
constexpr int value_from_table(int value, int ply) {
  return value >= kMateInMax ? value - ply : value <= -kMateInMax ? value + ply : value;
}

class TranspositionTable {
 public:
  static constexpr int kQuiescence = 0;           // captures and checks
  static constexpr int kQuiescenceCaptures = -1;  // captures only
  static constexpr int kNoDepth = -2;             // only an evaluation, no search
  static constexpr int kMaxDepth = 127;

  // Drops all entries. Throws std::bad_alloc.
  void resize(std::size_t megabytes);
  void clear(int threads);
  // Begins a new generation: older entries are replaced first.
  void new_search() { generation_.store((generation() + 1) & kGenerationMask, std::memory_order_relaxed); }

  std::optional<TtEntry> probe(shogi::Key key) const;
  // Keeps a much deeper entry of this search. An entry without a move keeps the move that is there.
  void store(shogi::Key key, const TtEntry& entry);
  void prefetch(shogi::Key key) const { __builtin_prefetch(&bucket(key)); }

  // Entries of this search, per mille (a sample).
  int hashfull_permille() const;
  std::size_t megabytes() const { return megabytes_; }

 private:
  static constexpr unsigned kGenerationMask = 31;
  struct Slot {
    std::atomic<std::uint64_t> check{0};  // key xor data
    std::atomic<std::uint64_t> data{0};
  };
  struct alignas(64) Bucket {
    std::array<Slot, 4> slots;
  };
  static std::uint64_t pack(const TtEntry& entry, unsigned generation);
  static TtEntry unpack(std::uint64_t data);
  unsigned generation() const { return generation_.load(std::memory_order_relaxed); }
  // The replacement value of an entry: its depth, less 8 for every search since.
  int worth(std::uint64_t data) const;
  // The high half of the product spreads any key over any number of buckets without a division.
  Bucket& bucket(shogi::Key key) const {
    return buckets_[static_cast<std::size_t>((static_cast<unsigned __int128>(key) * count_) >> 64)];
  }

  LargeArray<Bucket> buckets_;
  std::size_t count_ = 0;
  std::size_t megabytes_ = 0;
  std::atomic<unsigned> generation_ = 0;
};

}  // namespace fuhyo::nnue
