// How a declaration is answered in USI. Pure; any thread.
#pragma once

#include <optional>

#include "engines/shogi/declaration.h"
#include "engines/usi/values.h"

namespace fuhyo::usi {

// What wins on the spot: a declaration, or the king's move to its goal. Nothing if neither is possible.
std::optional<BestMove> win_by_declaration(const shogi::Position& position,
                                           const shogi::DeclarationRequirement& requirement);

}  // namespace fuhyo::usi
