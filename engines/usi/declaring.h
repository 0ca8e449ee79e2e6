// The answer of an engine that can declare a win. Pure; any thread.
#pragma once

#include <functional>
#include <optional>

#include "engines/shogi/declaration.h"
#include "engines/usi/values.h"

namespace fuhyo::usi {

// A declaration that wins, or the winning move by the try rule. Nothing if neither is possible.
std::optional<BestMove> win_by_declaration(const shogi::Position& position,
                                           const shogi::DeclarationRequirement& requirement);
// The same at the beginning of a search: the win and its reason are reported, too.
std::optional<BestMove> win_by_declaration(const shogi::Position& position,
                                           const shogi::DeclarationRequirement& requirement,
                                           const std::function<void(const Info&)>& report);

}  // namespace fuhyo::usi
