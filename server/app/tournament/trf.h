// FIDE's report of a tournament (TRF16), which programs read that pair and check chess tournaments: a line a player, a
// column of ten characters a round. Our Black moves first and so is White there. Pure; any thread.
//
// Source: FIDE, "Agreement concerning the exchange of tournament data", TRF16; XXR, XXP and BB? of JaVaFo, bbpPairings.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "server/app/tournament/results_file.h"
#include "server/core/tournament/state.h"

namespace fuhyo::app {

// Of the rounds that are over. Names are the login names. Not said of pairings of several games, and where the points
// of somebody are not the sum of what TRF knows: the error says so.
std::expected<std::string, std::string> trf_text(const core::tournament::Event& event,
                                                 const core::tournament::EventState& state,
                                                 core::tournament::DivisionKey division);

// Members and their results, of the only division of an event. Names become login names: letters, digits, '-', '_'.
ResultRows parse_trf(std::string_view text);
// Its players as [[entrant]] of an event file.
std::expected<std::string, std::vector<core::tournament::Problem>> trf_entrants(std::string_view text);

}  // namespace fuhyo::app
