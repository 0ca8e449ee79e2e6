// Short mates, for and against, that the program of the members finds itself. A few milliseconds each at most. Pure;
// any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/usi/game.h"

namespace fuhyo::members {

// The legal moves; if some are wanted, only those of them.
std::vector<shogi::Move> playable_moves(const shogi::Position& position, std::span<const shogi::Move> wanted);
// The first move of a mate by checks within seven plies; no move if none is found, if the game ends before it
// (`max_moves`; 0: no limit), or if the move brings back a position of the game.
shogi::Move short_mate(const usi::Game& game, std::int64_t max_moves);
// Whether the moves are legal and end with the king of the other side mated. Other defences are not looked at.
bool ends_in_mate(shogi::Position position, std::span<const shogi::Move> line);
// Whether the opponent has a mate by checks within five plies after the move, which must be legal.
bool allows_short_mate(const shogi::Position& position, shogi::Move move);
// Whether the move, which must be legal, leaves the opponent without a legal move.
bool ends_the_game(const shogi::Position& position, shogi::Move move);
// A fallback: of these legal moves (one at least) one that mates, else one that does not allow a mate in one, else any.
shogi::Move safe_move(const shogi::Position& position, std::span<const shogi::Move> moves);

}  // namespace fuhyo::members
