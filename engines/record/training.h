// Between games with scores and the training data of others: single positions (PackedSfenValue, hcpe) and games
// (hcpe3). Pure functions; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "engines/record/hcpe.h"
#include "engines/record/packed_sfen.h"
#include "engines/record/scored_game.h"

namespace fuhyo::record {

// A position that was searched, and how its game ended.
struct ScoredPosition {
  shogi::Position position;
  shogi::Move move;        // the best one
  std::int16_t score = 0;  // for the side to move
  Winner winner = Winner::nobody;
  ScoredEnd end = ScoredEnd::unknown;  // only hcpe2 keeps it, as far as hcpe3 does
};

// Nothing for what the format cannot hold: see packed_sfen.h, and move numbers above 65,535 (PackedSfenValue).
std::optional<PackedSfenValue> packed_sfen_value(const ScoredPosition& position);
std::optional<Hcpe> hcpe(const ScoredPosition& position);

// Errors: the bytes are no position, the move is illegal there, or the result is none. A move number of 0 is taken
// for 1. An hcpe has none: 1 if Black is to move, else 2.
std::expected<ScoredPosition, std::string> scored_position(const PackedSfenValue& value);
std::expected<ScoredPosition, std::string> scored_position(const Hcpe& value);

// The position of a format that keeps no move number: 1 if Black is to move, else 2.
std::expected<shogi::Position, std::string> unnumbered_position(const Hcp& hcp);

// A searched move has itself as its only candidate, visited once; one that was not searched has none and the score 0.
// Nothing if the format cannot hold the start, or so many moves.
std::optional<Hcpe3Game> hcpe3(const ScoredGame& game);
// A move without candidates and with the score 0 was not searched. The start's move number is 1 or 2, as of an hcpe.
// Errors: the start is no position, or a move is illegal.
std::expected<ScoredGame, std::string> scored_game(const Hcpe3Game& game);

// The result for a side, as PackedSfenValue has it: 1, 0 or -1.
constexpr std::int8_t result_for(shogi::Color side, Winner winner) {
  if (winner == Winner::nobody) return 0;
  return (winner == Winner::black) == (side == shogi::BLACK) ? 1 : -1;
}

}  // namespace fuhyo::record
