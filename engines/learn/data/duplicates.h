// How often positions occur in training data, counted in bounded memory. Writes files; one thread at a time per object.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>

#include "engines/learn/data/buckets.h"
#include "engines/shogi/types.h"

namespace fuhyo::learn {

// Items are identified by 64 bits: in one of forty counts of a thousand million positions, two are taken for the same.
struct Occurrences {
  std::uint64_t all = 0, distinct = 0;
  std::uint64_t most = 0;  // of one item
  // Items that occur once, twice, 3 to 9 times, 10 to 99, 100 to 999, more often.
  static constexpr std::array<std::uint64_t, 6> kFrom = {1, 2, 3, 10, 100, 1'000};
  std::array<std::uint64_t, kFrom.size()> things{};

  std::uint64_t duplicates() const { return all - distinct; }  // what a data set without repetitions would lose
};

class OccurrenceCount {
 public:
  // See Buckets.
  OccurrenceCount(std::filesystem::path folder, std::size_t buckets, std::uint64_t memory)
      : buckets_(std::move(folder), buckets, memory) {}

  std::expected<void, std::string> add(shogi::Key thing);
  // Once.
  std::expected<Occurrences, std::string> count();

 private:
  Buckets buckets_;
};

}  // namespace fuhyo::learn
