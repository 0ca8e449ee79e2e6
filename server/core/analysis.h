// What an engine says of the positions of a finished game, and which of its moves were mistakes by that. Values and
// pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shogi/position.h"
#include "server/core/games/finished_game.h"

namespace fuhyo::core {

// The moves of a game as engines want them.
struct PlayedGame {
  GameId id{};
  shogi::Position start;
  std::vector<shogi::Move> moves;  // legal, in order; up to the first one of the record that is none
  std::int32_t max_moves = 0;      // the game ends after so many; 0: no limit
  shogi::DeclarationRule declaration = shogi::DeclarationRule::POINTS_27;
};
// Nothing: its start is no position.
std::optional<PlayedGame> played_game(const FinishedGame& game);

// What a position is worth, from Black's side.
struct Valuation {
  std::optional<std::int32_t> cp;    // hundredths of a pawn
  std::optional<std::int32_t> mate;  // plies to it; below zero: White mates; 0: who is to move is mated
  double black_wins = 0.5;           // the chance; 0 or 1 where it is decided, though the number of plies is unknown
  bool operator==(const Valuation&) const = default;
};
// The logistic curve with a scale of 600, as pages draw evaluations.
Valuation valuation_of_cp(std::int32_t cp);
Valuation decided(shogi::Color winner, std::optional<std::int32_t> plies);

struct AnalysedLine {
  Valuation value;
  std::vector<std::string> moves;  // USI, legal; empty where there is no move to make
  bool operator==(const AnalysedLine&) const = default;
};
struct AnalysedPosition {
  std::int32_t depth = 0;
  std::int64_t nodes = 0;
  std::vector<AnalysedLine> lines;  // as the engine ranks them, never empty
  bool operator==(const AnalysedPosition&) const = default;
};
// By ply, from the start position on; nothing where the engine had no answer.
using AnalysedGame = std::vector<std::optional<AnalysedPosition>>;

enum class MarkKind : std::uint8_t { inaccuracy, mistake, blunder };
std::string_view name_of(MarkKind kind);  // "inaccuracy"

struct MoveMark {
  std::int32_t ply = 0;  // of the move, the first one is 1
  MarkKind kind = MarkKind::inaccuracy;
  double loss = 0;  // of the mover's chance to win
  bool operator==(const MoveMark&) const = default;
};
// Moves by which the mover's chance to win fell: by 0.10 (inaccuracy), 0.20 (mistake), 0.30 (blunder) or more. The
// move that the engine would have made is never one, nor is any in a position that stays decided: below 0.05 or beyond
// 0.95 there is no more to lose than 0.05.
std::vector<MoveMark> mark_moves(const PlayedGame& game, std::span<const std::optional<AnalysedPosition>> positions);

}  // namespace fuhyo::core
