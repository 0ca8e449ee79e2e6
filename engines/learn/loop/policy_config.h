// What a run of the loop for policy and value networks is to do: a TOML file with a table [policy] (POLICY.md has all
// keys). Any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/generate/policy/options.h"
#include "engines/learn/generate/starts.h"
#include "engines/learn/loop/config.h"
#include "engines/learn/policy/shogi_sample_source.h"

namespace fuhyo::learn {

// One turn: games of the best network so far, that network's weights fine-tuned with them, a test.
struct PolicyGeneration {
  std::uint64_t games = 0;
  int window = 1;              // games of so many generations, this one among them, are learnt from
  PolicyPlayOptions play;      // without network and seed
  policy::TrainOptions train;  // without seed and first weights
};

struct PolicyLoopConfig {
  std::uint64_t seed = 1;
  std::string network;     // who plays at first
  std::string checkpoint;  // its training's, which the first one goes on from; empty: weights by chance
  StartOptions starts;
  std::string openings;  // of self-play; empty: random moves
  policy::MixOptions mix;
  std::vector<std::string> tests;
  LoopGate gate{.test_nodes = 400, .match_nodes = 400};
  std::vector<PolicyGeneration> generations;

  std::string text;  // the file's

  // Of the machine; they change no game and no network.
  int processes = 0;            // 0: one a core
  std::string engine;           // fuhyo-mcts; empty: that beside this program
  std::uint32_t at_once = 256;  // games of a process
  std::size_t cache_mb = 64;
};

// Keys of [train] that any training of a policy and value network has.
void read_shape(SettingsTable& table, nn::Shape& shape);
void read_steps(SettingsTable& table, policy::TrainOptions& train);

// Paths in the file are meant from its folder. An error names the file, the line and the key.
std::expected<PolicyLoopConfig, std::string> parse_policy_config(std::string_view text,
                                                                 const std::filesystem::path& file);

// Whether the network can be played with, and the first training go on from the checkpoint: what would otherwise be
// found when all games have been played.
std::expected<void, std::string> check(const PolicyLoopConfig& config);

}  // namespace fuhyo::learn
