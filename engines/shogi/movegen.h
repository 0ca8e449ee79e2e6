// Generation of legal moves: no move that is given back leaves the own king in check or mates by dropping a pawn.
// Pure functions of a position; usable from any thread.
#pragma once

#include <algorithm>
#include <cstddef>

#include "engines/shogi/position.h"

namespace fuhyo::shogi {

enum class GenKind : std::uint8_t {
  LEGAL,     // every legal move
  SEARCH,    // without those that are never better than promoting: pawn, bishop and rook that could promote and do not,
             // lance to its second rank without promotion
  CAPTURES,  // of SEARCH: captures, and pawns that promote
  QUIETS,    // of SEARCH: the rest
};

// Writes the moves to `out`, which must have room for MAX_LEGAL_MOVES whatever the position, and returns their end.
// In check, these are the evasions.
template <GenKind Kind>
Move* generate(const Position& position, Move* out);

// The number of LEGAL moves, without writing them.
std::size_t count_legal_moves(const Position& position);

template <GenKind Kind>
class MoveList {
 public:
  explicit MoveList(const Position& position) : end_(generate<Kind>(position, moves_)) {}
  MoveList(const MoveList&) = delete;
  MoveList& operator=(const MoveList&) = delete;

  const Move* begin() const { return moves_; }
  const Move* end() const { return end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - moves_); }
  bool empty() const { return begin() == end(); }
  Move operator[](std::size_t i) const { return moves_[i]; }
  bool contains(Move m) const { return std::find(begin(), end(), m) != end(); }

 private:
  union {  // left as it is, because clearing it would cost more than the moves
    Move moves_[MAX_LEGAL_MOVES];
  };
  Move* end_;
};

inline MoveList<GenKind::LEGAL> legal_moves(const Position& position) { return MoveList<GenKind::LEGAL>(position); }

}  // namespace fuhyo::shogi
