// Fills a store with games, as fast as it takes them: what the benchmarks of a large store begin with.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "server/store/store.h"

namespace fuhyo::bench {

struct Filling {
  std::uint64_t games = 10'000;  // finished ones, of random legal moves
  int plies = 98;                // of each, before it is resigned
  std::uint64_t live = 0;        // games after these that are still being played, half as long
};

// Rows that the journal has then; the error says why it could not be filled. The store must be empty.
std::expected<std::uint64_t, std::string> fill_journal(store::Store& store, const Filling& filling);

}  // namespace fuhyo::bench
