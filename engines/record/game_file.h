// The result of reading a file with one game. A plain value; any thread.
#pragma once

#include <vector>

#include "engines/record/diagnostic.h"
#include "engines/record/encoding.h"
#include "engines/record/game.h"

namespace fuhyo::record {

struct GameFile {
  Encoding encoding = Encoding::utf8;
  Game game;
  std::vector<Diagnostic> warnings;  // doubtful lines, and how they were read
};

}  // namespace fuhyo::record
