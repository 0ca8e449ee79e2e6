// The settings of a run of the loop for policy and value networks, a TOML file with a table [policy]. POLICY.md has all
// keys. Any thread.
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

// One generation: games of the best network so far, fine-tuning of its weights with them, and a test.
struct PolicyGeneration {
  std::uint64_t games = 0;
  int window = 1;              // games of so many generations, this one among them, are learnt from
  PolicyPlayOptions play;      // without network and seed
  policy::TrainOptions train;  // without seed and first weights
};

struct PolicyLoopConfig {
  std::uint64_t seed = 1;
  std::string network;     // the first one
  std::string checkpoint;  // of its training, where the first training begins; empty: random weights
  StartOptions starts;
  std::string openings;  // of self-play; empty: random moves
  policy::MixOptions mix;
  std::vector<std::string> tests;
  GateOptions gate{.kind = GateKind::policy, .test_nodes = 400, .match_nodes = 400};
  std::vector<PolicyGeneration> generations;

  std::string text;  // the file's

  // Of the machine; the games and networks do not depend on them.
  int processes = 0;            // 0: one a core
  std::string engine;           // fuhyo-mcts; empty: that beside this program
  std::uint32_t at_once = 256;  // games of a process
  std::size_t cache_mb = 64;
};

// Paths in the file are relative to its folder. An error names the file, the line and the key.
std::expected<PolicyLoopConfig, std::string> parse_policy_config(std::string_view text,
                                                                 const std::filesystem::path& file);

// Checks before the first game that the network can be loaded, and that the first training can begin with the
// checkpoint.
std::expected<void, std::string> check(const PolicyLoopConfig& config);

}  // namespace fuhyo::learn
