// The headers of PGN files, game by game; moves are not read. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/file_fault.h"

namespace fuhyo::store {

struct PgnGame {
  std::size_t line = 0;  // of its first tag, from 1
  std::map<std::string, std::string, std::less<>> tags;
  std::string moves;  // as they stand there, comments and all
};

// A tag that is none is named in `faults` and left out. Braces hide what looks like a tag in comments.
std::vector<PgnGame> read_pgn_tags(std::string_view text, const std::string& file, std::vector<FileFault>& faults);

}  // namespace fuhyo::store
