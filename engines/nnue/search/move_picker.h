// The moves of a node, best first, generated in stages only as far as they are needed.
// One thread at a time; lives as long as its node.
#pragma once

#include <array>
#include <cstdint>

#include "engines/nnue/search/history.h"
#include "engines/shogi/check_info.h"
#include "engines/shogi/movegen.h"

namespace fuhyo::nnue {

// The position with the histories that order its moves.
struct OrderingContext {
  const shogi::Position& position;
  const History& history;
  const SharedHistory& shared;
  std::array<const PieceToHistory*, 6> continuations;  // of 1 to 6 plies before
  shogi::Key pawns = 0;
  int ply = 0;
};

class MovePicker {
 public:
  // All moves, for a node of the main search; in check, the evasions. `tt_move` must be legal or none.
  MovePicker(const OrderingContext& context, const shogi::CheckInfo& checks, shogi::Move tt_move);
  // Captures and promotions of pawns; then, `with_checks`, other checks. In check, the evasions.
  static MovePicker for_quiescence(const OrderingContext& context, const shogi::CheckInfo& checks, shogi::Move tt_move,
                                   bool with_checks);
  // Captures that win at least `threshold` by exchange.
  static MovePicker for_probcut(const OrderingContext& context, const shogi::CheckInfo& checks, shogi::Move tt_move,
                                int threshold);
  MovePicker(const MovePicker&) = delete;
  MovePicker& operator=(const MovePicker&) = delete;

  // The next move; no move at the end.
  shogi::Move next();
  // From now on quiet moves are left out.
  void skip_quiets() { skip_quiets_ = true; }

 private:
  enum class Stage : std::uint8_t {
    tt_move,
    start,
    good_captures,
    start_quiets,
    good_quiets,
    bad_captures,
    bad_quiets,
    captures,  // of quiescence
    checks,
    winning,  // of probcut
    evasions,
    done,
  };
  enum class Purpose : std::uint8_t { main, quiescence, quiescence_with_checks, probcut };
  MovePicker(const OrderingContext& context, const shogi::CheckInfo& checks, shogi::Move tt_move, Purpose purpose,
             int threshold);

  template <shogi::GenKind Kind>
  void generate();
  void score_captures();
  void score_quiets();
  void generate_quiet_checks();
  void score_evasions();
  // Sets the score of a move; it must lie within 2^20.
  void rank(std::size_t i, std::int32_t score) {
    keys_[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(score) * kSlots +
                                         (kSlots - 1 - static_cast<std::uint32_t>(i)));
  }
  // Takes the best remaining move; false if none scores above `limit`.
  bool take(std::int32_t limit = INT32_MIN / static_cast<std::int32_t>(kSlots) + 1);
  shogi::Move next_of_start();

  // A key is a score and, in its low bits, which move it belongs to: the largest of all names the best move. Keys stand
  // in blocks whose largest are known, so that taking one costs a few vector instructions, and nothing is ever sorted.
  static constexpr std::uint32_t kSlots = 1'024;
  static constexpr std::size_t kBlock = 32, kBlocks = (shogi::MAX_LEGAL_MOVES + kBlock - 1) / kBlock;
  static_assert(kBlock * kBlocks <= kSlots);
  static constexpr std::int32_t kTaken = INT32_MIN;
  void arrange();
  void find_most(std::size_t block);

  const OrderingContext& context_;
  const shogi::CheckInfo& checks_;
  shogi::Move tt_move_;
  Purpose purpose_;
  Stage stage_;
  bool skip_quiets_ = false;
  int threshold_;
  std::size_t count_ = 0;  // of moves_
  std::size_t blocks_ = 0;
  std::size_t losing_count_ = 0;
  std::size_t losing_next_ = 0;
  shogi::Move taken_;  // by take(), and its score
  std::int32_t taken_score_ = 0;
  union {  // left as they are: clearing them would cost more than the moves
    struct {
      alignas(32) std::int32_t keys_[kBlock * kBlocks];
      std::int32_t most_[kBlocks];  // of each block
      shogi::Move moves_[shogi::MAX_LEGAL_MOVES];
      shogi::Move losing_[shogi::MAX_LEGAL_MOVES];  // captures that lose by exchange, to be tried late
    };
  };
};

}  // namespace fuhyo::nnue
