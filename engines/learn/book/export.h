// From the graph of a book to what engines play from. Pure; any thread.
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

// Every position that was searched and in which the game goes on; its moves best first, of equals first those that make
// headway (NodeValue::order). Depths are those of a move's own search, or of what it leads to and one more.
std::vector<book::BookPosition> book_of(const BookGraph& graph, const ExportOptions& options);

}  // namespace fuhyo::learn
