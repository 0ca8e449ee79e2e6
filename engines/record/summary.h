// The comment of shogi-server about a finished game, "'summary:KIND:NAME win:NAME lose". Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engines/record/game.h"

namespace fuhyo::record {

enum class SummaryResult : std::uint8_t { unknown, black_wins, white_wins, draw };

struct Summary {          // the kind is a view into the game
  std::string_view kind;  // "toryo", "time up", "illegal kachi", ...
  SummaryResult result = SummaryResult::unknown;
};
// The last one of the record. Whose result it is the names say, for before 2008-05 it was not Black's that came first;
// the order counts where the names are not those of the players.
std::optional<Summary> summary_of(const Game& game);

// How the game ended. A declaration (EndKind::kachi) that the server refused is a foul of who declared; one that made a
// draw is EndKind::jishogi. Everything else is as Game::end has it.
EndKind judged_end(const Game& game);

}  // namespace fuhyo::record
