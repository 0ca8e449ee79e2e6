#include "server/core/analysis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "engines/shogi/usi_move.h"
#include "server/core/games/game.h"

namespace fuhyo::core {
namespace {

constexpr double kScale = 600;
// What counts is seen to four places, so that a sum of rounded numbers reaches the limit that it seems to reach.
constexpr double kUnseen = 1e-9;
constexpr std::array<std::pair<double, MarkKind>, 3> kLimits = {
    {{0.30, MarkKind::blunder}, {0.20, MarkKind::mistake}, {0.10, MarkKind::inaccuracy}}};

double chance(const AnalysedPosition& position, shogi::Color side) {
  const double black = position.lines.front().value.black_wins;
  return side == shogi::BLACK ? black : 1 - black;
}

}  // namespace

std::optional<PlayedGame> played_game(const FinishedGame& game) {
  auto position = shogi::Position::from_sfen(game.opened.start_sfen);
  if (!position) return std::nullopt;
  PlayedGame played{.id = game.opened.game,
                    .start = *position,
                    .moves = {},
                    .max_moves = game.opened.max_moves,
                    .declaration = game.opened.declaration};
  for (const std::string_view text : moves_of(game.moves)) {
    const auto move = play(*position, text);
    if (!move) break;
    played.moves.push_back(*move);
  }
  return played;
}

Valuation valuation_of_cp(std::int32_t cp) {
  return {.cp = cp, .mate = std::nullopt, .black_wins = 1 / (1 + std::exp(-cp / kScale))};
}

Valuation decided(shogi::Color winner, std::optional<std::int32_t> plies) {
  if (plies && winner == shogi::WHITE) plies = -*plies;
  return {.cp = std::nullopt, .mate = plies, .black_wins = winner == shogi::BLACK ? 1.0 : 0.0};
}

std::string_view name_of(MarkKind kind) {
  switch (kind) {
    case MarkKind::inaccuracy:
      return "inaccuracy";
    case MarkKind::mistake:
      return "mistake";
    case MarkKind::blunder:
      return "blunder";
  }
  return "";
}

std::vector<MoveMark> mark_moves(const PlayedGame& game, std::span<const std::optional<AnalysedPosition>> positions) {
  std::vector<MoveMark> marks;
  shogi::Color side = game.start.side_to_move();
  const std::size_t end = std::min(game.moves.size() + 1, positions.size());
  for (std::size_t ply = 1; ply < end; ++ply, side = ~side) {
    const auto &before = positions[ply - 1], &after = positions[ply];
    if (!before || !after) continue;
    const std::vector<std::string>& best = before->lines.front().moves;
    if (!best.empty() && best.front() == shogi::to_usi(game.moves[ply - 1])) continue;
    const double loss = chance(*before, side) - chance(*after, side);
    const auto* limit = std::ranges::find_if(kLimits, [&](const auto& each) { return loss >= each.first - kUnseen; });
    if (limit != kLimits.end()) marks.push_back({static_cast<std::int32_t>(ply), limit->second, loss});
  }
  return marks;
}

}  // namespace fuhyo::core
