// The result of the search of a position. Plain values; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/shogi/types.h"

namespace fuhyo::learn {

struct SearchLine {
  shogi::Move move;
  shogi::Move reply;        // no move if the line ends there
  std::int16_t value = 0;   // for who plays the move, in centipawns; mates as in propagate.h
  std::uint16_t depth = 0;  // plies
  bool operator==(const SearchLine&) const = default;
};

struct SearchResult {
  std::vector<SearchLine> lines;  // best first
  std::int16_t ended = 0;         // without lines the game is over: its value for the side to move
  bool operator==(const SearchResult&) const = default;
};

constexpr std::size_t kMostLines = 32;

}  // namespace fuhyo::learn
