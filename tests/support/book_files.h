// Books as bytes, made from moves: for tests of their readers, with which this shares nothing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engines/book/book.h"
#include "engines/record/packed_sfen.h"

namespace fuhyo::test {

// SFEN with its move number -> moves.
using Positions = std::map<std::string, book::Entry>;

// As YaneuraOu writes it, sorted.
std::string text_file(const Positions& positions);
std::string ybb_file(const Positions& positions, bool with_depth = true);

struct AperyRecord {
  std::uint64_t key;
  std::uint16_t move, count;
  std::int32_t value;
};
std::string apery_file(const std::vector<AperyRecord>& records);

// Positions of random games from the start, each with up to three legal moves.
Positions random_positions(std::size_t count, unsigned seed);

}  // namespace fuhyo::test
