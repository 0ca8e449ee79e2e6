// A finished game as a row of the table `game`, and what it adds to its players. Values.
#pragma once

#include <vector>

#include "server/store/batch.h"
#include "server/store/postgres/connection.h"

namespace fuhyo::store {

// Appends the statements that write the game.
void write_game(const FinishedGame& game, std::vector<PgCommand>& commands);

}  // namespace fuhyo::store
