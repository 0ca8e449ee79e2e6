// Games for the calibration of strength levels: who plays, by which rules, and what a series of games says.
#pragma once

#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "engines/shogi/position.h"
#include "engines/usi/game.h"
#include "engines/usi/values.h"

namespace fuhyo::bench {

// Chooses the move of a position; the game so far is given as well.
using Player = std::function<usi::BestMove(const usi::Game& game, const shogi::Position& position)>;

constexpr int kMaxPlies = 320;  // then the game is a draw

// Half points for Black: 2, 1 or 0. Throws std::runtime_error at an illegal move or a false declaration.
int play_game(const usi::Game& opening, const Player& black, const Player& white);

// The 1-ply material player: it mates if it can at once; otherwise it makes the move after which the balance of
// material is best, without a look at the answer, one of several at random. `mates`: whether it knows of mate at all.
usi::BestMove material_move(const shogi::Position& position, std::mt19937& random, bool mates);

struct Strength {
  int games = 0;
  double score = 0;                   // of 1
  double elo = 0, low = 0, high = 0;  // with its 95% interval; far away if all was won or lost
};
// Half points of the first player, two games from each opening, one after the other.
Strength strength_of(std::span<const int> half_points);

}  // namespace fuhyo::bench
