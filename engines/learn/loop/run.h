// The loop for NNUE networks. A generation is games of the best network so far, a training with them, and a test.
// Everything is in one folder, from which the same call resumes.
//
//   untrained.nn.bin, first.nn.bin    the network of the first games
//   generation-N/self-play.games, self-play.json      the games
//   generation-N/train/, train.json                   the training (engines/learn/train/trainer.h)
//   generation-N/gate/, gate.json                     the games of its test
//   index.html, loss.svg, elo.svg                     a page of the run, after each stage
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
  bool complete = false;       // else it was stopped
};

std::expected<LoopResult, std::string> run_loop(const LoopOptions& options, const std::stop_token& stop);

}  // namespace fuhyo::learn
