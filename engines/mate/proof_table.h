// The transposition table of the proof-number search, of bounded memory. One thread at a time per object.
// An entry holds the full 64-bit key of the board and the exact hand. A bucket holds one board with all of its hands,
// so that an entry of one hand also serves better and worse ones. A full bucket replaces the entry that cost the fewest
// nodes: entries may be lost, they are never wrong.
// The table begins small and grows bucket by bucket into its memory (linear hashing). So small problems stay in the
// caches of the processor, and no single step pays for all of the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "engines/shogi/types.h"

namespace fuhyo::mate {

// The attacker's hand, one byte a kind. Within one search the board and this hand say what the defender holds.
using HandBits = std::uint64_t;
inline HandBits hand_bits(shogi::Hand hand) { return hand.bits() >> 8; }
// Whether a has at least everything that b has.
inline bool has_all_of(HandBits a, HandBits b) {
  constexpr HandBits kGuards = 0x80808080808080;  // a kind is held at most 18 times
  return (((a | kGuards) - b) & kGuards) == kGuards;
}
// Of every kind as many as the one that has more of it.
inline HandBits most_of(HandBits a, HandBits b) {
  constexpr HandBits kGuards = 0x80808080808080;
  const HandBits from_a = ((((a | kGuards) - b) & kGuards) >> 7) * 0xff;
  return (a & from_a) | (b & ~from_a);
}

// A mate in at most so many plies is looked for; without limit, any.
using Plies = std::uint16_t;
constexpr Plies kNoLimit = 0x3fff;

enum class State : std::uint8_t {
  unknown,
  proven,       // mate within `plies`
  disproven,    // no mate within `plies`
  conditional,  // no mate without limit, on one path: the attacker would have to repeat a position of it
};

// The proof and disproof numbers, seen from the side to move: `phi` estimates the work to show that it reaches its goal
// (the attacker to mate, the defender to escape), `delta` that it does not.
struct Knowledge {
  static constexpr std::uint32_t kInfinite = 100'000'000;

  State state = State::unknown;
  Plies plies = 0;
  std::uint32_t phi = 1, delta = 1;  // unknown only
  std::uint32_t depends_on = 0;      // conditional only: the lowest ply of the path that it relies on
  HandBits hand = 0;                 // proven only: what of the attacker's hand the mate needs
  bool found = false;                // the table has an entry of exactly this query
};

// What a proof-number search looks for: a mate of this board and hand, within `limit` plies, on this path.
struct ProofQuery {
  shogi::Key board = 0;
  HandBits hand = 0;
  Plies limit = kNoLimit;
  std::uint64_t path = 0;  // identifies the positions before this one, in order

  // Identifies them and this one.
  std::uint64_t path_through() const {
    std::uint64_t mixed = (path ^ board) * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 29) ^ hand) * 0xbf58476d1ce4e5b9;
    return mixed ^ (mixed >> 32);
  }
};

class ProofTable {
 public:
  // Throws std::bad_alloc; the table is then empty. At least one megabyte. Quick: memory is taken page by page on use.
  void resize(std::size_t megabytes);
  std::size_t megabytes() const { return megabytes_; }
  std::size_t used_bytes() const { return count_ * kBytesPerBucket; }
  // Removes all entries, almost without touching the memory.
  void clear();

  Knowledge probe(const ProofQuery& query) const;
  // Prefetches the entries of a board, for queries that follow soon.
  void prefetch(const ProofQuery& query) const;
  // `effort`: nodes spent on it.
  void store(const ProofQuery& query, const Knowledge& knowledge, std::uint32_t effort);

 private:
  struct Entry {
    shogi::Key board = 0;
    std::uint64_t hand_and_age = 0;  // age in the upper eight bits; 0: empty
    std::uint32_t phi = 0, delta = 0;
    std::uint32_t effort = 0;
    std::uint16_t plies_and_state = 0;

    HandBits hand() const { return hand_and_age & 0xffffffffffffff; }
    std::uint64_t age() const { return hand_and_age >> 56; }
    State state() const { return static_cast<State>(plies_and_state >> 14); }
    Plies plies() const { return plies_and_state & kNoLimit; }
  };
  static_assert(sizeof(Entry) == 32);
  // What holds on one path; the estimates that hold on others are kept beside it.
  struct OnPath {
    std::uint64_t path = 0;
    std::uint32_t depends_on = 0;
    std::uint32_t age = 0;
  };
  static_assert(sizeof(OnPath) == 16);
  static constexpr std::size_t kBucket = 8, kPathsPerBucket = 4;
  static constexpr std::size_t kBytesPerBucket = kBucket * sizeof(Entry) + kPathsPerBucket * sizeof(OnPath);
  static constexpr std::size_t kFirstBuckets = 1024;

  // The bits that choose a bucket, the lowest first: what is settled of a board, or what is estimated of a query.
  static std::uint64_t of_settled(shogi::Key board) { return (board * 0x9e3779b97f4a7c15) >> 20; }
  static std::uint64_t of_estimates(shogi::Key board, HandBits hand) {
    return of_settled(board ^ (hand + 1) * 0xbf58476d1ce4e5b9);
  }
  static std::uint64_t place(const Entry& e) {
    return e.state() == State::unknown ? of_estimates(e.board, e.hand()) : of_settled(e.board);
  }
  Entry* bucket(std::uint64_t place) const;
  OnPath& on_path(std::uint64_t path) const { return paths_[path & (kPathsPerBucket * half_ - 1)]; }
  void drop_what_follows(Entry* bucket, const ProofQuery& query, const Knowledge& knowledge);
  void grow();
  static bool replaces(const Entry& old, const ProofQuery& query, const Knowledge& knowledge);

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  std::unique_ptr<void, Free> memory_;
  Entry* buckets_ = nullptr;  // in it, aligned to cache lines
  OnPath* paths_ = nullptr;   // behind them
  std::size_t capacity_ = 0;  // buckets that the memory holds
  std::size_t count_ = 0;     // ... and that are in use
  std::size_t half_ = 0;      // the power of two at or below the count
  std::size_t filled_ = 0;    // entries of this age
  std::size_t megabytes_ = 0;
  std::uint64_t age_ = 1;
  bool any_on_path_ = false;
};

}  // namespace fuhyo::mate
