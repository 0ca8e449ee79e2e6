// Entries of the transposition table as engines exchange them (usi/table_lines.h). Pure; any thread.
//
// What comes from others may be wrong, on purpose or not. What of it may stand in the table is bounded here:
//
//   moves    as they are: the search plays no move of the table that is not legal in the position
//   values   nobody is believed that a game is decided. A win is taken for an evaluation of kMaxEvaluation at least, a
//            loss for -kMaxEvaluation at most: it says where to look, and the search claims a mate only if it has seen
//            it. What then says nothing any more leaves its move and its evaluation.
//   depth    within what the table holds
//
// So a false entry can cost strength, and nothing else: no illegal move, no mate that is none. It goes as all entries
// go: for a deeper one of the same position, and sooner than others once the next search has begun.
#pragma once

#include <optional>
#include <vector>

#include "engines/nnue/search/transposition_table.h"
#include "engines/shogi/position.h"
#include "engines/usi/table_lines.h"

namespace fuhyo::nnue {

// None if the entry has no value worth sending.
std::optional<usi::TableEntry> to_exchange(shogi::Key key, const TtEntry& entry);
// None if no table of ours could have such an entry.
std::optional<TtEntry> from_exchange(const usi::TableEntry& entry);
// Whether what was told may take the place of what the table knows: what is deeper, or decides the game, stays.
bool tells_more(const TtEntry& told, const std::optional<TtEntry>& known);

// What the table knows of the positions along a line of legal moves from `root`, which `with_root` is one of, as far as
// a batch has room. Only what was searched.
std::vector<usi::TableEntry> entries_of_line(shogi::Position root, const std::vector<shogi::Move>& line, bool with_root,
                                             const TranspositionTable& table);

}  // namespace fuhyo::nnue
