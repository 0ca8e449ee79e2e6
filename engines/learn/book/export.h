// Converts the graph of a book to the books of engines. Pure; any thread.
#pragma once

#include <vector>

#include "engines/book/write.h"
#include "engines/learn/book/graph.h"

namespace fuhyo::learn {

struct ExportOptions {
  int margin = 50;      // moves that are worth so much less than the best one are left out; centipawns
  int last_ply = 40;    // positions after more moves are left out
  bool counts = false;  // moves have the number of games in which they were played, else all 1
};

// Every position that was searched and is not the end of a game, with its moves, the best first; of equals first those
// that make progress (NodeValue::order). The depth of a move is that of its search, or one more than that of the
// position that it leads to, whichever is larger.
std::vector<book::BookPosition> book_of(const BookGraph& graph, const ExportOptions& options);

}  // namespace fuhyo::learn
