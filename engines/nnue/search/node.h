// What a node of the search works with while it is being searched; only the worker's sources include it.
#pragma once

#include "engines/nnue/search/worker.h"

namespace fuhyo::nnue {

// A handful of moves that were tried in vain, to be told so at the end.
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

  // What the table knows.
  shogi::Key key = 0;
  std::optional<TtEntry> known{};
  shogi::Move table_move{};
  int table_value = kUnknown;
  bool table_capture = false;

  // The best guess of the value before any move: the evaluation, or what the table knows better. Not in check.
  int guess = kUnknown;
  int raw_evaluation = kUnknown;  // uncorrected
  int correction = 0;
  bool improving = false;  // the evaluation has risen since our move before

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

  bool has_value() const { return table_value != kUnknown; }
  // Whether the table's value holds on that side of `bound`.
  bool table_says_at_least(int bound) const {
    return has_value() && table_value >= bound && (known->bound == Bound::lower || known->bound == Bound::exact);
  }
  bool table_says_below(int bound) const {
    return has_value() && table_value < bound && (known->bound == Bound::upper || known->bound == Bound::exact);
  }
};

}  // namespace fuhyo::nnue
