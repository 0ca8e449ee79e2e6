#include "server/core/tournament/tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {
namespace {

Title titled(const Title& title, const std::string& name) {
  return title.ja.empty() && title.en.empty() ? Title{.ja = name, .en = name} : title;
}

std::string mark_text(const Mark& mark, bool en) {
  const std::string_view colour = mark.black ? (en ? "B" : "先") : (en ? "W" : "後");
  if (mark.sign == Sign::pending) return fmt::format("{}*", colour);
  if (mark.decided() && mark.how == How::forfeit) {
    const bool won = mark.sign == Sign::win;
    return std::string(won ? (en ? "f+" : "不戦勝") : (en ? "f-" : "不戦敗"));
  }
  std::string_view sign = en ? "v" : "無効";
  if (mark.sign == Sign::win) sign = en ? "+" : "○";
  if (mark.sign == Sign::loss) sign = en ? "-" : "●";
  if (mark.sign == Sign::draw) sign = en ? "=" : "△";
  return fmt::format("{}{}", colour, sign);
}

// Of a round without an opponent.
std::string_view kind_text(RoundCell::Kind kind, Language language) {
  const bool en = language == Language::en;
  if (kind == RoundCell::Kind::rest) return en ? "rest" : "休";
  if (kind == RoundCell::Kind::absent) return en ? "absent" : "欠場";
  return en ? "bye" : "不戦勝";
}

void fill_row(TableRow& row, const Ledger& ledger, const EventState& state, const std::vector<std::size_t>& place) {
  const std::size_t own = static_cast<std::size_t>(row.number) - 1;
  if (const Entrant* entrant = state.entrant(row.player)) {
    row.title = entrant->title;
    row.rate = entrant->rate;
  }
  row.left = ledger.rows[own].left;
  row.rounds = ledger.rows[own].cells;
  for (RoundCell& cell : row.rounds) {
    if (cell.has_opponent()) cell.opponent = place[cell.opponent];
  }
}

}  // namespace

Table table_of(const Event& event, const EventState& state, DivisionKey key) {
  const Stage& stage = event.stages[static_cast<std::size_t>(key.stage)];
  const Division& division = stage.divisions[static_cast<std::size_t>(key.division)];
  const Ledger ledger = ledger_of(event, state, key);
  const Standings standings = standings_of(ledger);
  Table table{.event = titled(event.title, event.name),
              .stage = titled(stage.title, stage.name),
              .division = titled(division.title, division.name),
              .format = division.settings.format,
              .by = standings.by,
              .rows = {},
              .rounds = rounds_of(division.settings, ledger.rows.size()),
              .paired = ledger.rounds,
              .final = is_over(event, state, key),
              .reasons = {}};
  const auto performances = performances_of(ledger, state);
  std::vector<std::size_t> place(ledger.rows.size());
  for (std::size_t row = 0; row < standings.rows.size(); ++row) place[standings.rows[row].place] = row;
  for (std::size_t i = 0; i < standings.rows.size(); ++i) {
    const Standing& standing = standings.rows[i];
    TableRow row{.rank = standing.rank,
                 .shared = standing.shared,
                 .number = static_cast<int>(standing.place) + 1,
                 .player = standing.player,
                 .title = {},
                 .points = standing.points,
                 .figures = standing.figures,
                 .performance = performances[standing.place],
                 .left = {},
                 .rounds = {}};
    fill_row(row, ledger, state, place);
    table.rows.push_back(std::move(row));
    std::string reason = explain_rank(standings, i, Language::en);
    if (!reason.empty()) table.reasons.push_back({std::move(reason), explain_rank(standings, i, Language::ja)});
  }
  return table;
}

std::vector<const Mark*> Table::meetings(std::size_t row, std::size_t opponent) const {
  std::vector<const Mark*> marks;
  for (const RoundCell& cell : rows[row].rounds) {
    if (!cell.has_opponent() || cell.opponent != opponent) continue;
    for (const Mark& mark : cell.marks) marks.push_back(&mark);
  }
  return marks;
}

bool Table::has_alone() const {
  return std::ranges::any_of(rows, [](const TableRow& row) { return !row.alone(Language::en).empty(); });
}

std::string TableRow::alone(Language language) const {
  std::string text;
  for (const RoundCell& cell : rounds) {
    if (cell.has_opponent() || cell.points == kNoPoints) continue;
    text += fmt::format("{}{}", text.empty() ? "" : " ", kind_text(cell.kind, language));
  }
  return text;
}

View usual_view(Format format) {
  const FormatRules& rules = rules_of(format);
  return rules.paired_freely || rules.eliminates ? View::rounds : View::cross;
}

std::string marks_text(const std::vector<const Mark*>& marks, Language language) {
  std::string text;
  for (const Mark* mark : marks) {
    if (mark->repeated) continue;
    const std::string one = mark_text(*mark, language == Language::en);
    text += mark->annulled ? fmt::format("({})", one) : one;
  }
  return text;
}

std::string cell_text(const RoundCell& cell, Language language) {
  const bool en = language == Language::en;
  if (cell.kind == RoundCell::Kind::none) return "";
  std::string text(kind_text(cell.kind, language));
  if (cell.has_opponent()) {
    text = std::to_string(cell.opponent + 1);
    for (const Mark& mark : cell.marks) text += mark.repeated ? "" : mark_text(mark, en);
  }
  if (cell.annulled) return text + (en ? " (annulled)" : " (無効)");
  return cell.pending() ? text : fmt::format("{} {}", text, to_text(cell.total));
}

}  // namespace fuhyo::core::tournament
