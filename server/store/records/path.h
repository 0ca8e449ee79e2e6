// Where a game's record file lies. Everything in a path that a client had a say in is escaped, so that no name can
// leave the folder. Pure functions; any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "server/core/game_facts.h"

namespace fuhyo::store {

// A path element: letters, digits and "_@+-." stay, other bytes and a leading dot become "%XX". Never empty, never
// "." or "..", at most 200 bytes (a longer one ends in a hash of the whole).
std::string safe_file_name(std::string_view text);

// Relative to the records folder: YYYY/MM/DD/<game id>.csa, for rooms other than "main" below a folder of their name.
std::filesystem::path record_path(const core::GameOpened& opened);

}  // namespace fuhyo::store
