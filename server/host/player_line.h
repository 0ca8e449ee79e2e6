// A hosted engine as one line of configuration. Pure; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "server/host/builtin_host.h"

namespace fuhyo::host {

// Words of the form key=value, quoted as in a shell where a value has blanks:
//   name=Gps engine='/usr/games/gpsusi --book off' game=test-600-10 turn=* option.USI_Hash=64 ponder=true
// `name` and `engine` must be there. The others: `game` (default-1500-0), `turn` (+, - or *), `password` (its trip;
// empty: the caller chooses one), `room` (main), `ponder` (false), `comments` (true:
// evaluations and lines behind its moves), `nice` (5, so that the server goes first),
// `think-ms` (10000; per move where the game has no clock).
std::expected<BuiltinPlayer, std::string> parse_player_line(std::string_view line);

}  // namespace fuhyo::host
