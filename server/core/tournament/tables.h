// The table of a division as a value: what pages, files and terminals show, each in its way. Rows are in the order of
// ranks; a row knows every round (the Swiss table, 勝敗表) and, by opponents, every meeting (the cross table,
// 対戦成績表). Pure.
//
// Renderers: text here, for terminals and %%TOURNAMENT; CSV, HTML and JSON in server/net/tournament.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/tournament/ledger.h"
#include "server/core/tournament/performance.h"
#include "server/core/tournament/standings.h"

namespace fuhyo::core::tournament {

struct TableRow {
  int rank = 1;
  bool shared = false;
  int number = 1;  // of the member: its seed in the division
  PlayerId player;
  Title title;
  int rate = 0;
  Points points;
  std::vector<std::optional<Figure>> figures;  // by Table::by
  std::optional<Performance> performance;
  std::optional<int> left;        // the round from which on it has left for good
  std::vector<RoundCell> rounds;  // opponents are places among the rows
  // Its points of rounds without an opponent, for cross tables: "bye absent".
  std::string alone(Language language) const;
  std::string_view name(Language language) const {
    const std::string& text = title.in(language);
    return text.empty() ? player : text;
  }
};

struct Table {
  Title event, stage, division;  // names where there are no titles
  Format format{};
  std::vector<TieBreak> by;
  std::vector<TableRow> rows;
  int rounds = 0;  // that there are in all; 0: not known
  int paired = 0;  // so far
  bool final = false;
  // Of every two neighbours that the first tie-break does not part: why they stand so (explain_rank()).
  struct Reason {
    std::string en, ja;
  };
  std::vector<Reason> reasons;

  // The games of two rows as the first sees them, in the order of rounds.
  std::vector<const Mark*> meetings(std::size_t row, std::size_t opponent) const;
  // Whether a cross table needs a column of rounds without an opponent, so that its cells add up.
  bool has_alone() const;
};

Table table_of(const Event& event, const EventState& state, DivisionKey division);

enum class View : std::uint8_t {
  rounds,  // a column a round
  cross    // a column an opponent
};
// What a host of this format looks at: cross tables of schedules, rounds of the others.
View usual_view(Format format);

// One cell in plain text. Of a round "12B+ 3.5": opponent's rank row, colour, result, running points; ja: "12先○ 3.5".
// Results: + - = (ja ○ ● △), f+ f- by forfeit (不戦勝 不戦敗), * pending, v void. Both colours: "12B+W-".
std::string cell_text(const RoundCell& cell, Language language);
// Of a cross table: the marks alone, "B+W-"; "(B+)" annulled.
std::string marks_text(const std::vector<const Mark*>& marks, Language language);

// The table for terminals, in columns; Japanese letters are two wide.
std::string table_text(const Table& table, View view, Language language);

}  // namespace fuhyo::core::tournament
