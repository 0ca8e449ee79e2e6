// The loop for policy and value networks. A generation is games of the best network so far, a training of its weights
// with these games and a teacher's samples, and a test. Everything is in one folder, from which the same call resumes.
//
//   first.nn, first.checkpoint                        the network of the first games
//   generation-N/self-play.hcpe3, self-play.json      the games
//   generation-N/train/, train.json                   the training (engines/learn/policy/trainer.h)
//   generation-N/gate/, gate.json                     the games of its test
//   index.html, loss.svg, elo.svg                     a page of the run, after each stage
#pragma once

#include <expected>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "engines/learn/loop/history.h"
#include "engines/learn/loop/policy_config.h"

namespace fuhyo::learn {

struct PolicyLoopOptions {
  PolicyLoopConfig config;
  std::string name;  // of the run, for its page
  std::filesystem::path folder;
  std::string program;  // fuhyo-learn, for processes that play
  std::string engine;   // fuhyo-mcts, for matches
  int processes = 1;
  std::function<void(std::string_view line)> say{};
};

struct PolicyLoopResult {
  RunReport report;
  std::filesystem::path best;  // the best network so far
  bool complete = false;       // else it was stopped
};

std::expected<PolicyLoopResult, std::string> run_policy_loop(const PolicyLoopOptions& options,
                                                             const std::stop_token& stop);

}  // namespace fuhyo::learn
