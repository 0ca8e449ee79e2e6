// The histories: statistics of moves, for ordering, pruning and reductions, and of the error of the evaluation
// (correction histories). Every search thread has its own History; all threads of a search share one SharedHistory. Its
// numbers are relaxed atomics: an update that is lost between two threads does no harm.
//
// An update keeps a number within its limit (gravity): v += bonus - v * |bonus| / limit.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "engines/nnue/huge_pages.h"
#include "engines/nnue/search/values.h"
#include "engines/shogi/position.h"

namespace fuhyo::nnue {

template <int Limit, class Cell = std::int16_t>
class StatsEntry {
 public:
  static constexpr int kLimit = Limit;
  operator int() const {
    if constexpr (kShared) {
      return value_.load(std::memory_order_relaxed);
    } else {
      return value_;
    }
  }
  void set(int value) {
    if constexpr (kShared) {
      value_.store(static_cast<std::int16_t>(value), std::memory_order_relaxed);
    } else {
      value_ = static_cast<std::int16_t>(value);
    }
  }
  void add(int bonus) {
    bonus = std::clamp(bonus, -Limit, Limit);
    const int value = *this;
    set(value + bonus - value * std::abs(bonus) / Limit);
  }

 private:
  static constexpr bool kShared = !std::is_integral_v<Cell>;
  Cell value_ = 0;
};
template <int Limit>
using SharedStatsEntry = StatsEntry<Limit, std::atomic<std::int16_t>>;

// Butterfly histories have one entry for each of the 16 bits of a move.
constexpr std::size_t kMoveCodes = 1 << 16;

template <class T>
using ByPieceTo = std::array<std::array<T, shogi::SQUARE_NB>, shogi::PIECE_NB>;

// Continuation history, of one earlier move: how well a piece did on a destination.
using PieceToHistory = ByPieceTo<StatsEntry<30'000>>;
// ... and the error of the evaluation.
constexpr int kCorrectionLimit = 1'024;
using Correction = StatsEntry<kCorrectionLimit>;
using PieceToCorrectionHistory = ByPieceTo<Correction>;

// Keys of parts of a position, for pawn and correction histories. Updated with every move.
struct PartKeys {
  shogi::Key pawns = 0;                // unpromoted pawns
  shogi::Key minors = 0;               // lances, knights, silvers, golds and what moves like them; not kings
  std::array<shogi::Key, 2> others{};  // everything of a colour but its pawns

  static PartKeys of(const shogi::Position& position);
  // `position` is the one after the move, `captured` what stood on the destination.
  void update(const shogi::Position& position, shogi::Move move, shogi::Piece captured);

 private:
  void flip(shogi::Piece piece, shogi::Square square);
};

// How well moves did near the root. Reset before every search, in little time after a short one.
class LowPlyHistory {
 public:
  static constexpr int kPlies = 5;

  int at(int ply, shogi::Move move) const { return table_[static_cast<std::size_t>(ply)][move.bits()]; }
  void add(int ply, shogi::Move move, int bonus) {
    Entry& entry = table_[static_cast<std::size_t>(ply)][move.bits()];
    if (entry == kFresh && changed_ < kMostChanged) changes_[changed_++] = &entry;
    entry.add(bonus);
  }
  void clear();
  void forget();

 private:
  using Entry = StatsEntry<8'192>;
  static constexpr int kFresh = 80;
  static constexpr std::size_t kMostChanged = 4'096;  // beyond it, forget() resets the whole table

  std::array<std::array<Entry, kMoveCodes>, kPlies> table_;
  std::array<Entry*, kMostChanged> changes_;
  std::size_t changed_ = 0;
};

// Call clear() before use.
struct History {
  std::array<std::array<StatsEntry<8'192>, kMoveCodes>, shogi::COLOR_NB> main;
  LowPlyHistory low_ply;
  std::array<std::array<std::array<StatsEntry<10'000>, shogi::PIECE_TYPE_NB>, shogi::SQUARE_NB>, shogi::PIECE_NB>
      capture;
  // [the earlier move captured][its piece][its destination]
  std::array<ByPieceTo<PieceToHistory>, 2> continuation;
  ByPieceTo<PieceToCorrectionHistory> correction_continuation;

  void clear();
};

struct SharedHistory {
  static constexpr std::size_t kPawnSlots = 1'024;
  static constexpr std::size_t kCorrectionSlots = 16'384;
  using Pawn = ByPieceTo<SharedStatsEntry<8'192>>;
  using Correction = SharedStatsEntry<kCorrectionLimit>;

  std::array<Pawn, kPawnSlots> pawn;
  std::array<std::array<Correction, kCorrectionSlots>, shogi::COLOR_NB> correction_pawn, correction_minor;
  std::array<std::array<std::array<Correction, kCorrectionSlots>, 2>, shogi::COLOR_NB> correction_other;

  void clear();

  static std::size_t correction_slot(shogi::Key key) { return key % kCorrectionSlots; }
  // Prefetches the correction histories of a position.
  void prefetch(shogi::Color side, const PartKeys& keys) const {
    __builtin_prefetch(&correction_pawn[side][correction_slot(keys.pawns)]);
    __builtin_prefetch(&correction_minor[side][correction_slot(keys.minors)]);
    for (std::size_t c = 0; c < 2; ++c) __builtin_prefetch(&correction_other[side][c][correction_slot(keys.others[c])]);
  }

  SharedStatsEntry<8'192>& pawn_entry(shogi::Key pawns, shogi::Piece piece, shogi::Square to) {
    return pawn[pawns % kPawnSlots][piece][static_cast<std::size_t>(to)];
  }
};

// The piece that a move brings to its destination; the move has not been made.
inline shogi::Piece moved_piece(const shogi::Position& position, shogi::Move move) {
  if (move.is_drop()) return shogi::make_piece(position.side_to_move(), move.dropped());
  const shogi::Piece piece = position.piece_on(move.from());
  return move.is_promotion() ? static_cast<shogi::Piece>(piece + 8) : piece;
}

// The captured type; NO_PIECE_TYPE if the move does not capture.
inline shogi::PieceType victim_type(const shogi::Position& position, shogi::Move move) {
  return shogi::type_of(position.piece_on(move.to()));
}

// Captures, and promotions of pawns.
inline bool is_tactical(const shogi::Position& position, shogi::Move move) {
  if (move.is_drop()) return false;
  if (position.piece_on(move.to()) != shogi::NO_PIECE) return true;
  return move.is_promotion() && shogi::type_of(position.piece_on(move.from())) == shogi::PAWN;
}

}  // namespace fuhyo::nnue
