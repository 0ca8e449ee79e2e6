// The CSV of a tournament's table.
#include <fmt/format.h>

#include "server/net/csv_text.h"
#include "server/net/tournament/tables.h"

namespace fuhyo::net {

using namespace core::tournament;

std::string table_csv(const Table& table, View view, Language language) {
  std::string out(kByteOrderMark);
  out += "rank,number,name,id,points";
  for (const TieBreak by : table.by) {
    if (by != TieBreak::points) out += fmt::format(",{}", to_string(by));
  }
  out += ",performance,error";
  if (view == View::rounds) {
    for (int round = 1; round <= table.paired; ++round) out += fmt::format(",round {}", round);
  } else {
    for (const TableRow& row : table.rows) out += "," + csv_quoted(row.name(language));
    if (table.has_alone()) out += ",-";
  }
  out += "\r\n";
  for (std::size_t place = 0; place < table.rows.size(); ++place) {
    const TableRow& row = table.rows[place];
    out += fmt::format("{},{},{},{},{}", row.rank, row.number, csv_quoted(row.name(language)), csv_quoted(row.player),
                       to_text(row.points));
    for (std::size_t by = 0; by < table.by.size(); ++by) {
      if (table.by[by] == TieBreak::points) continue;
      out += "," + (row.figures[by] ? figure_text(table.by[by], *row.figures[by]) : std::string());
    }
    out += row.performance ? fmt::format(",{:.0f},", row.performance->rate) : ",,";
    if (row.performance && row.performance->error) out += fmt::format("{:.0f}", *row.performance->error);
    if (view == View::rounds) {
      for (const RoundCell& cell : row.rounds) out += "," + csv_quoted(cell_text(cell, language));
    } else {
      for (std::size_t other = 0; other < table.rows.size(); ++other) {
        out += "," + csv_quoted(marks_text(table.meetings(place, other), language));
      }
      if (table.has_alone()) out += "," + csv_quoted(row.alone(language));
    }
    out += "\r\n";
  }
  return out;
}

}  // namespace fuhyo::net
