// shogi-server's pairing methods, step by step as its Ruby takes them, so that the same draws give the same games.
// Where a step looks odd, it is shogi-server's. Private to this folder.
#pragma once

#include "server/core/floodgate/pairing.h"

namespace fuhyo::core::floodgate {

// `round.settings.method` is one of shogi-server's five. Both colours and a filler, which it does not know, come after.
Pairings pair_as_shogi_server(const Round& round, const History& history, Draws& draws);

}  // namespace fuhyo::core::floodgate
