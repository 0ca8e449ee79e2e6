// The settings of a run of the loop, a TOML file. LEARNING.md has all keys. Reads the file; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/gate/gate.h"
#include "engines/learn/generate/self_play.h"
#include "engines/learn/generate/starts.h"
#include "engines/learn/train/trainer.h"

namespace fuhyo::learn {

class SettingsTable;

// One generation: games of the best network so far, a training with them and with those before, and its test.
struct LoopGeneration {
  std::uint64_t games = 0;
  SelfPlayOptions play;    // without network and seed
  TrainOptions train;      // without seed
  bool from_best = false;  // training begins with the weights of the best network so far, unless that is untrained
  int window = 3;          // games of so many generations, this one among them, are learnt from
};

// The table [self_play]; `rest` reads what the loops do not share.
void read_self_play(SettingsTable& root, std::string& openings, StartOptions& starts,
                    const std::function<void(SettingsTable& table)>& rest);
// The table [gate]; `nodes` is what its keys call them.
void read_gate(SettingsTable& table, std::string_view nodes, GateOptions& gate);
// What is missing in it or wrong with it; empty: nothing.
std::string fault_of(const GateOptions& gate);

struct LoopConfig {
  std::uint64_t seed = 1;
  std::string network;  // the first one; empty: the untrained one
  int fv_scale = 16;    // its
  StartOptions starts;
  std::string openings;  // of self-play; empty: random moves
  GateOptions gate;      // without networks, engine and what else a generation says
  std::vector<LoopGeneration> generations;

  std::string text;  // the file's

  // Of the machine; the games and networks do not depend on them.
  int processes = 0;   // 0: one a core
  std::string engine;  // fuhyo-nnue; empty: that beside this program
};

// Paths in the file are relative to its folder. An error names the file, the line and the key: a key that is not known,
// a value of another kind or out of its range, no generation at all, a shape that cannot be trained, or not from the
// best network (from_best) because a generation before has another one.
std::expected<LoopConfig, std::string> parse_loop_config(std::string_view text, const std::filesystem::path& file);

// Checks before the first game that the network can be loaded, and trained further where from_best says so.
std::expected<void, std::string> check(const LoopConfig& config);

}  // namespace fuhyo::learn
