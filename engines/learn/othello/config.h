// The settings of a run of the loop for Othello, a TOML file with a table [othello]. engines/othello/OTHELLO.md has all
// keys. Any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/othello/self_play.h"
#include "engines/learn/policy/trainer.h"

namespace fuhyo::learn {

struct OthelloConfig {
  std::uint64_t seed = 1;
  int epochs = 10;
  std::uint64_t games = 10'000;  // of an epoch
  std::uint64_t part = 500;      // ... that one thread plays and writes down at a time
  int window = 3;                // games of so many epochs are learnt from
  OthelloPlayOptions play;       // without seed
  policy::TrainOptions train;    // without seed and first weights

  std::uint64_t arena_games = 100;                       // of a line of the tables
  int arena_playouts = 16;                               // of the table by epoch
  std::vector<int> arena_table{1, 2, 4, 8, 16, 32, 64};  // of the other one: playouts of each line

  int threads = 0;  // 0: one a core; results do not depend on it
};

// An error names the file, the line and the key: a key that is not known, a value of another kind or out of its range,
// a network that is none for Othello.
std::expected<OthelloConfig, std::string> parse_othello_config(std::string_view text,
                                                               const std::filesystem::path& file);

}  // namespace fuhyo::learn
