// Finds nodes by the key of their position. A full index drops entries; a node that is not found is created again.
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/mcts/tree/arena.h"

namespace fuhyo::mcts {

class Index {
 public:
  // Uses `bytes` at most, and 64 at least. Throws std::bad_alloc.
  explicit Index(std::size_t bytes);

  void add(std::uint64_t key, Handle node);
  void remove(std::uint64_t key, Handle node);
  void clear();
  // Calls look(node) for those that may have the key, until it says true.
  template <class Look>
  void find(std::uint64_t key, const Look& look) {
    for (const Entry& entry : bucket(key)) {
      if (entry.node != 0 && entry.tag == tag(key) && look(entry.node)) return;
    }
  }
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&buckets_[key & mask_]); }

 private:
  struct Entry {
    std::uint32_t tag = 0;
    Handle node = 0;
  };
  struct alignas(64) Bucket {
    Entry entries[8];
  };

  static std::uint32_t tag(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }
  std::span<Entry> bucket(std::uint64_t key) { return buckets_[key & mask_].entries; }

  std::vector<Bucket> buckets_;
  std::uint64_t mask_;
};

}  // namespace fuhyo::mcts
