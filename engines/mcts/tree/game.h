// The interface between the tree search and a game. The search has no rules: it asks an object that makes and undoes
// moves.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engines/mcts/tree/result.h"
#include "engines/nn/backend.h"

namespace fuhyo::mcts {

// A move in 16 bits; the game knows what they mean.
using MoveCode = std::uint16_t;

// A move and its output of the network.
struct LabelledMove {
  MoveCode move;
  std::uint16_t label;
};

// Makes the moves of the game up to the root, and those of paths in the tree. Two paths of equal length with the same
// key() lead to the same position, except for repetitions (verdict()).
template <class G>
concept Game = std::copyable<G> && requires(G game, const G& seen, MoveCode move, std::span<LabelledMove> room,
                                            std::span<nn::Plane> planes, std::span<float> scalars) {
  { G::kMostMoves } -> std::convertible_to<std::size_t>;  // of a position; 1024 at most
  game.do_move(move);
  game.undo_move();
  { seen.key() } -> std::same_as<std::uint64_t>;
  // Moves made, at most 65,535; the side to move is the same at all even plies, and the other one at all odd ones.
  { seen.ply() } -> std::same_as<int>;
  // The newest position by the rules, without looking for moves.
  { seen.verdict() } -> std::same_as<Verdict>;
  // How many plies the side to move needs to win, if that can be seen without the network; 0 if not. It may be asked of
  // any position but the root.
  { game.plies_to_win() } -> std::same_as<int>;
  // Writes the moves, kMostMoves at most, and returns how many. None: the side to move has lost.
  { seen.moves(room) } -> std::same_as<std::size_t>;
  // The inputs of the network, which are all zeros.
  seen.write(planes, scalars);
};

}  // namespace fuhyo::mcts
