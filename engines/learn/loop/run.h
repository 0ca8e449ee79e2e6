// The loop: generation after generation, games of the best network so far, a network that learns from them, a test of
// it. Everything lies in one folder, and what is there is not done again: the same call goes on wherever the last one
// ended.
//
//   untrained.nn.bin, first.nn.bin    what the first games are played with
//   generation-N/self-play.games, self-play.json      the games
//   generation-N/train/, train.json                   the training (engines/learn/train/trainer.h)
//   generation-N/gate/, gate.json                     the games of its test
//   index.html, loss.svg, elo.svg                     a page of the run, after each step
#pragma once

#include <expected>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "engines/learn/loop/config.h"
#include "engines/learn/loop/history.h"

namespace fuhyo::learn {

struct LoopOptions {
  LoopConfig config;
  std::string name;  // of the run, for its page
  std::filesystem::path folder;
  std::string program;  // fuhyo-learn, for processes that play
  std::string engine;   // fuhyo-nnue, for matches
  int processes = 1;
  std::function<void(std::string_view line)> say{};
};

struct LoopResult {
  RunReport report;
  std::filesystem::path best;  // the best network so far
  int fv_scale = 16;           // its
  bool complete = false;       // else it was asked to stop
};

std::expected<LoopResult, std::string> run_loop(const LoopOptions& options, const std::stop_token& stop);

}  // namespace fuhyo::learn
