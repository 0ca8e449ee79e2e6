// SQL conditions for what spectators may see of the archive. Empty where they may see all of it.
#pragma once

#include <string_view>
#include <vector>

#include "server/core/monitors/spectator_delay.h"
#include "server/store/catalogue/sql_query.h"

namespace fuhyo::store {

using Seen = std::vector<core::EndsSeen>;

// " AND .." that the end of the game has been seen; `table`: "g." of the columns, or "".
void and_seen(SqlQuery& sql, std::string_view table, const Seen& seen);

// " LEFT JOIN .. AS unseen ..": of a player `p.id` the games, wins, losses and draws that have not been, and when the
// first of them was opened (since_us).
void join_unseen(SqlQuery& sql, const Seen& seen);

}  // namespace fuhyo::store
