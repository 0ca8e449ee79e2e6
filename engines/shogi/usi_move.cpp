#include "engines/shogi/usi_move.h"

namespace fuhyo::shogi {
namespace {

constexpr std::string_view kLetters = " PLNSBRG";  // by PieceType

void append(std::string& out, Square s) {
  out += static_cast<char>('0' + file_of(s));
  out += static_cast<char>('a' + rank_of(s) - 1);
}

std::optional<Square> parse_square(std::string_view text) {
  const bool on_board = text[0] >= '1' && text[0] <= '9' && text[1] >= 'a' && text[1] <= 'i';
  return on_board ? std::optional(make_square(text[0] - '0', text[1] - 'a' + 1)) : std::nullopt;
}

}  // namespace

std::string to_usi(Move m) {
  std::string out;
  if (m.is_drop()) {
    out += m.dropped() < kLetters.size() ? kLetters[m.dropped()] : '?';
    out += '*';
  } else {
    append(out, m.from());
  }
  append(out, m.to());
  if (m.is_promotion()) out += '+';
  return out;
}

std::optional<Move> parse_usi_move(std::string_view text) {
  if (text.size() != 4 && !(text.size() == 5 && text[4] == '+')) return std::nullopt;
  const auto to = parse_square(text.substr(2, 2));
  if (!to) return std::nullopt;
  if (text[1] == '*') {
    const std::size_t type = kLetters.find(text[0], 1);
    if (type == std::string_view::npos || text.size() == 5) return std::nullopt;
    return Move::drop(static_cast<PieceType>(type), *to);
  }
  const auto from = parse_square(text.substr(0, 2));
  if (!from || *from == *to) return std::nullopt;
  return Move::board(*from, *to, text.size() == 5);
}

}  // namespace fuhyo::shogi
