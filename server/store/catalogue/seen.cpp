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
void is_seen(Question& question, std::string_view table, const Seen& seen) {
  const auto first = std::ranges::min_element(seen, {}, &core::EndsSeen::until);
  (question << "(" << table << "ended_us <= ").value(first->until.us);
  question << " OR " << table << "ended_us <= CASE";
  for (const core::EndsSeen& ends : seen) {
    question << " WHEN " << table;
    if (!ends.ids.empty()) {
      question << fmt::format("game IN ({})",
                              fmt::join(ends.ids | std::views::transform(core::value<core::GameId>), ","));
    } else if (!ends.room.empty()) {
      (question << "room = ").value(ends.room);
    } else {
      question.fits("game_name", ends.games);
    }
    (question << " THEN ").value(ends.until.us);
  }
  (question << " ELSE ").value(std::int64_t{INT64_MAX}) << " END)";
}

void unseen_of(Question& question, std::string_view side, std::string_view other, const Seen& seen) {
  question << "SELECT " << side << "_id AS id, opened_us,";
  question << " CASE WHEN outcome = '" << side << "_wins' THEN 1 ELSE 0 END AS won,";
  question << " CASE WHEN outcome = '" << other << "_wins' THEN 1 ELSE 0 END AS lost,";
  question << " CASE WHEN outcome = 'draw' THEN 1 ELSE 0 END AS drawn FROM game WHERE NOT ";
  is_seen(question, "", seen);
}

}  // namespace

void and_seen(Question& question, std::string_view table, const Seen& seen) {
  if (!seen.empty()) is_seen(question << " AND ", table, seen);
}

void join_unseen(Question& question, const Seen& seen) {
  question << " LEFT JOIN (SELECT id, count(*) AS games, sum(won) AS wins, sum(lost) AS losses, sum(drawn) AS draws,"
              " min(opened_us) AS since_us FROM (";
  unseen_of(question, "black", "white", seen);
  unseen_of(question << " UNION ALL ", "white", "black", seen);
  question << ") AS seats GROUP BY id) AS unseen ON unseen.id = p.id";
}

}  // namespace fuhyo::store
