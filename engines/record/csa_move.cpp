#include "engines/record/csa_move.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fuhyo::record {
namespace {

using namespace shogi;

constexpr std::array<std::string_view, PIECE_TYPE_NB> kNames = {"",   "FU", "KY", "KE", "GI", "KA", "HI", "KI",
                                                                "OU", "TO", "NY", "NK", "NG", "UM", "RY"};

constexpr unsigned kLetters = 26;

// Indexed by both letters: one load instead of fourteen comparisons, because record reading lives on it.
constexpr std::array<PieceType, kLetters * kLetters> kByName = [] {
  std::array<PieceType, kLetters * kLetters> table{};
  for (std::size_t t = PAWN; t < PIECE_TYPE_NB; ++t) {
    const auto first = static_cast<std::size_t>(kNames[t][0] - 'A');
    const auto second = static_cast<std::size_t>(kNames[t][1] - 'A');
    table[first * kLetters + second] = static_cast<PieceType>(t);
  }
  return table;
}();

// shogi-server prints hands in the alphabetical order of the names.
constexpr std::array kHandOrder = {PAWN, SILVER, ROOK, BISHOP, KNIGHT, GOLD, LANCE};

std::optional<Square> parse_square(char file, char rank) {
  if (file < '1' || file > '9' || rank < '1' || rank > '9') return std::nullopt;
  return make_square(file - '0', rank - '0');
}

void append_square(std::string& out, Square square) {
  if (square == SQ_NONE) {
    out += "00";
    return;
  }
  out += static_cast<char>('0' + file_of(square));
  out += static_cast<char>('0' + rank_of(square));
}

std::string square_name(Square square) {
  return {static_cast<char>('0' + file_of(square)), static_cast<char>('a' + rank_of(square) - 1)};
}

bool is_own(Piece piece, Color color) { return piece != NO_PIECE && color_of(piece) == color; }

using Board = std::array<Piece, SQUARE_NB>;

void append_rank(std::string& out, const Board& board, int rank) {
  out += 'P';
  out += static_cast<char>('0' + rank);
  for (int file = 9; file >= 1; --file) {
    const Piece piece = board[static_cast<std::size_t>(make_square(file, rank))];
    if (piece == NO_PIECE) {
      out += " * ";
    } else {
      out += csa_sign(color_of(piece));
      out += csa_name(type_of(piece));
    }
  }
  out += '\n';
}

void append_hand(std::string& out, const Hand& hand, Color color) {
  if (hand.empty()) return;
  out += 'P';
  out += csa_sign(color);
  for (const PieceType type : kHandOrder) {
    for (int i = hand.count(type); i > 0; --i) {
      out += "00";
      out += csa_name(type);
    }
  }
  out += '\n';
}

}  // namespace

std::string_view csa_name(PieceType type) { return kNames[type]; }

PieceType piece_of_csa_name(char first, char second) {
  const unsigned row = static_cast<unsigned char>(first) - unsigned{'A'};
  const unsigned column = static_cast<unsigned char>(second) - unsigned{'A'};
  return row < kLetters && column < kLetters ? kByName[row * kLetters + column] : NO_PIECE_TYPE;
}

std::optional<CsaMove> parse_csa_move(std::string_view text) {
  if (text.size() != 7 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  CsaMove move;
  move.color = text[0] == '+' ? BLACK : WHITE;
  if (text[1] != '0' || text[2] != '0') {
    const auto from = parse_square(text[1], text[2]);
    if (!from) return std::nullopt;
    move.from = *from;
  }
  const auto to = parse_square(text[3], text[4]);
  move.after = piece_of_csa_name(text[5], text[6]);
  if (!to || move.after == NO_PIECE_TYPE) return std::nullopt;
  move.to = *to;
  return move;
}

std::string to_csa(const CsaMove& move) {
  std::string out;
  out += csa_sign(move.color);
  append_square(out, move.from);
  append_square(out, move.to);
  out += csa_name(move.after);
  return out;
}

std::optional<Move> resolve(const Position& position, const CsaMove& csa) {
  if (csa.color != position.side_to_move()) return std::nullopt;
  if (csa.from == SQ_NONE) {
    if (csa.after == NO_PIECE_TYPE || csa.after > GOLD) return std::nullopt;
    return Move::drop(csa.after, csa.to);
  }
  const Piece piece = position.piece_on(csa.from);
  if (!is_own(piece, csa.color) || csa.from == csa.to) return std::nullopt;
  const PieceType before = type_of(piece);
  if (before == csa.after) return Move::board(csa.from, csa.to, false);
  if (can_promote(before) && promoted(before) == csa.after) return Move::board(csa.from, csa.to, true);
  return std::nullopt;
}

std::string why_unresolved(const Position& position, const CsaMove& csa) {
  if (csa.color != position.side_to_move()) return "it is the other side's turn";
  const std::string after(csa_name(csa.after));
  if (csa.from == SQ_NONE) return "a hand cannot hold " + after;
  if (csa.from == csa.to) return "the piece stays on " + square_name(csa.from);
  if (!is_own(position.piece_on(csa.from), csa.color)) return "no own piece on " + square_name(csa.from);
  return "the piece on " + square_name(csa.from) + " cannot become " + after;
}

std::string to_csa(const Position& position, Move move) {
  CsaMove csa{.color = position.side_to_move(), .to = move.to()};
  if (move.is_drop()) {
    csa.after = move.dropped();
  } else {
    csa.from = move.from();
    const PieceType before = type_of(position.piece_on(csa.from));
    csa.after = move.is_promotion() ? promoted(before) : before;
  }
  return to_csa(csa);
}

std::string csa_board(const Position& position) {
  Board board;
  for (std::size_t s = 0; s < board.size(); ++s) board[s] = position.piece_on(static_cast<Square>(s));
  std::string out;
  append_board(out, board, {position.hand(BLACK), position.hand(WHITE)});
  out += csa_sign(position.side_to_move());
  out += '\n';
  return out;
}

void append_board(std::string& out, const Board& board, const std::array<Hand, COLOR_NB>& hands) {
  for (int rank = 1; rank <= 9; ++rank) append_rank(out, board, rank);
  append_hand(out, hands[BLACK], BLACK);
  append_hand(out, hands[WHITE], WHITE);
}

}  // namespace fuhyo::record
