// The lowest rungs of a ladder, the same on every machine and in every version: a player that draws lots, and players
// that count material to a fixed depth. They take no time into account and never resign.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "engines/match/player.h"

namespace fuhyo::match {

// "random"; "material-1" ... "material-5"; "material-2-30": one that makes 30 of 100 moves (1 to 99) by chance. Nothing
// for other names. The same seed plays the same games.
std::unique_ptr<Player> make_simple_player(std::string_view name, std::uint64_t seed);

// A legal move by chance, each as likely as any other. Resigns without one.
usi::BestMove random_move(const shogi::Position& position, std::mt19937_64& random);

// The move after which the balance of material is best when both sides play `depth` plies for it, one of several by
// chance; a mate is seen as far as the depth reaches, and at depth 1 so is a mate in one. No exchange is followed
// beyond the depth.
usi::BestMove material_move(const shogi::Position& position, int depth, std::mt19937_64& random);

}  // namespace fuhyo::match
