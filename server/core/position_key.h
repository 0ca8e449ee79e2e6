// The keys by which the store finds games: their positions, as numbers that are the same in every version of the
// program and on every machine, and their openings. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shogi/position.h"
#include "server/core/games/finished_game.h"

namespace fuhyo::core {

// Of board, hands and the side to move, not of the move number. 64 bits: one of a thousand million other positions has
// the key of a given one with a chance of 5e-11.
std::int64_t position_key(const shogi::Position& position);

struct Occurrence {
  std::int64_t key = 0;
  std::string move;  // what was played there, USI; empty: nothing
  bool operator==(const Occurrence&) const = default;
};
// The positions of a game in order, each once, with the move that was played when it occurred first; up to the first
// move that is none.
std::vector<Occurrence> occurrences(const std::string& start_sfen, const std::string& moves);

// One of record::kOpeningNames, or "".
std::string_view opening_of(const std::string& start_sfen, const std::string& moves);

}  // namespace fuhyo::core
