#include "engines/record/kif_move.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engines/record/kif_text.h"
#include "engines/shogi/attacks.h"

namespace fuhyo::record {
namespace {

using namespace shogi;
using Side = KifMove::Side;
using Motion = KifMove::Motion;
using Error = std::unexpected<std::string>;

constexpr std::array<std::string_view, 4> kSides = {"", "左", "直", "右"};
constexpr std::array<std::string_view, 4> kMotions = {"", "上", "寄", "引"};

// One word behind the piece. False: there is none.
bool take_word(std::string_view& text, KifMove& move) {
  for (std::size_t i = 1; i < kSides.size(); ++i) {
    if (take(text, kSides[i])) return move.side = static_cast<Side>(i), true;
    if (take(text, kMotions[i])) return move.motion = static_cast<Motion>(i), true;
  }
  if (take(text, "行") || take(text, "入")) return move.motion = Motion::up, true;
  if (take(text, "不成") || take(text, "生")) return move.promote = false, true;
  if (take(text, "成")) return move.promote = true, true;
  return take(text, "打") ? (move.drop = true) : false;
}

bool take_origin(std::string_view& text, KifMove& move) {
  std::string_view rest = text;
  skip_blanks(rest);
  if (!take(rest, "(") && !take(rest, "（")) return false;
  const auto from = take_square(rest);
  if (!from || (!take(rest, ")") && !take(rest, "）"))) return false;
  move.from = *from;
  text = rest;
  return true;
}

// The pieces of the side to move that attack the square, whatever the rules say.
std::vector<Square> attackers(const Setup& board, PieceType type, Square to) {
  Bitboard occupied;
  for (int s = 0; s < SQUARE_NB; ++s) {
    if (board.board[static_cast<std::size_t>(s)] != NO_PIECE) occupied |= Bitboard::of(static_cast<Square>(s));
  }
  std::vector<Square> found;
  for (int s = 0; s < SQUARE_NB; ++s) {
    const auto from = static_cast<Square>(s);
    if (board.board[static_cast<std::size_t>(s)] != make_piece(board.turn, type)) continue;
    if ((attacks(board.turn, type, from, occupied) & Bitboard::of(to)).any()) found.push_back(from);
  }
  return found;
}

Motion motion_of(Color color, Square from, Square to) {
  const int up = relative_rank(color, from) - relative_rank(color, to);
  return up > 0 ? Motion::up : up < 0 ? Motion::back : Motion::sideways;
}

// How far to the left the square lies, as its side sees it.
int leftness(Color color, Square square) { return color == BLACK ? file_of(square) : -file_of(square); }

bool is_wide(PieceType type) { return type == HORSE || type == DRAGON; }

// Where a piece comes from. Of horses and dragons it is seen from the other one, of the rest from where they go.
Side side_of(Color color, PieceType type, Square from, Square to, const std::vector<Square>& like) {
  const int at = leftness(color, from);
  if (!is_wide(type) || like.size() < 2) {
    const int way = at - leftness(color, to);
    return way > 0 ? Side::left : way < 0 ? Side::right : Side::straight;
  }
  const auto is_left = [&](Square s) { return s != from && leftness(color, s) < at; };
  const auto is_right = [&](Square s) { return s != from && leftness(color, s) > at; };
  if (std::ranges::any_of(like, is_left)) return Side::left;
  return std::ranges::any_of(like, is_right) ? Side::right : Side::straight;
}

// Those of which the words are true.
std::vector<Square> fitting(Color color, const KifMove& move, Square to, const std::vector<Square>& like) {
  std::vector<Square> found;
  for (const Square from : like) {
    const Motion motion = motion_of(color, from, to);
    const bool moves_so = move.motion == Motion::none || motion == move.motion;
    const Side side = side_of(color, move.piece, from, to, like);
    const bool stands_so =
        move.side == Side::none || (side == move.side && (side != Side::straight || motion == Motion::up));
    if (moves_so && stands_so) found.push_back(from);
  }
  return found;
}

CsaMove on_board(const Setup& board, const KifMove& move, Square from, Square to) {
  const bool promotes = move.promote.value_or(false) && can_promote(move.piece);
  return {.color = board.turn, .from = from, .to = to, .after = promotes ? promoted(move.piece) : move.piece};
}

// Legality needs a position that the rules know; where the record has none, nothing is left out.
std::vector<Square> legal_ones(const Setup& board, const KifMove& move, Square to, const std::vector<Square>& like) {
  const auto position = board.position();
  if (!position) return like;
  std::vector<Square> found;
  for (const Square from : like) {
    const auto resolved = board.resolve(on_board(board, move, from, to));
    if (resolved && position->is_legal(*resolved)) found.push_back(from);
  }
  return found;
}

// The origin that the words mean: a legal move before an illegal one.
std::expected<Square, std::string> origin(const Setup& board, const KifMove& move, Square to,
                                          const std::vector<Square>& like) {
  const std::vector<Square> all = fitting(board.turn, move, to, like);
  if (like.size() == 1 && all.size() == 1) return all.front();
  const std::vector<Square> legal = legal_ones(board, move, to, like);
  if (all.size() == 1 && std::ranges::find(legal, all.front()) != legal.end()) return all.front();
  // Some writers leave out what is pinned, before they look for words and for the others' sides.
  const std::vector<Square> among_legal = fitting(board.turn, move, to, legal);
  if (among_legal.size() == 1) return among_legal.front();
  if (all.size() == 1) return all.front();
  if (legal.size() == 1) return legal.front();
  return Error(all.empty() ? "no such piece can go there" : "several pieces can go there");
}

std::string name_of(const KifMove& move, Square to) {
  return "'" + kif_square(to) + std::string(kif_name(move.piece)) + "'";
}

bool may_promote(Color color, PieceType type, Square from, Square to) {
  return can_promote(type) && (in_promotion_zone(color, from) || in_promotion_zone(color, to));
}

}  // namespace

std::optional<KifMove> take_kif_move(std::string_view& text) {
  std::string_view rest = text;
  KifMove move;
  move.color = take_mark(rest);
  skip_blanks(rest);
  if (const auto to = take_square(rest)) {
    move.to = *to;
    take(rest, "同");  // said as well by some: it adds nothing
  } else if (!take(rest, "同")) {
    return std::nullopt;
  }
  skip_blanks(rest);
  move.piece = take_piece(rest);
  if (move.piece == NO_PIECE_TYPE) return std::nullopt;
  while (take_word(rest, move)) {
  }
  take_origin(rest, move);
  text = rest;
  return move;
}

std::expected<CsaMove, std::string> meant(const Setup& board, const KifMove& move, Square last_to) {
  if (move.color && *move.color != board.turn) return Error("it is the other side's turn");
  const Square to = move.to != SQ_NONE ? move.to : last_to;
  if (to == SQ_NONE) return Error("同 without a move before it");
  if (move.promote.value_or(false) && (!can_promote(move.piece) || move.drop)) {
    return Error(name_of(move, to) + " cannot promote");
  }
  if (move.from != SQ_NONE) return on_board(board, move, move.from, to);
  const CsaMove drop{.color = board.turn, .to = to, .after = move.piece};
  if (move.drop) return drop;
  const std::vector<Square> like = attackers(board, move.piece, to);
  if (like.empty() && move.side == Side::none && move.motion == Motion::none && !move.promote) return drop;
  const auto from = origin(board, move, to, like);
  if (!from) return Error(name_of(move, to) + ": " + from.error());
  return on_board(board, move, *from, to);
}

KifMove in_words(const Setup& board, Move move) {
  const Color color = board.turn;
  const Square to = move.to();
  KifMove said{.color = color, .to = to};
  if (move.is_drop()) {
    said.piece = move.dropped();
    said.drop = !attackers(board, said.piece, to).empty();
    return said;
  }
  const Square from = move.from();
  said.piece = type_of(board.board[static_cast<std::size_t>(from)]);
  if (may_promote(color, said.piece, from, to) || move.is_promotion()) said.promote = move.is_promotion();

  const std::vector<Square> like = attackers(board, said.piece, to);
  if (like.size() < 2) return said;
  const auto alone = [&] { return fitting(color, said, to, like).size() == 1; };
  const Motion motion = motion_of(color, from, to);
  said.motion = motion;
  if (alone()) return said;
  const Side side = side_of(color, said.piece, from, to, like);
  // Straight back or aside has no word of its own; there the motion has told it already, if anything can.
  if (side == Side::straight && motion != Motion::up) return said;
  said.motion = Motion::none;
  said.side = side;
  if (!alone()) said.motion = motion;
  return said;
}

std::string to_kif(const CsaMove& move, PieceType before, Square last_to) {
  std::string out = move.to == last_to ? "同　" : kif_square(move.to);
  out += kif_name(before);
  if (move.from == SQ_NONE) return out + "打";
  if (before != move.after) out += "成";
  out += '(';
  out += static_cast<char>('0' + file_of(move.from));
  out += static_cast<char>('0' + rank_of(move.from));
  return out + ')';
}

std::string to_ki2(const KifMove& move, Square last_to) {
  std::string words(kSides[static_cast<std::size_t>(move.side)]);
  words += kMotions[static_cast<std::size_t>(move.motion)];
  if (move.promote) words += *move.promote ? "成" : "不成";
  if (move.drop) words += "打";
  const std::string_view name = kif_name(move.piece);
  std::string out = move.color.value_or(BLACK) == BLACK ? "▲" : "△";
  if (move.to != last_to) {
    out += kif_square(move.to);
  } else {
    out += words.empty() && columns(name) == 2 ? "同　" : "同";
  }
  return out.append(name).append(words);
}

}  // namespace fuhyo::record
