// Which games spectators see with a delay, as the configuration says it. Any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "server/core/monitors/spectator_delay.h"

namespace fuhyo::app {

// "games=club-* seconds=60" or "games=club-* moves=3", in any order; 0 of either: these games are shown at once.
std::expected<core::DelayRule, std::string> parse_delay(std::string_view line);

}  // namespace fuhyo::app
