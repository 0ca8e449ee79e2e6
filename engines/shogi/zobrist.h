// Random numbers that identify positions: the same in every build, so keys may be written down.
#pragma once

#include <array>

#include "engines/shogi/types.h"

namespace fuhyo::shogi::detail {

struct Zobrist {
  std::array<std::array<Key, SQUARE_NB>, PIECE_NB> piece{};  // xor-ed
  std::array<std::array<Key, 8>, COLOR_NB> hand{};           // added once for every piece held
  Key white_to_move = 0;                                     // xor-ed

  Key on(Piece p, Square s) const { return piece[p][static_cast<std::size_t>(s)]; }
};
extern const Zobrist kZobrist;

}  // namespace fuhyo::shogi::detail
