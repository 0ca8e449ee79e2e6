// Files of games as data to learn from. Reads files; one thread at a time per set.
#pragma once

#include <span>
#include <string>

#include "engines/learn/train/sampler.h"

namespace fuhyo::learn {

// What `name` means (files_named() of game_files.h), or with "=WEIGHT" behind it, so much of what each game can give.
// Moves are checked to be legal when the games are read for the first time. An error names what is not there.
std::expected<DataSet, std::string> game_set(const std::string& name);

}  // namespace fuhyo::learn
