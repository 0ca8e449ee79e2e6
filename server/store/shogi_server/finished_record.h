// A finished game of shogi-server as a row of the archive: from its record file, or, where that is gone, from its line
// in 00LIST or in the history of its floodgate group. Pure functions; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "engines/record/game.h"
#include "server/core/civil_time.h"
#include "server/core/journal.h"
#include "server/store/batch.h"
#include "server/store/results/list.h"

namespace fuhyo::store {

constexpr std::string_view kNoResult = "has no result";  // the game was broken off, or goes on
// `csa_id`: the Game_ID, which the file is called after. The error says why there is no result to keep. GameId{0}: the
// archive gives the number.
std::expected<FinishedGame, std::string> finished_game(const record::Game& game, const std::string& csa_id,
                                                       const core::TimeZone& zone);
// The result without the moves. The Game_ID is that of the record's name, or else one made of what the line says.
std::expected<FinishedGame, std::string> finished_game(const ResultLine& line, const core::TimeZone& zone);

// The same of a game that a floodgate group remembers.
std::expected<FinishedGame, std::string> finished_game(const core::PastGame& game, const core::TimeZone& zone);

// "2026/11/21 04:15:07", when players were paired, from the end of a Game_ID ("...+20261121041507"); empty if it has
// none.
std::string paired_at(std::string_view csa_id);
// "a/b/<game id>.csa" -> the Game_ID; empty if the file is called otherwise.
std::string game_id_of(std::string_view path);

}  // namespace fuhyo::store
