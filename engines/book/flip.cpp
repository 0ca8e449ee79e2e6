#include "engines/book/flip.h"

#include <algorithm>
#include <string>

namespace fuhyo::book {
namespace {

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr char other_owner(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

}  // namespace

std::optional<shogi::Position> flipped(const shogi::Position& position) {
  const std::string sfen = position.sfen();
  const std::size_t turn = sfen.find(' ') + 1, hands = turn + 2, number = sfen.rfind(' ');
  // Read from its end, a board is the turned one, but for the signs of promotion.
  std::string out(sfen.rend() - static_cast<std::ptrdiff_t>(turn - 1), sfen.rend());
  for (std::size_t i = 0; i + 1 < out.size(); ++i) {
    if (out[i + 1] != '+') continue;
    std::swap(out[i], out[i + 1]);
    ++i;
  }
  out += sfen[turn] == 'b' ? " w " : " b ";
  out.append(sfen, hands);
  std::ranges::transform(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(turn - 1), out.begin(), other_owner);
  const auto held = out.begin() + static_cast<std::ptrdiff_t>(hands);
  std::transform(held, out.begin() + static_cast<std::ptrdiff_t>(number), held, other_owner);
  auto result = shogi::Position::from_sfen(out);
  return result ? std::optional(*result) : std::nullopt;
}

shogi::Move flipped(shogi::Move move) {
  const auto turned = [](shogi::Square s) { return static_cast<shogi::Square>(shogi::SQUARE_NB - 1 - s); };
  if (!move) return move;
  if (move.is_drop()) return shogi::Move::drop(move.dropped(), turned(move.to()));
  return shogi::Move::board(turned(move.from()), turned(move.to()), move.is_promotion());
}

}  // namespace fuhyo::book
