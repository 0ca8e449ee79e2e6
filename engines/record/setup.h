// A board without rules: squares, hands and the side to move. Records contain illegal moves and impossible positions,
// which shogi::Position refuses; this value can follow them, at the speed of the reader. A plain value; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "engines/record/csa_move.h"
#include "engines/shogi/position.h"
#include "engines/shogi/types.h"

namespace fuhyo::record {

struct Setup {
  std::array<shogi::Piece, shogi::SQUARE_NB> board{};
  std::array<shogi::Hand, shogi::COLOR_NB> hands{};
  shogi::Color turn = shogi::BLACK;

  static const Setup& standard();  // the normal start position
  static Setup of(const shogi::Position& position);
  // Fails where Position::from_sfen does: a side not to move in check, two pawns on a file, ...
  std::expected<shogi::Position, shogi::SfenError> position() const;
  std::string sfen(int move_number = 1) const;

  // The Move that `csa` is here; nothing if it cannot be carried out (see resolve() in csa_move.h), which includes a
  // drop of a piece that is not in hand. Whether the rules allow it is not asked.
  std::optional<shogi::Move> resolve(const CsaMove& csa) const;
  std::string why_unresolved(const CsaMove& csa) const;
  CsaMove to_csa(shogi::Move move) const;
  // Carries out a move that resolve() gave. A captured piece goes to the mover's hand, whoever owned it; a king does
  // not.
  void apply(shogi::Move move);

  // Pieces of a set of forty that are neither on the board nor in a hand; negative: there are too many.
  int missing(shogi::PieceType unpromoted_type) const;

  bool operator==(const Setup&) const = default;
};

// A kind (PAWN..KING) of which there are more than one set has; NO_PIECE_TYPE: none.
shogi::PieceType excess(const Setup& setup);
// How many of a kind (PAWN..KING) a set has.
int set_count(shogi::PieceType unpromoted_type);

}  // namespace fuhyo::record
