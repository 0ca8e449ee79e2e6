// The JSON of a tournament's table.
#include <cmath>

#include "server/net/json_parts.h"
#include "server/net/tournament/table_object.h"
#include "server/net/tournament/tables.h"

namespace fuhyo::net {
namespace {

using namespace core::tournament;
namespace json = boost::json;

json::object title_json(const Title& title) { return {{"ja", clean(title.ja)}, {"en", clean(title.en)}}; }

double number(Points points) { return static_cast<double>(points.milli) / 1000; }

double figure_number(TieBreak by, Figure figure) {
  switch (by) {
    case TieBreak::points:
    case TieBreak::direct:
    case TieBreak::buchholz:
    case TieBreak::median:
    case TieBreak::beaten:
      return static_cast<double>(figure) / 1e3;
    case TieBreak::sonneborn_berger:
      return static_cast<double>(figure) / 1e6;
    default:
      return static_cast<double>(figure);
  }
}

std::string_view kind_name(RoundCell::Kind kind) {
  switch (kind) {
    case RoundCell::Kind::none:
      return "none";
    case RoundCell::Kind::game:
      return "game";
    case RoundCell::Kind::bye:
      return "bye";
    case RoundCell::Kind::rest:
      return "rest";
    case RoundCell::Kind::walkover:
      return "walkover";
    case RoundCell::Kind::defaulted:
      return "defaulted";
    case RoundCell::Kind::absent:
      return "absent";
  }
  return "";
}

std::string_view sign_name(Sign sign) {
  switch (sign) {
    case Sign::pending:
      return "pending";
    case Sign::win:
      return "win";
    case Sign::loss:
      return "loss";
    case Sign::draw:
      return "draw";
    case Sign::none:
      return "none";
  }
  return "";
}

json::object mark_json(const Mark& mark) {
  json::object game{
      {"game", mark.game.game},         {"attempt", mark.game.attempt}, {"colour", mark.black ? "black" : "white"},
      {"result", sign_name(mark.sign)}, {"how", to_string(mark.how)},   {"points", number(mark.points)},
      {"repeated", mark.repeated},      {"plies", mark.plies},          {"record", clean(mark.record)}};
  if (mark.end) game["end"] = core::summary_type(*mark.end);
  return game;
}

json::object turn_json(const RoundCell& cell) {
  json::object round{{"kind", kind_name(cell.kind)},
                     {"points", number(cell.points)},
                     {"total", number(cell.total)},
                     {"pending", cell.pending()},
                     {"annulled", cell.annulled}};
  if (!cell.has_opponent()) return round;
  round["opponent"] = cell.opponent;
  if (cell.kind == RoundCell::Kind::game) round["board"] = cell.board;
  json::array games;
  for (const Mark& mark : cell.marks) games.push_back(mark_json(mark));
  round["games"] = std::move(games);
  return round;
}

json::object row_json(const Table& table, const TableRow& row) {
  json::object figures;
  for (std::size_t by = 0; by < table.by.size(); ++by) {
    figures[to_string(table.by[by])] =
        row.figures[by] ? json::value(figure_number(table.by[by], *row.figures[by])) : json::value(nullptr);
  }
  json::object out{{"rank", row.rank},
                   {"shared", row.shared},
                   {"number", row.number},
                   {"player", clean(row.player)},
                   {"title", title_json(row.title)},
                   {"rate", row.rate},
                   {"points", number(row.points)},
                   {"figures", std::move(figures)},
                   {"performance", nullptr},
                   {"left", row.left ? json::value(*row.left) : json::value(nullptr)}};
  if (row.performance) {
    json::object performance{{"rate", std::round(row.performance->rate)}, {"error", nullptr}};
    if (row.performance->error) performance["error"] = std::round(*row.performance->error);
    out["performance"] = std::move(performance);
  }
  json::array rounds;
  for (const RoundCell& cell : row.rounds) rounds.push_back(turn_json(cell));
  out["rounds"] = std::move(rounds);
  return out;
}

}  // namespace

json::object table_object(const Table& table) {
  json::array by, rows, reasons;
  for (const TieBreak tie_break : table.by) by.push_back(json::string(to_string(tie_break)));
  for (const TableRow& row : table.rows) rows.push_back(row_json(table, row));
  for (const Table::Reason& reason : table.reasons) {
    reasons.push_back(json::object{{"ja", clean(reason.ja)}, {"en", clean(reason.en)}});
  }
  return {{"format", to_string(table.format)},
          {"tie_breaks", std::move(by)},
          {"rounds", table.rounds},
          {"paired", table.paired},
          {"final", table.final},
          {"rows", std::move(rows)},
          {"reasons", std::move(reasons)}};
}

std::string table_json(const Table& table) {
  json::object whole{{"v", kJsonVersion},
                     {"event", title_json(table.event)},
                     {"stage", title_json(table.stage)},
                     {"division", title_json(table.division)}};
  for (auto& [key, value] : table_object(table)) whole[key] = std::move(value);
  return json::serialize(whole);
}

}  // namespace fuhyo::net
