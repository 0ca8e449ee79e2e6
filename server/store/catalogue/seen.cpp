#include "server/store/catalogue/seen.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>

namespace fuhyo::store {
namespace {

// "(game_name GLOB 'club-*' ..", "room = 'final'", "game IN (7,9)": most games ended long ago, and need no look at
// their names.
void is_seen(SqlQuery& sql, std::string_view table, const Seen& seen) {
  const auto first = std::ranges::min_element(seen, {}, &core::EndsSeen::until);
  (sql << "(" << table << "ended_us <= ").value(first->until.us);
  sql << " OR " << table << "ended_us <= CASE";
  for (const core::EndsSeen& ends : seen) {
    sql << " WHEN " << table;
    if (!ends.ids.empty()) {
      sql << fmt::format("game IN ({})", fmt::join(ends.ids | std::views::transform(core::value<core::GameId>), ","));
    } else if (!ends.room.empty()) {
      (sql << "room = ").value(ends.room);
    } else {
      sql.fits("game_name", ends.games);
    }
    (sql << " THEN ").value(ends.until.us);
  }
  (sql << " ELSE ").value(std::int64_t{INT64_MAX}) << " END)";
}

void unseen_of(SqlQuery& sql, std::string_view side, std::string_view other, const Seen& seen) {
  sql << "SELECT " << side << "_id AS id, opened_us,";
  sql << " CASE WHEN outcome = '" << side << "_wins' THEN 1 ELSE 0 END AS won,";
  sql << " CASE WHEN outcome = '" << other << "_wins' THEN 1 ELSE 0 END AS lost,";
  sql << " CASE WHEN outcome = 'draw' THEN 1 ELSE 0 END AS drawn FROM game WHERE NOT ";
  is_seen(sql, "", seen);
}

}  // namespace

void and_seen(SqlQuery& sql, std::string_view table, const Seen& seen) {
  if (!seen.empty()) is_seen(sql << " AND ", table, seen);
}

void join_unseen(SqlQuery& sql, const Seen& seen) {
  sql << " LEFT JOIN (SELECT id, count(*) AS games, sum(won) AS wins, sum(lost) AS losses, sum(drawn) AS draws,"
         " min(opened_us) AS since_us FROM (";
  unseen_of(sql, "black", "white", seen);
  unseen_of(sql << " UNION ALL ", "white", "black", seen);
  sql << ") AS seats GROUP BY id) AS unseen ON unseen.id = p.id";
}

}  // namespace fuhyo::store
