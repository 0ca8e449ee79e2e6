// A game with the scores of its players: training data of networks. Plain values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/shogi/position.h"
#include "engines/shogi/types.h"

namespace fuhyo::record {

struct ScoredMove {
  shogi::Move move;
  // Of the position before the move, for the side to move, in the engine's units (a pawn is 90; mates from 31,000 on).
  // Nothing: the move was not searched.
  std::optional<std::int16_t> score;
  bool operator==(const ScoredMove&) const = default;
};

enum class Winner : std::uint8_t { nobody, black, white };

// How a game ended, as far as the formats of training data tell it apart.
enum class ScoredEnd : std::uint8_t {
  unknown,
  no_move,      // mate, or resigned: the side to move loses
  declaration,  // by entering: the side to move wins
  repetition,   // fourth time: a draw, or lost by perpetual check
  move_limit,
  adjudicated,  // by the scores
};

struct ScoredGame {
  shogi::Position start;
  std::vector<ScoredMove> moves;
  Winner winner = Winner::nobody;
  ScoredEnd end = ScoredEnd::unknown;
};

}  // namespace fuhyo::record
