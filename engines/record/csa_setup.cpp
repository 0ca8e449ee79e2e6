#include "engines/record/csa_setup.h"

#include <cstddef>

namespace fuhyo::record {

using namespace shogi;

namespace {

using Defect = std::optional<std::string>;

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

constexpr std::size_t index(Square square) { return static_cast<std::size_t>(square); }

constexpr bool is_coordinate(char c) { return c >= '1' && c <= '9'; }

std::optional<Square> square_at(std::string_view item) {
  if (!is_coordinate(item[0]) || !is_coordinate(item[1])) return std::nullopt;
  return make_square(item[0] - '0', item[1] - '0');
}

}  // namespace

Defect CsaSetupReader::line(std::string_view text) {
  if (text.size() < 2) return "a position line without content";
  any_ = true;
  const std::string_view rest = text.substr(2);
  const char kind = text[1];
  if (kind == 'I') return handicap(rest);
  if (is_coordinate(kind)) return rank(kind - '0', rest);
  if (kind == '+' || kind == '-') return pieces(kind == '+' ? BLACK : WHITE, rest);
  return "unknown position line " + quoted(text);
}

Defect CsaSetupReader::handicap(std::string_view removed) {
  setup_ = Setup::standard();
  if (removed.size() % 4 != 0) return "incomplete piece in " + quoted(removed);
  for (; !removed.empty(); removed.remove_prefix(4)) {
    const std::string_view item = removed.substr(0, 4);
    const auto square = square_at(item);
    const PieceType type = piece_of_csa_name(item[2], item[3]);
    if (!square || type == NO_PIECE_TYPE) return "not a piece to remove: " + quoted(item);
    Piece& on_board = setup_.board[index(*square)];
    if (type_of(on_board) != type) return "no such piece to remove: " + quoted(item);
    on_board = NO_PIECE;
  }
  return std::nullopt;
}

// Nine squares of "+FU" or " * ". Mail programs and web pages collapse blanks ("* *"), so blanks only separate.
Defect CsaSetupReader::rank(int rank, std::string_view squares) {
  if ((ranks_ & (1U << rank)) != 0) return "rank " + std::to_string(rank) + " is given twice";
  ranks_ |= 1U << rank;
  std::size_t i = 0;
  for (int file = 9; file >= 1; --file) {
    while (i < squares.size() && squares[i] == ' ') ++i;
    if (i == squares.size()) return "rank " + std::to_string(rank) + " has fewer than nine squares";
    if (squares[i] == '*') {
      ++i;
      continue;
    }
    const std::string_view item = squares.substr(i, 3);
    i += item.size();
    const PieceType type = item.size() == 3 ? piece_of_csa_name(item[1], item[2]) : NO_PIECE_TYPE;
    if (type == NO_PIECE_TYPE || (item[0] != '+' && item[0] != '-')) return "not a piece: " + quoted(item);
    setup_.board[index(make_square(file, rank))] = make_piece(item[0] == '+' ? BLACK : WHITE, type);
  }
  if (squares.find_first_not_of(' ', i) != std::string_view::npos) {
    return "rank " + std::to_string(rank) + " has more than nine squares";
  }
  return std::nullopt;
}

Defect CsaSetupReader::pieces(Color color, std::string_view list) {
  if (list.size() % 4 != 0) return "incomplete piece in " + quoted(list);
  for (; !list.empty(); list.remove_prefix(4)) {
    if (all_given_) return "pieces after 00AL, which takes all that remain";
    if (auto defect = piece(color, list.substr(0, 4))) return defect;
  }
  return std::nullopt;
}

Defect CsaSetupReader::piece(Color color, std::string_view item) {
  if (item == "00AL") {
    all_remaining(color);
    return std::nullopt;
  }
  const PieceType type = piece_of_csa_name(item[2], item[3]);
  if (type == NO_PIECE_TYPE) return "unknown piece: " + quoted(item);
  if (item.substr(0, 2) == "00") {
    if (type > GOLD) return "a hand cannot hold " + quoted(item.substr(2));
    if (setup_.missing(type) <= 0) return "more " + std::string(csa_name(type)) + " than a set has";
    setup_.hands[color].add(type);
    return std::nullopt;
  }
  const auto square = square_at(item);
  if (!square) return "not a square: " + quoted(item);
  Piece& on_board = setup_.board[index(*square)];
  if (on_board != NO_PIECE) return "two pieces on one square: " + quoted(item);
  on_board = make_piece(color, type);
  return std::nullopt;
}

void CsaSetupReader::all_remaining(Color color) {
  all_given_ = true;
  for (int t = PAWN; t <= GOLD; ++t) {
    const auto type = static_cast<PieceType>(t);
    const int count = setup_.missing(type);
    if (count > 0) setup_.hands[color].add(type, count);
  }
}

std::expected<Setup, std::string> CsaSetupReader::finish(Color turn) const {
  if (const PieceType type = excess(setup_); type != NO_PIECE_TYPE) {
    return std::unexpected("more " + std::string(csa_name(type)) + " than a set has");
  }
  Setup setup = setup_;
  setup.turn = turn;
  return setup;
}

}  // namespace fuhyo::record
