// Speed of mate_in_one beside generating the legal moves and trying every check, over positions of random games: CPU
// time of one thread, the best of several rounds.
//   mate_in_one_bench [POSITIONS]    default 20000

#include <fmt/core.h>
#include <random>

#include "engines/mate/mate_in_one.h"
#include "engines/shogi/movegen.h"
#include "tests/bench/measure.h"

namespace {

using fuhyo::shogi::GenKind;
using fuhyo::shogi::Move;
using fuhyo::shogi::MoveList;
using fuhyo::shogi::Position;

Move by_trying(Position& position) {
  for (const Move move : MoveList<GenKind::SEARCH>(position)) {
    if (!position.gives_check(move)) continue;
    const auto undo = position.do_move(move);
    const bool mate = fuhyo::shogi::count_legal_moves(position) == 0;
    position.undo_move(move, undo);
    if (mate) return move;
  }
  return {};
}

// Random play, without positions in check: those are what a search asks about.
std::vector<Position> random_positions(std::size_t count) {
  std::mt19937 random(1);
  std::vector<Position> all;
  Position position;
  while (all.size() < count) {
    const MoveList<GenKind::SEARCH> moves(position);
    if (moves.empty() || position.ply() > 200) {
      position = Position();
      continue;
    }
    position.do_move(moves[random() % moves.size()]);
    if (!position.in_check() && position.ply() > 30) all.push_back(position);
  }
  return all;
}

template <class F>
void measure(const char* name, std::vector<Position>& positions, int rounds, F find) {
  std::size_t mates = 0;
  double seconds = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const double start = fuhyo::bench::thread_seconds();
    for (Position& position : positions) mates += find(position) ? 1 : 0;
    seconds = std::min(seconds, fuhyo::bench::thread_seconds() - start);
  }
  const double calls = static_cast<double>(positions.size());
  fmt::print("{:28} {:8.2f} M calls/s, {:7.1f} ns a call, {} of {} mate\n", name, calls / seconds / 1e6,
             seconds / calls * 1e9, mates / static_cast<std::size_t>(rounds), positions.size());
}

}  // namespace

int main(int argc, char** argv) {
  auto positions = random_positions(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20'000);
  measure("mate_in_one", positions, 50, [](Position& p) { return fuhyo::mate::mate_in_one(p); });
  measure("generate and try every check", positions, 10, by_trying);
}
