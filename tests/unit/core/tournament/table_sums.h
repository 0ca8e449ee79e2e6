// What the cells of a table come to.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "server/core/tournament/tables.h"

namespace fuhyo::core::tournament {

// Of "B+W-", "f+", "(B+)", "rest", "bye absent", by the points of the event; a number at the front is the opponent.
inline Points points_of(std::string_view cell, const Scoring& scoring) {
  Points sum;
  const bool annulled = cell.contains("(annulled)");
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const std::string_view rest = cell.substr(i);
    if (rest.starts_with('(')) {
      i += rest.find(')');
    } else if (rest.starts_with("bye")) {
      sum += scoring.bye, i += 2;
    } else if (rest.starts_with("absent")) {
      sum += scoring.absent, i += 5;
    } else if (rest.starts_with("f+") || rest.starts_with("f-")) {
      sum += rest[1] == '+' ? scoring.forfeit_win : scoring.forfeit_loss, ++i;
    } else if (rest.starts_with('B') || rest.starts_with('W')) {
      const char sign = rest[1];
      if (sign == '+') sum += scoring.win;
      if (sign == '-') sum += scoring.loss;
      if (sign == '=') sum += rest[0] == 'B' ? scoring.draw_black : scoring.draw_white;
      ++i;
    }
  }
  return annulled ? Points{} : sum;
}

inline void expect_adds_up(const Table& table, const Scoring& scoring, const std::string& what) {
  for (std::size_t place = 0; place < table.rows.size(); ++place) {
    const TableRow& row = table.rows[place];
    Points rounds, cross = points_of(row.alone(Language::en), scoring);
    for (const Turn& turn : row.rounds) {
      const std::string cell = cell_text(turn, Language::en);
      rounds += points_of(cell.substr(0, turn.annulled ? cell.size() : cell.find(' ')), scoring);
    }
    for (std::size_t other = 0; other < table.rows.size(); ++other) {
      cross += points_of(marks_text(table.meetings(place, other), Language::en), scoring);
    }
    EXPECT_EQ(to_text(rounds), to_text(row.points)) << what << " rounds\n"
                                                    << table_text(table, View::rounds, Language::en);
    EXPECT_EQ(to_text(cross), to_text(row.points)) << what << " cross\n"
                                                   << table_text(table, View::cross, Language::en);
    if (table.has_alone()) continue;
    EXPECT_EQ(row.alone(Language::en), "");
  }
}

}  // namespace fuhyo::core::tournament
