// Games for tests of training: moves by chance, each scored with the material on the board, and won by who has more of
// it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/learn/train/sampler.h"
#include "engines/record/scored_game.h"

namespace fuhyo::test {

// What the side to move has more than the other one; a pawn is about 90.
int material(const shogi::Position& position);

record::ScoredGame play_game(std::uint64_t seed, int plies = 80);
std::vector<record::ScoredGame> play_games(std::uint64_t seed, std::size_t count, int plies = 80);

// Positions of such games, in which both kings are on the board.
std::vector<shogi::Position> positions_of_games(std::uint64_t seed, std::size_t count);

// Lines of play of players who move a pawn wherever they can without loss, and anything else by chance.
std::string lines_of_pawn_movers(std::uint64_t seed, std::size_t count, int plies = 30);

learn::DataSet set_of(std::vector<record::ScoredGame> games, double weight = 1);

}  // namespace fuhyo::test
