// The output labels of moves: the 2187 labels of dlshogi. Pure; any thread.
//
// A label is 81 times a way to move, plus the square where the piece arrives; for White, squares are turned round.
// Ways: up, up-left, up-right, left, right, down, down-left, down-right (over any distance), and the knight's two to
// the left and to the right; the same ten with promotion; drops of pawn, lance, knight, silver, bishop, rook, gold.
// Left is towards the ninth file, up towards the first rank.
#pragma once

#include <optional>

#include "engines/shogi/position.h"

namespace fuhyo::mcts {

constexpr std::uint32_t kWays = 27;
constexpr std::uint32_t kLabels = kWays * shogi::SQUARE_NB;

// The label of a legal move of this side.
std::uint32_t label_of(shogi::Move move, shogi::Color turn);

// The legal move that has the label; nothing if there is none.
std::optional<shogi::Move> move_of(std::uint32_t label, const shogi::Position& position);

}  // namespace fuhyo::mcts
