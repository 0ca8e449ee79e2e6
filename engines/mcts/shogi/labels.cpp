#include "engines/mcts/shogi/labels.h"

#include <array>

namespace fuhyo::mcts {
namespace {

using namespace shogi;

constexpr int kDirections = 8;  // lines that pieces go along
constexpr int kBoardWays = 10;  // ... and the knight's two
constexpr int kFirstDrop = 2 * kBoardWays;

// Steps of file and rank, as Black sees them.
struct Step {
  int file, rank;
};
constexpr std::array<Step, kBoardWays> kSteps = {
    {{0, -1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {1, 1}, {-1, 1}, {1, -2}, {-1, -2}}};

Square turned(Square s, Color turn) { return turn == BLACK ? s : static_cast<Square>(SQUARE_NB - 1 - s); }

constexpr int sign(int x) { return (x > 0) - (x < 0); }

// The way along a line, by the signs of its steps of file and rank.
constexpr auto kWayAlong = [] {
  std::array<std::array<std::uint8_t, 3>, 3> ways{};
  for (std::uint8_t way = 0; way < kDirections; ++way) {
    ways[static_cast<std::size_t>(kSteps[way].file + 1)][static_cast<std::size_t>(kSteps[way].rank + 1)] = way;
  }
  return ways;
}();

constexpr std::uint8_t find_way(Square from, Square to) {
  const int file = file_of(to) - file_of(from), rank = rank_of(to) - rank_of(from);
  if (rank == -2 && (file == 1 || file == -1)) return file > 0 ? 8 : 9;
  return kWayAlong[static_cast<std::size_t>(sign(file) + 1)][static_cast<std::size_t>(sign(rank) + 1)];
}

// By where a piece comes from and where it goes to.
constexpr auto kWayBetween = [] {
  std::array<std::array<std::uint8_t, SQUARE_NB>, SQUARE_NB> ways{};
  for (int from = 0; from < SQUARE_NB; ++from) {
    for (int to = 0; to < SQUARE_NB; ++to) {
      ways[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] =
          find_way(static_cast<Square>(from), static_cast<Square>(to));
    }
  }
  return ways;
}();

int way_between(Square from, Square to) {
  return kWayBetween[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

// Where a piece that comes this way to `to` stands; SQ_NONE if the edge comes first. Both as the side to move sees it.
Square origin(const Position& position, int way, Square to) {
  const Step step = kSteps[static_cast<std::size_t>(way)];
  int file = file_of(to), rank = rank_of(to);
  do {
    file -= step.file;
    rank -= step.rank;
    if (file < 1 || file > 9 || rank < 1 || rank > 9) return SQ_NONE;
  } while (way < kDirections &&
           position.piece_on(turned(make_square(file, rank), position.side_to_move())) == NO_PIECE);
  return make_square(file, rank);
}

}  // namespace

std::uint32_t label_of(Move move, Color turn) {
  const Square to = turned(move.to(), turn);
  const int way = move.is_drop() ? kFirstDrop + move.dropped() - PAWN
                                 : way_between(turned(move.from(), turn), to) + (move.is_promotion() ? kBoardWays : 0);
  return static_cast<std::uint32_t>(way * SQUARE_NB + to);
}

std::optional<Move> move_of(std::uint32_t label, const Position& position) {
  if (label >= kLabels) return {};
  const Color turn = position.side_to_move();
  const int way = static_cast<int>(label / SQUARE_NB);
  const auto to = static_cast<Square>(label % SQUARE_NB);
  Move move;
  if (way >= kFirstDrop) {
    move = Move::drop(static_cast<PieceType>(way - kFirstDrop + PAWN), turned(to, turn));
  } else {
    const Square from = origin(position, way % kBoardWays, to);
    if (from == SQ_NONE) return {};
    move = Move::board(turned(from, turn), turned(to, turn), way >= kBoardWays);
  }
  if (!position.is_legal(move)) return {};
  return move;
}

}  // namespace fuhyo::mcts
