// What a record file says of the result of its game. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engines/record/game.h"
#include "server/core/games/game_terms.h"

namespace fuhyo::store {

struct RecordResult {
  std::string black, white;        // names
  std::string black_id, white_id;  // of the 'rating: line; empty: it has none, the players were not rated
  core::Outcome outcome = core::Outcome::none;
  std::string kind;   // shogi-server's summary type; empty: no 'summary: line, the end line decided
  std::string ended;  // "YYYY/MM/DD hh:mm:ss" or what the record says; empty: nothing
  std::int32_t plies = 0;
};

// shogi-server's comment lines ('rating:, 'summary:, '$END_TIME:) have the word; without a summary the line that ended
// the game has it. Outcome::none: nothing decided.
RecordResult result_of(const record::Game& game);

// The text after "'<start>" of a comment line that begins so ("rating:"), the last one where there are several.
std::optional<std::string> comment_after(const record::Game& game, std::string_view start);

}  // namespace fuhyo::store
