// Rows as the journal says they have to be, for comparing. Values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/core/account_facts.h"
#include "server/core/room_facts.h"
#include "server/store/batch.h"
#include "server/store/transfer/row.h"

namespace fuhyo::store {

// What is kept of a row for a comparison: enough against mistakes.
using RowMark = std::uint64_t;
RowMark mark_of(TableId table, const Row& row);

// Of games without their notes, whose wording belongs to the program that wrote them; and their rates apart, because a
// row of an older program has none.
struct GameMark {
  RowMark row = 0;
  std::int64_t black_rate = 0, white_rate = 0;
};
GameMark game_mark(const Row& row);
GameMark game_mark(const FinishedGame& game);
// Whether the row of a game is what the journal says.
bool agree(const GameMark& row, const GameMark& said);

RowMark mark_of(core::Seq seq, const core::AdminActed& acted);
RowMark mark_of(core::Seq seq, const core::RoundHeld& held);

// Cells by name of their column; the table has it.
const Cell& cell(TableId table, const Row& row, std::string_view column);

}  // namespace fuhyo::store
