// Times as shogi-server writes them, in the zone of its machine. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/core/civil_time.h"

namespace fuhyo::store {

// "YYYY/MM/DD hh:mm:ss", a day and an hour that exist; blanks around it do not matter. See wall_at_local() for what a
// change of the clock repeats or skips.
std::optional<core::Wall> parse_local_time(std::string_view text, const core::TimeZone& zone);

// The same text; fractions of a second are cut off.
std::string format_local_time(core::Wall wall, const core::TimeZone& zone);

}  // namespace fuhyo::store
