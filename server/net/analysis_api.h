// Requests for the analysis of a finished game, and their answers. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/analyst.h"
#include "server/net/archive_api.h"
#include "server/net/query.h"

namespace fuhyo::net {

struct AnalysisQuery {
  std::optional<std::int64_t> ply;  // nothing: the whole game
  int lines = 1;
};

// The game of "7/analysis". Nothing: it is something else.
std::optional<core::GameId> analysed_game(std::string_view name);
// Of "ply=12&lines=3"; what is wrong is in the query's fault().
AnalysisQuery analysis_query(Query& query);
// 200 is the answer, 202 a part of it: ask again.
ArchiveReply analysis_reply(core::Analyst& analyst, const core::FinishedGame& game, const AnalysisQuery& asked,
                            const std::string& caller);

}  // namespace fuhyo::net
