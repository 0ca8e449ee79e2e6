// What a reader makes of a file that holds one game. A plain value; any thread.
#pragma once

#include <vector>

#include "engines/record/diagnostic.h"
#include "engines/record/encoding.h"
#include "engines/record/game.h"

namespace fuhyo::record {

struct GameFile {
  Encoding encoding = Encoding::utf8;
  Game game;
  std::vector<Diagnostic> warnings;  // what was doubtful, and what was made of it
};

}  // namespace fuhyo::record
