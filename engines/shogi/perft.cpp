#include "engines/shogi/perft.h"

#include "engines/shogi/movegen.h"

namespace fuhyo::shogi {

std::uint64_t perft(Position& position, int depth) {
  if (depth <= 0) return 1;
  if (depth == 1) return count_legal_moves(position);  // the last ply is counted, not made
  std::uint64_t nodes = 0;
  for (const Move move : legal_moves(position)) {
    const Position::Undo undo = position.do_move(move);
    nodes += perft(position, depth - 1);
    position.undo_move(move, undo);
  }
  return nodes;
}

std::vector<std::pair<Move, std::uint64_t>> perft_divide(Position& position, int depth) {
  std::vector<std::pair<Move, std::uint64_t>> counts;
  if (depth <= 0) return counts;
  for (const Move move : legal_moves(position)) {
    const Position::Undo undo = position.do_move(move);
    counts.emplace_back(move, perft(position, depth - 1));
    position.undo_move(move, undo);
  }
  return counts;
}

}  // namespace fuhyo::shogi
