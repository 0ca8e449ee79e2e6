#include "engines/othello/board.h"

#include <bit>
#include <utility>

namespace fuhyo::othello {
namespace {

// One step: to the right, downwards and both ways between, and the reverse. Lines along ranks and diagonals must not
// run over the edge of the board, so none of their inner stones stands on the files a and h.
struct Way {
  int step;
  std::uint64_t inner;
};
constexpr std::uint64_t kAll = ~std::uint64_t{0}, kWithoutEdges = 0x7e7e7e7e7e7e7e7e;
constexpr Way kWays[] = {{1, kWithoutEdges}, {8, kAll}, {7, kWithoutEdges}, {9, kWithoutEdges}};

template <bool kForwards>
constexpr std::uint64_t stepped(std::uint64_t squares, int step) {
  return kForwards ? squares << step : squares >> step;
}

// Stones of `through` that form a line without a gap from `from` on, which has six of them at most.
template <bool kForwards>
constexpr std::uint64_t line(std::uint64_t from, std::uint64_t through, int step) {
  std::uint64_t found = through & stepped<kForwards>(from, step);
  for (int i = 0; i < 5; ++i) found |= through & stepped<kForwards>(found, step);
  return found;
}

template <bool kForwards>
constexpr std::uint64_t flipped(std::uint64_t square, const Board& board, const Way& way) {
  const std::uint64_t found = line<kForwards>(square, board.other & way.inner, way.step);
  return (stepped<kForwards>(found, way.step) & board.own) != 0 ? found : 0;
}

}  // namespace

std::uint64_t Board::moves() const {
  std::uint64_t ends = 0;
  for (const Way& way : kWays) {
    ends |= stepped<true>(line<true>(own, other & way.inner, way.step), way.step);
    ends |= stepped<false>(line<false>(own, other & way.inner, way.step), way.step);
  }
  return ends & ~(own | other);
}

std::uint64_t Board::flips(int square) const {
  const std::uint64_t stone = 1ULL << square;
  std::uint64_t found = 0;
  for (const Way& way : kWays) found |= flipped<true>(stone, *this, way) | flipped<false>(stone, *this, way);
  return found;
}

void Board::play(int move) {
  if (move != kPass) {
    const std::uint64_t turned = flips(move);
    own |= turned | 1ULL << move;
    other &= ~turned;
  }
  std::swap(own, other);
}

bool Board::over() const { return moves() == 0 && Board{.own = other, .other = own}.moves() == 0; }

int Board::lead() const { return std::popcount(own) - std::popcount(other); }

std::uint64_t perft(const Board& board, int depth) {
  if (depth == 0) return 1;
  const std::uint64_t moves = board.moves();
  if (moves == 0) {
    if (board.over()) return 1;
    Board next = board;
    next.play(kPass);
    return perft(next, depth - 1);
  }
  if (depth == 1) return static_cast<std::uint64_t>(std::popcount(moves));
  std::uint64_t sum = 0;
  for (std::uint64_t rest = moves; rest != 0; rest &= rest - 1) {
    Board next = board;
    next.play(std::countr_zero(rest));
    sum += perft(next, depth - 1);
  }
  return sum;
}

std::string to_text(int move) {
  if (move == kPass) return "pass";
  return {static_cast<char>('a' + move % 8), static_cast<char>('1' + move / 8)};
}

std::optional<int> parse_square(std::string_view text) {
  if (text.size() != 2) return std::nullopt;
  const int file = (text[0] | 0x20) - 'a', rank = text[1] - '1';
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return std::nullopt;
  return rank * 8 + file;
}

}  // namespace fuhyo::othello
