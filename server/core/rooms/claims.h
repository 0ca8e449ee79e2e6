// Which room a game name belongs to. A pure function of the patterns; the order in which rooms were made does not
// matter.
//
// Of several patterns that fit a name the most specific one claims it: a name without * before any pattern, then the
// one with more characters besides its stars. Two rooms may not have patterns of the same rank that fit a common name.
// floodgate games are claimed only by patterns that begin with "floodgate-".
#pragma once

#include <string_view>

namespace fuhyo::core {

bool is_floodgate_pattern(std::string_view games);
bool may_claim(std::string_view games, std::string_view game_name);
// Whether `a` comes before `b` where both fit.
bool is_more_specific(std::string_view a, std::string_view b);
// Whether there is a name that both would claim.
bool in_conflict(std::string_view a, std::string_view b);

}  // namespace fuhyo::core
