// Moves as USI text: "7g7f", "8h2b+", "P*5e".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engines/shogi/types.h"

namespace fuhyo::shogi {

std::string to_usi(Move m);
// Exactly one move and nothing else; nothing for other text ("resign", "0000", "7G7F"). Whether the move is legal is a
// position's to say.
std::optional<Move> parse_usi_move(std::string_view text);

}  // namespace fuhyo::shogi
