#include "engines/mcts/tree/index.h"

#include <algorithm>
#include <bit>

namespace fuhyo::mcts {

Index::Index(std::size_t bytes)
    : buckets_(std::bit_floor(std::max(bytes / sizeof(Bucket), std::size_t{1}))), mask_(buckets_.size() - 1) {}

void Index::add(std::uint64_t key, Handle node) {
  const std::span<Entry> entries = bucket(key);
  const auto free = std::ranges::find(entries, Handle{0}, &Entry::node);
  Entry& place = free != entries.end() ? *free : entries[node % entries.size()];
  place = {.tag = tag(key), .node = node};
}

void Index::remove(std::uint64_t key, Handle node) {
  const std::span<Entry> entries = bucket(key);
  if (const auto found = std::ranges::find(entries, node, &Entry::node); found != entries.end()) *found = {};
}

void Index::clear() { std::ranges::fill(buckets_, Bucket{}); }

}  // namespace fuhyo::mcts
