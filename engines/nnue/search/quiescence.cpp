// The quiescence search of a worker: captures, and all evasions while in check, until the evaluation can be trusted.
#include <algorithm>

#include "engines/mate/mate_in_one.h"
#include "engines/nnue/search/node.h"
#include "engines/nnue/search/parameters.h"
#include "engines/shogi/declaration.h"

namespace fuhyo::nnue {

template <bool Pv>
int Worker::qsearch(Stack* ss, int alpha, int beta, bool with_checks) {
  if (stopping()) return 0;
  if (Pv) seldepth_ = std::max(seldepth_, ss->ply + 1);
  ss->in_check = position_.in_check();
  ss->move_count = 0;
  if (const auto value = decided(ss)) return *value;

  Node n{.alpha = alpha, .beta = beta, .depth = 0, .cut_node = false};
  probe<NodeType::non_pv>(ss, n);
  const int depth =
      with_checks || ss->in_check ? TranspositionTable::kQuiescence : TranspositionTable::kQuiescenceCaptures;
  if (!Pv && n.has_tt_value() && n.tt_entry->depth >= depth &&
      (n.tt_value >= beta ? n.tt_value_at_least(beta) : n.tt_value_below(beta))) {
    return n.tt_value;
  }
  if (const auto value = stand_pat(ss, n)) return *value;
  quiescence_moves<Pv>(ss, n, with_checks);
  if (stop_->load(std::memory_order_relaxed)) return 0;
  if (ss->in_check && n.move_count == 0) return mated_in(ss->ply);
  if (!is_decided(n.best) && n.best > beta) n.best = (n.best + beta) / 2;
  store_tt(ss, n, n.best_move, n.best, depth, n.best >= beta ? Bound::lower : Bound::upper);
  return n.best;
}

// The side to move need not capture: the evaluation is a lower bound. A value ends the node.
std::optional<int> Worker::stand_pat(Stack* ss, Node& n) {
  if (shogi::can_declare(position_, task_->declaration)) return mate_in(ss->ply + 1);
  if (ss->in_check) {
    ss->evaluation = ss[-2].evaluation;
    return std::nullopt;
  }
  if (use::quiescence_mate_in_one && !ss->tt_hit && mate::mate_in_one(position_)) return mate_in(ss->ply + 1);
  n.correction = correction(ss);
  if (n.raw_evaluation == kUnknown) n.raw_evaluation = evaluation();
  n.best = ss->evaluation = corrected(n.raw_evaluation, n.correction);
  if (use::table_value_as_evaluation && n.has_tt_value() && !is_decided(n.tt_value)) {
    if (n.tt_value > n.best ? n.tt_value_at_least(n.best) : n.tt_value_below(n.best)) n.best = n.tt_value;
  }
  if (n.best >= n.beta) {
    if (!is_decided(n.best)) n.best = (n.best + n.beta) / 2;
    if (!n.tt_entry) {
      store_tt(ss, n, {}, n.best, TranspositionTable::kNoDepth, Bound::lower);
    }
    return n.best;
  }
  n.alpha = std::max(n.alpha, n.best);
  return std::nullopt;
}

template <bool Pv>
void Worker::quiescence_moves(Stack* ss, Node& n, bool with_checks) {
  const shogi::CheckInfo checks(position_);
  const OrderingContext context{position_, *history_, *shared_, continuations(ss), ss->keys.pawns, ss->ply};
  MovePicker picker = MovePicker::for_quiescence(context, checks, n.tt_move, with_checks);
  const int hope = ss->in_check ? -kInfinite : ss->evaluation + parameter::quiescence_margin;
  while ((n.move = picker.next())) {
    ++n.move_count;
    n.capture = is_tactical(position_, n.move);
    if (!is_loss(n.best) && prune_in_quiescence(ss, n, checks, hope)) continue;
    do_move(ss, n.move);
    const int value = -qsearch<Pv>(ss + 1, -n.beta, -n.alpha, false);
    undo_move(ss);
    if (stop_->load(std::memory_order_relaxed)) return;
    if (value <= n.best) continue;
    n.best = value;
    if (value <= n.alpha) continue;
    n.best_move = n.move;
    if (value >= n.beta) return;
    n.alpha = value;
  }
}

bool Worker::prune_in_quiescence(Stack* ss, Node& n, const shogi::CheckInfo& checks, int hope) {
  const shogi::Move move = n.move;
  const bool check = checks.gives_check(position_, move);
  const bool takes_back = ss[-1].move && move.to() == ss[-1].move.to();
  if (!ss->in_check && !check && !takes_back && use::futility && !is_loss(hope)) {
    if (n.move_count > 2) return true;
    const int most = hope + kPieceValues[victim_type(position_, move)];
    if (most <= n.alpha) {
      n.best = std::max(n.best, most);
      return true;
    }
    if (!shogi::exchange_reaches(position_, move, n.alpha - hope, kPieceValues)) {
      n.best = std::max(n.best, std::min(n.alpha, hope));
      return true;
    }
  }
  if (ss->in_check && !n.capture && use::history_pruning) {
    const shogi::Piece piece = moved_piece(position_, move);
    const auto to = static_cast<std::size_t>(move.to());
    if ((*ss[-1].continuation)[piece][to] + shared_->pawn_entry(ss->keys.pawns, piece, move.to()) < -5'500) return true;
  }
  return use::exchange_pruning &&
         !shogi::exchange_reaches(position_, move, -parameter::quiescence_exchange, kPieceValues);
}

template int Worker::qsearch<true>(Stack*, int, int, bool);
template int Worker::qsearch<false>(Stack*, int, int, bool);

}  // namespace fuhyo::nnue
