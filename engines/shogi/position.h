// A position: board, hands, side to move; doing and undoing moves; checks, pins and legality.
// A Position is a self-contained value (copyable, no pointers); one thread at a time per object.
#pragma once

#include <array>
#include <expected>
#include <string>
#include <string_view>

#include "engines/shogi/types.h"

namespace fuhyo::shogi {

// Why a move is not legal, in the order in which it is tested.
enum class Illegal : std::uint8_t {
  none,                // the move is legal
  no_piece,            // the origin is empty, holds a piece of the opponent, or the hand lacks the dropped kind
  occupied,            // the destination holds an own piece, or a drop falls on any piece
  unreachable,         // the piece does not move that way, or something is in between
  cannot_promote,      // gold, king, already promoted, or neither square in the promotion zone
  dead_end,            // pawn or lance on the last rank, knight on the last two, without promotion
  two_pawns,           // nifu
  king_in_check,       // the own king is left or put in check
  drop_pawn_mate,      // uchifuzume
};
// A short phrase for people, e.g. "two pawns on a file". Never empty except for Illegal::none.
std::string_view to_string(Illegal why);

struct SfenError {
  std::string message;  // what is wrong, with the offending part quoted
};

class Position {
 public:
  static constexpr std::string_view kStartSfen =
      "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

  Position();  // the normal start position

  // Any position, also with missing kings or pieces. Refused: malformed text, more pieces of a kind than a set has,
  // two kings of a colour, two pawns on a file, dead pieces, the side not to move being in check.
  // A move number may follow; it is returned by ply() + 1 (default 1).
  static std::expected<Position, SfenError> from_sfen(std::string_view sfen);
  std::string sfen() const;

  Color side_to_move() const;
  Piece piece_on(Square s) const;
  Hand hand(Color c) const;
  Square king_square(Color c) const;  // SQ_NONE if it has none
  bool in_check() const;              // the side to move's king is attacked
  int ply() const;                    // moves made since move number 1
  Key board_key() const;              // board and side to move
  Key hand_key() const;
  Key key() const;                    // board, side to move and hands

  bool is_legal(Move m) const;            // any 16-bit value may be asked
  Illegal why_illegal(Move m) const;      // likewise; none if legal
  bool gives_check(Move m) const;         // m must be legal

  struct Undo;
  Undo do_move(Move m);                   // m must be legal
  void undo_move(Move m, const Undo& undo);
  void do_null_move();                    // passes; not allowed in check
};

}  // namespace fuhyo::shogi
