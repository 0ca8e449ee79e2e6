#include "engines/nnue/ordering.h"

#include <algorithm>
#include <cstdlib>

#include "engines/nnue/evaluate.h"

namespace fuhyo::nnue {
namespace {

constexpr std::int32_t kFromTable = 1 << 30;
constexpr std::int32_t kTactical = 1 << 24;
constexpr std::int32_t kKiller = 1 << 20;
constexpr int kHistoryLimit = 8192;

shogi::PieceType mover(const shogi::Position& position, shogi::Move move) {
  return move.is_drop() ? move.dropped() : shogi::type_of(position.piece_on(move.from()));
}

std::int32_t tactical_score(const shogi::Position& position, shogi::Move move) {
  const shogi::Piece victim = position.piece_on(move.to());
  const int won = victim == shogi::NO_PIECE ? 0 : piece_value(shogi::type_of(victim));
  const shogi::PieceType type = mover(position, move);
  const int promotion = move.is_promotion() ? piece_value(shogi::promoted(type)) - piece_value(type) : 0;
  // The most valuable victim first; among equals, the cheapest attacker.
  return kTactical + 16 * (won + promotion) - piece_value(type) / 16;
}

}  // namespace

bool is_tactical(const shogi::Position& position, shogi::Move move) {
  if (move.is_drop()) return false;
  if (position.piece_on(move.to()) != shogi::NO_PIECE) return true;
  return move.is_promotion() && shogi::type_of(position.piece_on(move.from())) == shogi::PAWN;
}

Ordering::Ordering() : history_(std::make_unique<History>()) {}

void Ordering::clear() {
  for (auto& side : *history_) side.fill(0);
  killers_ = {};
}

void Ordering::score(const shogi::Position& position, std::span<ScoredMove> moves, shogi::Move from_table,
                     int ply) const {
  const auto& killers = killers_[static_cast<std::size_t>(ply)];
  const auto& history = (*history_)[position.side_to_move()];
  for (ScoredMove& entry : moves) {
    if (entry.move == from_table) {
      entry.score = kFromTable;
    } else if (is_tactical(position, entry.move)) {
      entry.score = tactical_score(position, entry.move);
    } else if (entry.move == killers[0] || entry.move == killers[1]) {
      entry.score = kKiller + (entry.move == killers[0] ? 1 : 0);
    } else {
      entry.score = history[entry.move.bits()];
    }
  }
}

// Gravity: a bonus counts less the nearer the value is to its limit.
void Ordering::bump(shogi::Color color, shogi::Move move, int bonus) {
  std::int16_t& value = (*history_)[color][move.bits()];
  value = static_cast<std::int16_t>(value + bonus - value * std::abs(bonus) / kHistoryLimit);
}

void Ordering::reward(shogi::Color color, shogi::Move move, std::span<const shogi::Move> tried, int depth, int ply) {
  const int bonus = std::min(16 * depth * depth, 1600);
  bump(color, move, bonus);
  for (const shogi::Move other : tried) bump(color, other, -bonus);
  auto& killers = killers_[static_cast<std::size_t>(ply)];
  if (killers[0] != move) killers = {move, killers[0]};
}

ScoredMove Ordering::pick(std::span<ScoredMove> moves, std::size_t from) {
  std::size_t best = from;
  for (std::size_t i = from + 1; i < moves.size(); ++i) {
    if (moves[i].score > moves[best].score) best = i;
  }
  std::swap(moves[from], moves[best]);
  return moves[from];
}

}  // namespace fuhyo::nnue
