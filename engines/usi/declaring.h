// The answer of an engine that can declare a win. Pure; any thread.
#pragma once

#include <optional>

#include "engines/shogi/declaration.h"
#include "engines/usi/values.h"

namespace fuhyo::usi {

// A declaration that wins, or the winning move by the try rule. Nothing if neither is possible.
std::optional<BestMove> win_by_declaration(const shogi::Position& position,
                                           const shogi::DeclarationRequirement& requirement);

}  // namespace fuhyo::usi
