#include "server/net/analysis_api.h"

#include <fmt/format.h>
#include <utility>

#include "engines/shogi/number.h"
#include "server/net/analysis_json.h"
#include "server/net/web_json.h"

namespace fuhyo::net {
namespace {

constexpr std::int64_t kMostPlies = 100'000;

ArchiveReply failure(unsigned status, std::string_view why) {
  return {.status = status, .content_type = "application/json", .body = error_json(why)};
}

ArchiveReply reply(core::AnalysisState state, std::string json) {
  using enum core::AnalysisState;
  switch (state) {
    case done:
    case queued:
    case running:
      return {.status = state == done ? 200U : 202U, .content_type = "application/json", .body = std::move(json)};
    case too_many:
      return failure(429, "you have asked for more than is done so far; ask again");
    case full:
      return failure(503, "too many wait for the engine; ask again");
    case failed:
      return failure(422, "the engine has no answer to this");
    case away:
      break;
  }
  return failure(503, "the engine is away");
}

}  // namespace

std::optional<core::GameId> analysed_game(std::string_view name) {
  const auto number = shogi::take_number<std::uint64_t>(name);
  if (!number || name != "/analysis") return std::nullopt;
  return core::GameId{*number};
}

AnalysisQuery analysis_query(Query& query) {
  const std::int64_t ply = query.number("ply", 0, kMostPlies, -1);
  const std::int64_t lines = query.number("lines", 1, core::Analyst::kMostLines, 0);
  if (lines != 0 && ply < 0) query.refuse("lines", "says something of `ply` only");
  return {.ply = ply < 0 ? std::nullopt : std::optional(ply), .lines = lines == 0 ? 1 : static_cast<int>(lines)};
}

ArchiveReply analysis_reply(core::Analyst& analyst, const core::FinishedGame& game, const AnalysisQuery& asked,
                            const std::string& caller) {
  const auto played = core::played_game(game);
  if (!played) return failure(422, "the game does not begin with a position");
  if (!asked.ply) {
    const core::GameReport report = analyst.game(*played, caller);
    const bool done = report.state == core::AnalysisState::done;
    const auto marks = done ? core::mark_moves(*played, report.positions) : std::vector<core::MoveMark>();
    return reply(report.state, game_analysis_json(*played, report, marks));
  }
  const auto ply = static_cast<std::size_t>(*asked.ply);
  if (ply > played->moves.size()) {
    return failure(400, fmt::format("ply: a number from 0 to {}", played->moves.size()));
  }
  const core::PositionReport report = analyst.position(*played, ply, asked.lines, caller);
  return reply(report.state, position_analysis_json(played->id, ply, report));
}

}  // namespace fuhyo::net
