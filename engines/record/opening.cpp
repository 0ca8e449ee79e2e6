#include "engines/record/opening.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace fuhyo::record {
namespace {

using namespace shogi;

constexpr int kEarlyExchange = 24, kEarlyDrop = 12;  // plies
constexpr int kNone = 1000;                          // a ply that never comes

// The square as the side sees it from its seat.
Square seen(Color color, Square square) {
  return color == BLACK ? square : make_square(10 - file_of(square), 10 - rank_of(square));
}

constexpr Square at(int file, int rank) { return make_square(file, rank); }

struct Side {
  int rook_file = 2;             // where the rook stood last while it had not left the second rank
  bool rook_left = false;        // it has
  bool rook_pawn_on_5 = false;   // has been on 2五
  bool bishop_way_open = false;  // the pawn of 7七 has moved
  bool rook_pawn_exchanged = false;
  bool side_pawn_taken = false;  // yokofudori
  bool gangi = false, yagura = false;

  bool swings() const { return rook_file >= 5; }
};

class Opening {
 public:
  explicit Opening(const Setup& start) : board_(start) {}

  void apply(Move move) {
    const Color color = board_.turn;
    const PieceType captured = kind(move.to());
    ++ply_;
    if (move.is_drop()) {
      drop(color, move);
    } else {
      moved(color, seen(color, move.from()), seen(color, move.to()), kind(move.from()), captured);
    }
    // A bishop for a bishop: the second one is taken where the first one was.
    const bool bishop = captured == BISHOP || captured == HORSE;
    if (bishop && bishop_taken_on_ == move.to() && bishop_taken_at_ == ply_ - 1) exchange_ = std::min(exchange_, ply_);
    if (bishop) {
      bishop_taken_on_ = move.to();
      bishop_taken_at_ = ply_;
    }
    board_.apply(move);
    castles(color);
  }

  std::string_view name() const {
    const Side& black = sides_[BLACK];
    const Side& white = sides_[WHITE];
    if (line_changed_) return "sujichigaikaku";
    if (black.swings() && white.swings()) return "aifuribisha";
    if (black.swings() || white.swings()) return swung(black.swings() ? black.rook_file : white.rook_file);
    if (black.side_pawn_taken || white.side_pawn_taken) return "yokofudori";
    if (exchange_ <= kEarlyExchange) return "kakugawari";
    if (both_rook_pawns_ && (black.rook_pawn_exchanged || white.rook_pawn_exchanged)) return "aigakari";
    if (black.gangi || white.gangi) return "gangi";
    return black.yagura || white.yagura ? "yagura" : "";
  }

 private:
  PieceType kind(Square square) const { return type_of(board_.board[static_cast<std::size_t>(square)]); }

  bool has(Color color, Square own, PieceType type) const {
    return board_.board[static_cast<std::size_t>(seen(color, own))] == make_piece(color, type);
  }

  void drop(Color color, Move move) {
    if (move.dropped() != BISHOP || seen(color, move.to()) != at(4, 5)) return;
    if (exchange_ < ply_ && ply_ <= kEarlyDrop) line_changed_ = true;
  }

  void moved(Color color, Square from, Square to, PieceType type, PieceType captured) {
    Side& side = sides_[color];
    if (type == ROOK) {
      if (captured == PAWN && from == at(2, 4) && to == at(3, 4)) side.side_pawn_taken = true;
      if (from == at(2, 8) && to == at(2, 4)) side.rook_pawn_exchanged = true;
      if (rank_of(to) != 8) side.rook_left = true;
      if (!side.rook_left) side.rook_file = file_of(to);
    }
    if (type != PAWN) return;
    if (from == at(7, 7)) side.bishop_way_open = true;
    if (to == at(2, 5)) side.rook_pawn_on_5 = true;
    const Side& other = sides_[~color];
    const bool both = side.rook_pawn_on_5 && other.rook_pawn_on_5;
    if (both && !side.bishop_way_open && !other.bishop_way_open) both_rook_pawns_ = true;
  }

  void castles(Color color) {
    Side& side = sides_[color];
    const bool gold = has(color, at(7, 8), GOLD);
    if (!has(color, at(6, 6), PAWN)) return;
    if (gold && has(color, at(6, 7), SILVER)) side.gangi = true;
    if (!has(color, at(7, 6), PAWN) || !has(color, at(7, 7), SILVER)) return;
    if (gold || has(color, at(6, 7), GOLD)) side.yagura = true;
  }

  std::string_view swung(int file) const {
    if (file == 5) return "nakabisha";
    if (exchange_ <= kEarlyExchange) return "kakugawarifuribisha";
    return file == 6 ? "shikenbisha" : file == 7 ? "sankenbisha" : "mukaibisha";
  }

  Setup board_;
  std::array<Side, COLOR_NB> sides_{};
  Square bishop_taken_on_ = SQ_NONE;
  int bishop_taken_at_ = 0;
  int exchange_ = kNone;  // the ply that completed it
  int ply_ = 0;
  bool line_changed_ = false;     // sujichigaikaku
  bool both_rook_pawns_ = false;  // aigakari
};

}  // namespace

std::string_view opening_name(const Setup& start, const std::vector<RecordedMove>& moves) {
  if (start != Setup::standard()) return "";
  Opening opening(start);
  for (std::size_t i = 0; i < std::min(moves.size(), kOpeningPlies); ++i) opening.apply(moves[i].move);
  return opening.name();
}

std::string_view opening_name(const Game& game) { return opening_name(game.start, game.moves); }

}  // namespace fuhyo::record
