// Whose rating a game counts for, from the id that a list of games states. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fuhyo::core::rating {

// "name@place+trip" plays for "name+trip": everything from an '@' up to the next '+' is left out. Nothing for a player
// who asked not to be rated: "...@NORATE+...". Source: shogi-server, mk_rate.
std::optional<std::string> rated_id(std::string_view id);

// The name in an id: what stands before its '+'.
std::string_view name_of(std::string_view id);

}  // namespace fuhyo::core::rating
