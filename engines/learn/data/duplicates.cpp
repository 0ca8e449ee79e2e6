#include "engines/learn/data/duplicates.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace fuhyo::learn {
namespace {

// Zobrist keys are even in all of their bits, but keys of things that are alike may share some.
std::uint64_t spread(std::uint64_t key) { return (key ^ key >> 32U) * 0x9e3779b97f4a7c15; }

void note(Occurrences& out, std::uint64_t times) {
  ++out.distinct;
  out.all += times;
  out.most = std::max(out.most, times);
  std::size_t i = Occurrences::kFrom.size() - 1;
  while (Occurrences::kFrom[i] > times) --i;
  ++out.things[i];
}

}  // namespace

std::expected<void, std::string> OccurrenceCount::add(shogi::Key thing) {
  std::uint8_t bytes[sizeof thing];
  std::memcpy(bytes, &thing, sizeof thing);
  return buckets_.add((spread(thing) >> 32U) % buckets_.count(), bytes);
}

std::expected<Occurrences, std::string> OccurrenceCount::count() {
  Occurrences out;
  std::vector<shogi::Key> keys;
  for (std::size_t bucket = 0; bucket < buckets_.count(); ++bucket) {
    const auto bytes = buckets_.take(bucket);
    if (!bytes) return std::unexpected(bytes.error());
    keys.resize(bytes->size() / sizeof(shogi::Key));
    if (!keys.empty()) std::memcpy(keys.data(), bytes->data(), bytes->size());
    std::ranges::sort(keys);
    for (auto from = keys.begin(); from != keys.end();) {
      const auto to = std::find_if(from, keys.end(), [&](shogi::Key key) { return key != *from; });
      note(out, static_cast<std::uint64_t>(to - from));
      from = to;
    }
  }
  return out;
}

}  // namespace fuhyo::learn
