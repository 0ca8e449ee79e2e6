// Speed of the rules: perft with bulk counting, in million nodes per CPU-second of one thread.
//   perft_bench [RUNS [LESS]]    best of RUNS (default 3), LESS plies less deep (default 0, at most 3)
// "counted" is perft() itself: the last ply is counted from sets of squares. "listed" writes the list of the last ply
// and takes its length, as other programs' bulk counting does.

#include <array>
#include <fmt/core.h>

#include "engines/shogi/movegen.h"
#include "engines/shogi/perft.h"
#include "tests/bench/measure.h"

namespace {

using fuhyo::shogi::Position;

struct Case {
  const char* name;
  std::string_view sfen;
  int depth;
  std::array<std::uint64_t, 4> nodes;  // of this depth, of one less, ...
};
constexpr Case kCases[] = {
    {"startpos", Position::kStartSfen, 6, {547'581'517, 19'861'490, 719'731, 25'470}},
    {"matsuri",
     "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
     4,
     {516'925'165, 4'809'015, 28'684, 207}},
};

std::uint64_t perft_listed(Position& position, int depth) {
  const auto moves = fuhyo::shogi::legal_moves(position);
  if (depth == 1) return moves.size();
  std::uint64_t nodes = 0;
  for (const auto move : moves) {
    const auto undo = position.do_move(move);
    nodes += perft_listed(position, depth - 1);
    position.undo_move(move, undo);
  }
  return nodes;
}

// Million nodes per CPU-second, or 0 if the count is wrong.
template <class Perft>
double speed(const Case& c, std::size_t less, Perft perft) {
  const int depth = c.depth - static_cast<int>(less);
  auto position = Position::from_sfen(c.sfen);
  const double start = fuhyo::bench::thread_seconds();
  const std::uint64_t nodes = perft(*position, depth);
  const double spent = fuhyo::bench::thread_seconds() - start;
  if (nodes == c.nodes[less]) return static_cast<double>(nodes) / spent / 1e6;
  fmt::print("{} depth {}: {} nodes, {} expected\n", c.name, depth, nodes, c.nodes[less]);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 3;
  const std::size_t less = argc > 2 ? std::min(std::strtoul(argv[2], nullptr, 10), 3UL) : 0;
  bool right = true;
  for (const Case& c : kCases) {
    double counted = 0, listed = 0;
    for (int run = 0; run < runs; ++run) {
      counted = std::max(counted, speed(c, less, fuhyo::shogi::perft));
      listed = std::max(listed, speed(c, less, perft_listed));
    }
    right = right && counted > 0 && listed > 0;
    fmt::print("{} depth {}: {} nodes, counted {:.1f} M nodes/CPU-s, listed {:.1f} M nodes/CPU-s (best of {})\n",
               c.name, c.depth - static_cast<int>(less), c.nodes[less], counted, listed, runs);
  }
  return right ? 0 : 1;
}
