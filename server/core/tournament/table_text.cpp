// Tables in columns for terminals.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "server/core/tournament/tables.h"

namespace fuhyo::core::tournament {
namespace {

// Letters of three bytes and more are Japanese here, and two wide on a terminal. What is no UTF-8 counts somehow.
std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) columns += byte >= 0xE0 ? 2 : 1;
  }
  return columns;
}

// No control character of a name reaches a terminal.
std::string plain(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) c = '?';
  }
  return out;
}

using Cells = std::vector<std::string>;

std::string columns(const std::vector<Cells>& rows, std::size_t left_column) {
  std::vector<std::size_t> widths;
  for (const Cells& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - width(row[i]), ' ');
      if (i > 0) line += "  ";
      line += i >= left_column ? row[i] + space : space + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

// Rank, name, then figures; the rounds or opponents come last, because there are many.
Cells head(const Table& table, View view, Language language) {
  const bool en = language == Language::en;
  Cells cells{en ? "#" : "順位", en ? "Pts" : "勝点"};
  for (const TieBreak by : table.by) {
    if (by != TieBreak::points) cells.emplace_back(short_name(by, language));
  }
  cells.emplace_back(en ? "Perf" : "実績R");
  cells.emplace_back(en ? "Name" : "名前");
  const std::size_t count = view == View::cross ? table.rows.size() : static_cast<std::size_t>(table.paired);
  for (std::size_t i = 1; i <= count; ++i) {
    cells.push_back(view == View::cross ? std::to_string(i) : fmt::format("{}{}", en ? "R" : "", i));
  }
  if (view == View::cross && table.has_alone()) cells.emplace_back("-");
  return cells;
}

std::string performance_text(const std::optional<Performance>& performance) {
  if (!performance) return "";
  std::string text = fmt::format("{:.0f}", performance->rate);
  if (performance->error) text += fmt::format("±{:.0f}", *performance->error);
  return text;
}

Cells cells_of(const Table& table, std::size_t place, View view, Language language) {
  const TableRow& row = table.rows[place];
  Cells cells{fmt::format("{}{}", row.rank, row.shared ? "=" : ""), to_text(row.points)};
  for (std::size_t by = 0; by < table.by.size(); ++by) {
    if (table.by[by] == TieBreak::points) continue;
    cells.push_back(row.figures[by] ? figure_text(table.by[by], *row.figures[by]) : "");
  }
  cells.push_back(performance_text(row.performance));
  cells.push_back(plain(row.name(language)) + (row.left ? (language == Language::en ? " (left)" : " (棄権)") : ""));
  if (view == View::cross) {
    for (std::size_t other = 0; other < table.rows.size(); ++other) {
      cells.push_back(other == place ? "\\" : marks_text(table.meetings(place, other), language));
    }
    if (table.has_alone()) cells.push_back(row.alone(language));
  } else {
    for (const RoundCell& cell : row.rounds) cells.push_back(cell_text(cell, language));
  }
  return cells;
}

}  // namespace

std::string table_text(const Table& table, View view, Language language) {
  const bool en = language == Language::en;
  const std::string rounds =
      table.rounds == 0 ? std::to_string(table.paired) : fmt::format("{}/{}", table.paired, table.rounds);
  std::string text = fmt::format("{} - {} - {} ({} {}{})\n", plain(table.event.in(language)),
                                 plain(table.stage.in(language)), plain(table.division.in(language)),
                                 en ? "round" : "回戦", rounds, table.final ? (en ? ", final" : "、確定") : "");
  std::vector<Cells> rows{head(table, view, language)};
  const std::size_t left_column =
      2 + table.by.size() - static_cast<std::size_t>(std::ranges::count(table.by, TieBreak::points)) + 1;
  for (std::size_t place = 0; place < table.rows.size(); ++place) {
    rows.push_back(cells_of(table, place, view, language));
  }
  text += columns(rows, left_column);
  for (const Table::Reason& reason : table.reasons) text += plain(en ? reason.en : reason.ja) + '\n';
  return text;
}

}  // namespace fuhyo::core::tournament
