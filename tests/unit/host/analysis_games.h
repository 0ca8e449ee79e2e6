// Games to be analysed.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "engines/shogi/usi_move.h"
#include "server/core/analysis.h"

namespace fuhyo::host {

inline core::PlayedGame game_of(std::uint64_t id, std::initializer_list<const char*> moves = {"7g7f", "3c3d", "2g2f"}) {
  core::PlayedGame game{.id = core::GameId{id}, .start = {}, .moves = {}, .max_moves = 256};
  for (const char* move : moves) game.moves.push_back(*shogi::parse_usi_move(move));
  return game;
}

}  // namespace fuhyo::host
