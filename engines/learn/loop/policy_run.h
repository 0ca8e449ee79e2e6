// The loop for policy and value networks: generation after generation, games of the best network so far, a training
// that goes on from its weights with these games and a teacher's samples, a test. Everything lies in one folder, and
// what is there is not done again: the same call goes on wherever the last one ended.
//
//   first.nn, first.checkpoint                        what the first games are played with
//   generation-N/self-play.hcpe3, self-play.json      the games
//   generation-N/train/, train.json                   the training (engines/learn/policy/trainer.h)
//   generation-N/gate/, gate.json                     the games of its test
//   index.html, loss.svg, elo.svg                     a page of the run, after each step
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
  bool complete = false;       // else it was asked to stop
};

std::expected<PolicyLoopResult, std::string> run_policy_loop(const PolicyLoopOptions& options,
                                                             const std::stop_token& stop);

}  // namespace fuhyo::learn
