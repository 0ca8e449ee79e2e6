#include "server/net/analysis_json.h"

#include <cmath>
#include <utility>

#include "server/net/json_parts.h"

namespace fuhyo::net {
namespace {

namespace json = boost::json;

// Of the line to a mistake that was better, as much as one wants to play through.
constexpr std::size_t kLineOfMark = 16;

double rounded(double chance) { return std::round(chance * 10'000) / 10'000; }

json::object value_object(const core::Valuation& value) {
  return {
      {"cp", number_or_null(value.cp)}, {"mate", number_or_null(value.mate)}, {"win_rate", rounded(value.black_wins)}};
}

json::array moves_array(const std::vector<std::string>& moves, std::size_t most) {
  json::array list;
  for (std::size_t i = 0; i < moves.size() && i < most; ++i) list.emplace_back(moves[i]);
  return list;
}

std::string_view name_of(core::AnalysisState state) {
  if (state == core::AnalysisState::queued) return "queued";
  return state == core::AnalysisState::done ? "done" : "running";
}

json::object head(core::GameId game, core::AnalysisState state, std::string_view engine) {
  return {{"v", kJsonVersion}, {"id", core::value(game)}, {"state", name_of(state)}, {"engine", clean(engine)}};
}

json::object point(std::size_t ply, const core::AnalysedLine& line) {
  json::object result = value_object(line.value);
  result["ply"] = ply;
  result["best"] = line.moves.empty() ? json::value(nullptr) : json::value(line.moves.front());
  return result;
}

}  // namespace

std::string position_analysis_json(core::GameId game, std::size_t ply, const core::PositionReport& report) {
  json::object result = head(game, report.state, report.engine);
  result["ply"] = ply;
  result["depth"] = report.position.depth;
  result["nodes"] = report.position.nodes;
  json::array lines;
  for (const core::AnalysedLine& line : report.position.lines) {
    json::object each = value_object(line.value);
    each["pv"] = moves_array(line.moves, line.moves.size());
    lines.push_back(std::move(each));
  }
  result["lines"] = std::move(lines);
  return json::serialize(result);
}

std::string game_analysis_json(const core::PlayedGame& game, const core::GameReport& report,
                               const std::vector<core::MoveMark>& marks) {
  json::object result = head(game.id, report.state, report.engine);
  result["done"] = report.done;
  result["positions"] = game.moves.size() + 1;
  json::array points, marked;
  for (std::size_t ply = 0; ply < report.positions.size(); ++ply) {
    if (const auto& position = report.positions[ply]) points.push_back(point(ply, position->lines.front()));
  }
  for (const core::MoveMark& mark : marks) {
    const core::AnalysedLine& better = report.positions[static_cast<std::size_t>(mark.ply) - 1]->lines.front();
    marked.push_back(json::object{{"ply", mark.ply},
                                  {"kind", core::name_of(mark.kind)},
                                  {"loss", rounded(mark.loss)},
                                  {"line", moves_array(better.moves, kLineOfMark)}});
  }
  result["points"] = std::move(points);
  result["marks"] = std::move(marked);
  return json::serialize(result);
}

}  // namespace fuhyo::net
