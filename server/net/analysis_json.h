// What an engine says of finished games as the JSON of the API (docs/openapi.json). Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/core/analyst.h"

namespace fuhyo::net {

std::string position_analysis_json(core::GameId game, std::size_t ply, const core::PositionReport& report);
// `marks`: of a game that is done.
std::string game_analysis_json(const core::PlayedGame& game, const core::GameReport& report,
                               const std::vector<core::MoveMark>& marks);

}  // namespace fuhyo::net
