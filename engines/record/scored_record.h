// Between records (names, times, comments, every kind of end) and games with scores. Pure functions; any thread.
//
// A score is what floodgate's comment says that stands behind a move, "'** 30 -3334FU +2726FU": of the position before
// the move, as Black sees it, in the units of whoever wrote it. What has no room in 16 bits, as mates (100,000),
// becomes 32,000.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "engines/record/game.h"
#include "engines/record/scored_game.h"

namespace fuhyo::record {

constexpr int kMaxScore = 32'000;

// What a record says about its result, as far as training data tell it apart. `to_move`: after the last legal move.
// shogi-server's summary (summary.h) decides where the end does not, and over declarations.
struct ScoredResult {
  Winner winner = Winner::nobody;
  ScoredEnd end = ScoredEnd::unknown;
};
ScoredResult result_of(const Game& game, shogi::Color to_move);

// Errors: the start is no position of the rules, or a move is illegal. An illegal last move, by which the record says
// that the game ended, is left out; it loses.
std::expected<ScoredGame, std::string> scored_game(const Game& game);

// A record with the scores as comments. Its end is one of %TORYO, %KACHI, %SENNICHITE, %MAX_MOVES and %HIKIWAKE as
// fits, or that of the loser's foul where it is the other side's turn; none if nothing is known of it.
Game record_of(const ScoredGame& game);

}  // namespace fuhyo::record
