#include "engines/record/setup.h"

#include <algorithm>
#include <cstddef>

namespace fuhyo::record {

using namespace shogi;

namespace {

constexpr std::array kSetCounts = {0, 18, 4, 4, 4, 2, 2, 4, 2};
constexpr std::string_view kSfenLetters = " PLNSBRGKPLNSBR";
// The order of SFEN: rook, bishop, gold, silver, knight, lance, pawn.
constexpr std::array kSfenHandOrder = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};

void append_piece(std::string& out, Piece piece) {
  const PieceType type = type_of(piece);
  if (is_promoted(type)) out += '+';
  const char letter = kSfenLetters[type];
  out += color_of(piece) == BLACK ? letter : static_cast<char>(letter - 'A' + 'a');
}

void append_sfen_rank(std::string& out, const Setup& setup, int rank) {
  int empty = 0;
  for (int file = 9; file >= 1; --file) {
    const Piece piece = setup.board[static_cast<std::size_t>(make_square(file, rank))];
    if (piece == NO_PIECE) {
      ++empty;
      continue;
    }
    if (empty != 0) out += static_cast<char>('0' + empty);
    empty = 0;
    append_piece(out, piece);
  }
  if (empty != 0) out += static_cast<char>('0' + empty);
}

std::string sfen_hands(const Setup& setup) {
  std::string out;
  for (const Color color : {BLACK, WHITE}) {
    for (const PieceType type : kSfenHandOrder) {
      const int count = setup.hands[color].count(type);
      if (count == 0) continue;
      if (count > 1) out += std::to_string(count);
      append_piece(out, make_piece(color, type));
    }
  }
  return out.empty() ? "-" : out;
}

std::string square_name(Square square) {
  return {static_cast<char>('0' + file_of(square)), static_cast<char>('a' + rank_of(square) - 1)};
}

constexpr std::size_t index(Square square) { return static_cast<std::size_t>(square); }

bool is_own(Piece piece, Color color) { return piece != NO_PIECE && color_of(piece) == color; }

}  // namespace

int set_count(PieceType type) { return kSetCounts[type]; }

const Setup& Setup::standard() {
  static constexpr Setup setup = [] {
    constexpr std::array kBack = {LANCE, KNIGHT, SILVER, GOLD, KING, GOLD, SILVER, KNIGHT, LANCE};
    Setup start;
    const auto put = [&start](int file, int rank, PieceType type) {
      start.board[index(make_square(file, rank))] = make_piece(BLACK, type);
      start.board[index(make_square(10 - file, 10 - rank))] = make_piece(WHITE, type);
    };
    for (int file = 1; file <= 9; ++file) {
      put(file, 9, kBack[static_cast<std::size_t>(file - 1)]);
      put(file, 7, PAWN);
    }
    put(8, 8, BISHOP);
    put(2, 8, ROOK);
    return start;
  }();
  return setup;
}

Setup Setup::of(const Position& position) {
  Setup setup;
  for (int s = 0; s < SQUARE_NB; ++s) {
    setup.board[static_cast<std::size_t>(s)] = position.piece_on(static_cast<Square>(s));
  }
  setup.hands = {position.hand(BLACK), position.hand(WHITE)};
  setup.turn = position.side_to_move();
  return setup;
}

std::expected<Position, SfenError> Setup::position() const { return Position::from_sfen(sfen()); }

std::string Setup::sfen(int move_number) const {
  std::string out;
  for (int rank = 1; rank <= 9; ++rank) {
    if (rank > 1) out += '/';
    append_sfen_rank(out, *this, rank);
  }
  out += turn == BLACK ? " b " : " w ";
  out += sfen_hands(*this);
  out += ' ';
  out += std::to_string(move_number);
  return out;
}

std::optional<Move> Setup::resolve(const CsaMove& csa) const {
  if (csa.color != turn) return std::nullopt;
  if (csa.from == SQ_NONE) {
    if (csa.after == NO_PIECE_TYPE || csa.after > GOLD || hands[turn].count(csa.after) == 0) return std::nullopt;
    return Move::drop(csa.after, csa.to);
  }
  const Piece piece = board[index(csa.from)];
  if (!is_own(piece, turn) || csa.from == csa.to) return std::nullopt;
  const PieceType before = type_of(piece);
  if (before == csa.after) return Move::board(csa.from, csa.to, false);
  if (can_promote(before) && promoted(before) == csa.after) return Move::board(csa.from, csa.to, true);
  return std::nullopt;
}

std::string Setup::why_unresolved(const CsaMove& csa) const {
  if (csa.color != turn) return "it is the other side's turn";
  const std::string after(csa_name(csa.after));
  if (csa.from == SQ_NONE) return "no " + after + " in hand";
  if (csa.from == csa.to) return "the piece stays on " + square_name(csa.from);
  if (!is_own(board[index(csa.from)], turn)) return "no own piece on " + square_name(csa.from);
  return "the piece on " + square_name(csa.from) + " cannot become " + after;
}

CsaMove Setup::to_csa(Move move) const {
  if (move.is_drop()) return {.color = turn, .to = move.to(), .after = move.dropped()};
  const PieceType before = type_of(board[index(move.from())]);
  return {
      .color = turn, .from = move.from(), .to = move.to(), .after = move.is_promotion() ? promoted(before) : before};
}

void Setup::apply(Move move) {
  Piece& target = board[index(move.to())];
  if (move.is_drop()) {
    hands[turn].remove(move.dropped());
    target = make_piece(turn, move.dropped());
  } else {
    Piece& origin = board[index(move.from())];
    const PieceType captured = unpromoted(type_of(target));
    if (captured != NO_PIECE_TYPE && captured != KING) hands[turn].add(captured);
    target = move.is_promotion() ? make_piece(turn, promoted(type_of(origin))) : origin;
    origin = NO_PIECE;
  }
  turn = ~turn;
}

PieceType excess(const Setup& setup) {
  for (int t = PAWN; t <= KING; ++t) {
    if (setup.missing(static_cast<PieceType>(t)) < 0) return static_cast<PieceType>(t);
  }
  return NO_PIECE_TYPE;
}

int Setup::missing(PieceType type) const {
  const auto on_board = std::ranges::count_if(board, [type](Piece p) { return unpromoted(type_of(p)) == type; });
  const int in_hands = type == KING ? 0 : hands[BLACK].count(type) + hands[WHITE].count(type);
  return set_count(type) - static_cast<int>(on_board) - in_hands;
}

}  // namespace fuhyo::record
