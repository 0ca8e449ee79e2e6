// Searches that cost nothing: what is found is a function of the position alone.
#pragma once

#include <algorithm>

#include "engines/learn/book/build.h"
#include "engines/shogi/movegen.h"

namespace fuhyo::test {

inline learn::SearchResult fake_search(const shogi::Position& position) {
  learn::SearchResult found;
  const auto moves = shogi::legal_moves(position);
  for (std::size_t i = 0; i < std::min<std::size_t>(moves.size(), 3); ++i) {
    const auto hash = static_cast<std::uint64_t>(position.key() * (i + 1) * 0x9e3779b97f4a7c15);
    const shogi::Move move = moves[(position.key() + i) % moves.size()];
    found.lines.push_back({.move = move,
                           .value = static_cast<std::int16_t>(static_cast<int>(hash >> 58U) - 32),
                           .depth = static_cast<std::uint16_t>(hash % 20)});
  }
  if (found.lines.empty()) found.ended = -learn::kMateValue;
  std::ranges::sort(found.lines, {}, [](const learn::SearchLine& line) { return -line.value; });
  return found;
}

}  // namespace fuhyo::test
