// The state of a node while it is searched; only the worker's sources include it.
#pragma once

#include "engines/nnue/search/worker.h"

namespace fuhyo::nnue {

// The moves that were searched and did not raise alpha; their histories get a malus at the end.
class TriedMoves {
 public:
  TriedMoves() {}
  void add(shogi::Move move) {
    if (size_ < moves_.size()) moves_[size_++] = move;
  }
  const shogi::Move* begin() const { return moves_.data(); }
  const shogi::Move* end() const { return moves_.data() + size_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
  union {  // left as they are
    std::array<shogi::Move, 32> moves_;
  };
};

struct Worker::Node {
  int alpha, beta, depth;
  bool cut_node;

  // The entry of the transposition table.
  shogi::Key key = 0;
  std::optional<TtEntry> tt_entry{};
  shogi::Move tt_move{};
  int tt_value = kUnknown;
  bool tt_capture = false;

  // The static evaluation, or the value of the table where its bound is tighter. Not in check.
  int eval = kUnknown;
  int raw_evaluation = kUnknown;  // uncorrected
  int correction = 0;
  bool improving = false;  // the evaluation has risen since our last move

  // The move being searched.
  shogi::Move move{};
  shogi::Piece piece = shogi::NO_PIECE;  // as it stands after the move
  bool capture = false;                  // or a promoting pawn
  bool check = false;
  int new_depth = 0;
  int reduction = 0;  // in 1/1024 ply

  int best = -kInfinite;
  shogi::Move best_move{};
  int move_count = 0;
  TriedMoves quiets{}, captures{};

  bool has_tt_value() const { return tt_value != kUnknown; }
  // Whether the table proves a value on that side of `bound`.
  bool tt_value_at_least(int bound) const {
    return has_tt_value() && tt_value >= bound && (tt_entry->bound == Bound::lower || tt_entry->bound == Bound::exact);
  }
  bool tt_value_below(int bound) const {
    return has_tt_value() && tt_value < bound && (tt_entry->bound == Bound::upper || tt_entry->bound == Bound::exact);
  }
};

}  // namespace fuhyo::nnue
