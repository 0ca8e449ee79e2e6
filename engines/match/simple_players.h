// Built-in players for the ladder, the same on every machine and in every version: one that plays random moves, and
// those that search the material balance to a fixed depth. They ignore the clock and never resign.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "engines/match/player.h"

namespace fuhyo::match {

// "random"; "material-1" ... "material-5"; "material-2-30": 30 (1 to 99) per cent random moves. Nothing for other
// names. The same seed plays the same games.
std::unique_ptr<Player> make_simple_player(std::string_view name, std::uint64_t seed);

// A uniformly random legal move. Resigns without one.
usi::BestMove random_move(const shogi::Position& position, std::mt19937_64& random);

// The move with the best material balance of a `depth`-ply search; a random one of equal moves. Sees mates within the
// depth, and a mate in one at depth 1. Has no quiescence search.
usi::BestMove material_move(const shogi::Position& position, int depth, std::mt19937_64& random);

}  // namespace fuhyo::match
