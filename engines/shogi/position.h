// A position: board, hands, side to move; doing and undoing moves; checks, pins and legality.
// A Position is a self-contained value (copyable, no pointers); one thread at a time per object.
#pragma once

#include <array>
#include <expected>
#include <string>
#include <string_view>

#include "engines/shogi/attacks.h"
#include "engines/shogi/bitboard.h"
#include "engines/shogi/types.h"

namespace fuhyo::shogi {

// Why a move is not legal, in the order in which it is tested.
enum class Illegal : std::uint8_t {
  none,            // the move is legal
  no_piece,        // the origin is empty, holds a piece of the opponent, or the hand lacks the dropped kind
  occupied,        // the destination holds an own piece, or a drop falls on any piece
  unreachable,     // the piece does not move that way, or something is in between
  cannot_promote,  // gold, king, already promoted, or neither square in the promotion zone
  dead_end,        // pawn or lance on the last rank, knight on the last two, without promotion
  two_pawns,       // nifu
  king_in_check,   // the own king is left or put in check
  drop_pawn_mate,  // uchifuzume
};
// A short phrase for people, e.g. "two pawns on a file". Never empty except for Illegal::none.
std::string_view to_string(Illegal why);

struct SfenError {
  std::string message;  // what is wrong, with the offending part quoted
};

// How many pieces a position may have. Only one set is known to keep to MAX_LEGAL_MOVES; for more the caller must know.
enum class Pieces : std::uint8_t { ONE_SET, ANY_NUMBER };

namespace detail {
// All squares for the types that move like a gold: sets are updated without a branch.
inline constexpr auto kGoldMask = [] {
  std::array<Bitboard, 16> masks{};
  for (const PieceType type : {GOLD, PRO_PAWN, PRO_LANCE, PRO_KNIGHT, PRO_SILVER}) masks[type] = Bitboard::all();
  return masks;
}();
}  // namespace detail

class Position {
 public:
  static constexpr std::string_view kStartSfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

  Position();  // the normal start position

  // Any position, also with missing kings or pieces. Refused: malformed text, more pieces of a kind than a set has,
  // two kings of a colour, two pawns on a file, dead pieces, the side not to move being in check.
  // A move number may follow; it is returned by ply() + 1 (default 1).
  static std::expected<Position, SfenError> from_sfen(std::string_view sfen, Pieces pieces = Pieces::ONE_SET);
  std::string sfen() const;

  Color side_to_move() const { return side_to_move_; }
  Piece piece_on(Square s) const { return board_[static_cast<std::size_t>(s)]; }
  Hand hand(Color c) const { return hands_[c]; }
  Square king_square(Color c) const { return kings_[c]; }  // SQ_NONE if it has none
  bool in_check() const { return checkers_.any(); }        // the side to move's king is attacked
  int ply() const { return ply_; }                         // moves made since move number 1
  Key board_key() const { return board_key_; }             // board and side to move
  Key hand_key() const { return hand_key_; }
  Key key() const { return board_key_ ^ hand_key_; }  // board, side to move and hands

  bool is_legal(Move m) const { return why_illegal(m) == Illegal::none; }  // any 16-bit value may be asked
  Illegal why_illegal(Move m) const;                                       // likewise; none if legal
  bool gives_check(Move m) const;                                          // m must be legal

  // What a move destroys.
  struct Undo {
    Bitboard checkers, pinned;
    Key board_key = 0, hand_key = 0;
    Piece captured = NO_PIECE;
  };
  Undo do_move(Move m);  // m must be legal
  // key() after the move, e.g. to fetch what a table knows of it before it is made; m must be legal.
  Key key_after(Move m) const;
  void undo_move(Move m, const Undo& undo);
  Undo do_null_move();  // passes; not allowed in check
  void undo_null_move(const Undo& undo);

  // Sets of squares, for move generation and evaluation.
  Bitboard pieces(Color c) const { return by_color_[c]; }
  Bitboard pieces(PieceType type) const { return by_type_[type]; }
  Bitboard pieces(Color c, PieceType type) const { return by_color_[c] & by_type_[type]; }
  Bitboard golds(Color c) const { return by_color_[c] & golds_; }  // everything that moves like a gold
  Bitboard occupied() const { return by_color_[BLACK] | by_color_[WHITE]; }
  Bitboard checkers() const { return checkers_; }  // pieces that attack the king of the side to move
  Bitboard pinned() const { return pinned_; }      // own pieces that alone shield the king of the side to move
  // The pieces of a side that attack a square, given what is occupied.
  Bitboard attackers(Color by, Square s, Bitboard occupied) const;
  // The sliders of a side on whose lines the square lies, whatever stands in between.
  Bitboard snipers(Color by, Square s) const {
    const Bitboard lances = ray(forward_direction(~by), s) & pieces(LANCE);
    const Bitboard bishops = diagonals(s) & (pieces(BISHOP) | pieces(HORSE));
    const Bitboard rooks = straights(s) & (pieces(ROOK) | pieces(DRAGON));
    return pieces(by) & (lances | bishops | rooks);
  }
  // Every square that the side attacks, its own pieces' squares included.
  Bitboard attacked(Color by, Bitboard occupied) const;
  // Whether a pawn dropped there, in front of the opponent's king, would be mate. The drop must be possible otherwise.
  bool mates_by_pawn_drop(Square to) const;

  // Same board, hands and side to move; the move number does not count.
  bool same_as(const Position& other) const;

 private:
  struct Empty {};
  explicit Position(Empty) {}
  friend class SfenReader;

  template <Color Us>
  void do_move(Move m, Undo& undo);
  template <Color Us>
  void undo_move(Move m, Piece captured);
  template <Color C>
  Bitboard attacked(Bitboard occupied) const;
  template <Color Us>
  void capture(Piece captured, Square s);
  [[gnu::always_inline]] void put(Piece piece, Square s) {
    flip(piece, Bitboard::of(s));
    board_[static_cast<std::size_t>(s)] = piece;
  }
  [[gnu::always_inline]] void take(Piece piece, Square s) {
    flip(piece, Bitboard::of(s));
    board_[static_cast<std::size_t>(s)] = NO_PIECE;
  }
  // Puts the piece into its sets on each of the squares, or takes it out if it is there.
  [[gnu::always_inline]] void flip(Piece piece, Bitboard squares) {
    by_type_[type_of(piece)] ^= squares;
    by_color_[color_of(piece)] ^= squares;
    golds_ ^= squares & detail::kGoldMask[type_of(piece)];
  }
  void set_up_checks();
  template <Color Us>
  void update_checks(Bitboard step_checkers);

  Illegal why_illegal_drop(Move m) const;
  Illegal why_illegal_on_board(Move m) const;
  Illegal why_illegal_promotion(Piece piece, Move m) const;
  bool leaves_king_in_check(Move m) const;

  std::array<Bitboard, 16> by_type_{};
  std::array<Bitboard, COLOR_NB> by_color_{};
  Bitboard golds_;
  Bitboard checkers_, pinned_;
  Key board_key_ = 0, hand_key_ = 0;
  std::array<Hand, COLOR_NB> hands_{};
  std::array<Piece, SQUARE_NB> board_{};
  std::array<Square, COLOR_NB> kings_{SQ_NONE, SQ_NONE};
  Color side_to_move_ = BLACK;
  int ply_ = 0;
};

}  // namespace fuhyo::shogi
