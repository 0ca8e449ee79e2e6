// Updates of the histories and correction histories after a node.
#include <algorithm>

#include "engines/nnue/search/node.h"
#include "engines/nnue/search/parameters.h"

namespace fuhyo::nnue {
namespace {

// How much a result counts for the move of 1 to 6 plies before, per cent.
constexpr std::array<int, 6> kContinuationWeights = {100, 65, 30, 50, 12, 45};

int bonus_of(int depth) {
  return std::min(parameter::bonus_slope * depth - parameter::bonus_offset, parameter::bonus_limit);
}

int malus_of(int depth) {
  return std::min(parameter::malus_slope * depth - parameter::malus_offset, parameter::malus_limit);
}

}  // namespace

std::array<const PieceToHistory*, 6> Worker::continuations(const Stack* ss) const {
  return {ss[-1].continuation, ss[-2].continuation, ss[-3].continuation,
          ss[-4].continuation, ss[-5].continuation, ss[-6].continuation};
}

void Worker::update_continuation_histories(const Stack* ss, shogi::Piece piece, shogi::Square to, int bonus) {
  for (std::size_t i = 0; i < kContinuationWeights.size(); ++i) {
    if (ss->in_check && i >= 2) break;
    const Stack& before = ss[-static_cast<std::ptrdiff_t>(i) - 1];
    if (before.move) {
      (*before.continuation)[piece][static_cast<std::size_t>(to)].add(bonus * kContinuationWeights[i] / 100);
    }
  }
}

// The position is the one before the move.
void Worker::update_quiet_histories(Stack* ss, shogi::Move move, shogi::Piece piece, int bonus) {
  history_->main[position_.side_to_move()][move.bits()].add(bonus);
  if (ss->ply < LowPlyHistory::kPlies) history_->low_ply.add(ss->ply, move, bonus * 3 / 4);
  update_continuation_histories(ss, piece, move.to(), bonus * 7 / 8);
  shared_->pawn_entry(ss->keys.pawns, piece, move.to()).add(bonus * (bonus > 0 ? 7 : 4) / 8);
}

void Worker::update_all_stats(Stack* ss, Node& n) {
  const int bonus = bonus_of(n.depth) + (n.best_move == n.tt_move ? 300 : 0);
  const int malus = malus_of(n.depth);
  const auto capture_entry = [&](shogi::Move move) -> auto& {
    return history_
        ->capture[moved_piece(position_, move)][static_cast<std::size_t>(move.to())][victim_type(position_, move)];
  };
  if (is_tactical(position_, n.best_move)) {
    capture_entry(n.best_move).add(bonus);
  } else {
    update_quiet_histories(ss, n.best_move, moved_piece(position_, n.best_move), bonus);
    for (const shogi::Move move : n.quiets) update_quiet_histories(ss, move, moved_piece(position_, move), -malus);
  }
  for (const shogi::Move move : n.captures) capture_entry(move).add(-malus);

  // The first quiet move of the node before was refuted at once: it should not have been the first.
  const Stack& before = ss[-1];
  if (before.move && before.undo.captured == shogi::NO_PIECE && before.move_count == 1 + (before.tt_hit ? 1 : 0)) {
    update_continuation_histories(ss - 1, before.moved, before.move.to(), -malus / 2);
  }
}

// Nothing was good enough here: the quiet move that led here did well.
void Worker::update_prior_move(Stack* ss, Node& n) {
  const Stack& before = ss[-1];
  if (!use::prior_move_bonus || !before.move || before.undo.captured != shogi::NO_PIECE) return;
  int percent = before.move_count > 8 ? 130 : 60;
  if (!ss->in_check && n.best <= ss->evaluation - 100) percent += 60;
  if (!before.in_check && n.best <= -before.evaluation - 80) percent += 60;
  const int bonus = bonus_of(n.depth) * percent / 100;
  update_continuation_histories(ss - 1, before.moved, before.move.to(), bonus);
  const shogi::Color them = ~position_.side_to_move();
  history_->main[them][before.move.bits()].add(bonus / 2);
  if (shogi::type_of(before.moved) != shogi::PAWN) {
    shared_->pawn_entry(ss->keys.pawns, before.moved, before.move.to()).add(bonus);
  }
}

int Worker::correction(const Stack* ss) {
  if (!use::correction_history) return 0;
  const shogi::Color us = position_.side_to_move();
  const auto slot = &SharedHistory::correction_slot;
  const PartKeys& keys = ss->keys;
  int sum = parameter::correction_pawn * shared_->correction_pawn[us][slot(keys.pawns)] +
            parameter::correction_minor * shared_->correction_minor[us][slot(keys.minors)] +
            parameter::correction_other * (shared_->correction_other[us][0][slot(keys.others[0])] +
                                           shared_->correction_other[us][1][slot(keys.others[1])]);
  if (ss[-1].move) {
    sum += parameter::correction_continuation *
           (*ss[-2].correction)[ss[-1].moved][static_cast<std::size_t>(ss[-1].move.to())];
  }
  return sum / kCorrectionLimit;
}

int Worker::corrected(int evaluation, int correction) const {
  return std::clamp(evaluation + correction, -kMaxEvaluation, kMaxEvaluation);
}

void Worker::update_correction_histories(Stack* ss, Node& n, int best, shogi::Move best_move) {
  if (!use::correction_history || ss->in_check) return;
  if (best_move && is_tactical(position_, best_move)) return;
  // A bound on the wrong side says nothing.
  if (best > ss->evaluation ? !best_move : best_move && best >= n.beta) return;
  const int bonus = std::clamp((best - ss->evaluation) * n.depth / 8, -kCorrectionLimit / 4, kCorrectionLimit / 4);
  const shogi::Color us = position_.side_to_move();
  const auto slot = &SharedHistory::correction_slot;
  shared_->correction_pawn[us][slot(ss->keys.pawns)].add(bonus);
  shared_->correction_minor[us][slot(ss->keys.minors)].add(bonus);
  for (std::size_t c = 0; c < 2; ++c) shared_->correction_other[us][c][slot(ss->keys.others[c])].add(bonus);
  if (ss[-1].move) (*ss[-2].correction)[ss[-1].moved][static_cast<std::size_t>(ss[-1].move.to())].add(bonus);
}

}  // namespace fuhyo::nnue
