// The moves of a node in the order in which they are worth trying, generated only as far as they are asked for.
// One thread at a time; lives as long as its node.
#pragma once

#include <array>
#include <cstdint>

#include "engines/nnue/search/history.h"
#include "engines/shogi/check_info.h"
#include "engines/shogi/movegen.h"

namespace fuhyo::nnue {

struct ScoredMove {
  shogi::Move move;
  std::int32_t score;
};

// What the order of quiet moves is learnt from.
struct OrderingContext {
  const shogi::Position& position;
  History& history;
  std::array<const Continuation*, 6> continuations;  // of 1 to 6 plies before
  shogi::Key pawns = 0;
  int ply = 0;
};

class MovePicker {
 public:
  // All moves, for a node of the main search; in check, the evasions. `from_table` must be legal or none.
  MovePicker(const OrderingContext& context, const shogi::CheckInfo& checks, shogi::Move from_table, int depth);
  // Captures and promotions of pawns; in check, the evasions.
  static MovePicker for_quiescence(const OrderingContext& context, const shogi::CheckInfo& checks,
                                   shogi::Move from_table);
  // Captures that win at least `threshold` by exchange.
  static MovePicker for_probcut(const OrderingContext& context, const shogi::CheckInfo& checks, shogi::Move from_table,
                                int threshold);
  MovePicker(const MovePicker&) = delete;
  MovePicker& operator=(const MovePicker&) = delete;

  // The next move; no move at the end.
  shogi::Move next();
  // From now on quiet moves are left out.
  void skip_quiets() { skip_quiets_ = true; }

 private:
  enum class Stage : std::uint8_t {
    from_table,
    start,
    good_captures,
    start_quiets,
    good_quiets,
    bad_captures,
    bad_quiets,
    captures,  // of quiescence
    winning,   // of probcut
    evasions,
    done,
  };
  enum class Purpose : std::uint8_t { main, quiescence, probcut };
  MovePicker(const OrderingContext& context, const shogi::CheckInfo& checks, shogi::Move from_table, int depth,
             Purpose purpose, int threshold);

  template <shogi::GenKind Kind>
  void generate();
  void score_captures();
  void score_quiets();
  void score_evasions();
  void sort(std::int32_t limit);
  ScoredMove* best();
  shogi::Move next_of_start();

  const OrderingContext& context_;
  const shogi::CheckInfo& checks_;
  shogi::Move from_table_;
  int depth_;
  Purpose purpose_;
  Stage stage_;
  bool skip_quiets_ = false;
  int threshold_;
  // [moves_, bad_end_): captures that lose; [current_, end_): what is being handed out.
  ScoredMove *current_, *end_, *bad_, *bad_end_;
  ScoredMove* bad_quiets_;
  union {  // left as it is: clearing it would cost more than the moves
    ScoredMove moves_[shogi::MAX_LEGAL_MOVES];
  };
};

}  // namespace fuhyo::nnue
