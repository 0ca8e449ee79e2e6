// What of the archive spectators may see: conditions of questions. They say nothing where all may be seen.
#pragma once

#include <string_view>
#include <vector>

#include "server/core/monitors/spectator_delay.h"
#include "server/store/catalogue/question.h"

namespace fuhyo::store {

using Seen = std::vector<core::EndsSeen>;

// " AND .." that the end of the game has been seen; `table`: "g." of the columns, or "".
void and_seen(Question& question, std::string_view table, const Seen& seen);

// " LEFT JOIN .. AS unseen ..": of a player `p.id` the games, wins, losses and draws that have not been, and when the
// first of them was opened (since_us).
void join_unseen(Question& question, const Seen& seen);

}  // namespace fuhyo::store
