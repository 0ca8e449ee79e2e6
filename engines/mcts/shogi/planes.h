// The input planes of a position: those of dlshogi, which published networks and training data use. Used by search and
// training. Pure; any thread.
//
// Everything is as the side to move sees it: for White, squares are turned round (80 - s) and the colours change
// places.
//
//   62 planes   of each side, own first: 14 kinds of pieces, the squares that each kind attacks, and the squares
//               attacked once, twice, and three times at least. Kinds: pawn, lance, knight, silver, bishop, rook, gold,
//               king, promoted pawn, lance, knight and silver, horse, dragon.
//   57 scalars  of each side, own first, pieces in hand counted by ones: 8 of pawns (more count as 8), 4 of lances,
//               knights, silvers and golds, 2 of bishops and rooks, in this order, which is not that of the kinds
//               above. Then whether the side to move is in check.
//   119         ... and of each side, own first, what it lacks for a declaration by 27 points (31 each): whether its
//               king is in its promotion zone; one of 10 for how many pieces more it needs there (0 to 9, none if it
//               has more than ten or none at all); one of 20 for the points that it lacks (0 to 19, of 28 for Black and
//               27 for White).
#pragma once

#include <expected>
#include <span>
#include <string>

#include "engines/nn/backend.h"
#include "engines/shogi/position.h"

namespace fuhyo::mcts {

constexpr std::uint32_t kPlanes = 62;
constexpr std::uint32_t kScalars = 57;
constexpr std::uint32_t kScalarsWithDeclaration = 119;

// An error if a network of this shape cannot play shogi.
std::expected<void, std::string> check_shape(const nn::Shape& shape);

// Both spans are of a shape that check_shape() accepts, and all zeros.
void write_inputs(const shogi::Position& position, std::span<nn::Plane> planes, std::span<float> scalars);

// Adds the position to a batch, which must have room; returns its index.
std::uint32_t add(const shogi::Position& position, nn::Batch& batch);

}  // namespace fuhyo::mcts
