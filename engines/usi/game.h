// A game as USI states it: "position [startpos | sfen ...] [moves ...]". Pure; any thread.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shogi/position.h"

namespace fuhyo::usi {

struct Game {
  shogi::Position start;
  std::vector<shogi::Move> moves;  // legal, in order

  shogi::Position current() const;
};

// Whether the game would come back, by a legal move, to a position that it has had.
bool brings_back(const Game& game, shogi::Move move);

// `text` is what follows "position". An illegal move is an error that names it, its number and why.
std::expected<Game, std::string> parse_position(std::string_view text);

// The whole line: "position startpos moves 7g7f", "position sfen ... moves ...".
std::string position_text(const shogi::Position& start, std::span<const shogi::Move> moves);

}  // namespace fuhyo::usi
