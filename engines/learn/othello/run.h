// The loop for Othello: epoch after epoch, games of the newest network, training with them, a match against moves at
// random. Everything lies in one folder, and what is there is not done again: the same call goes on wherever the last
// one ended.
//
//   epoch-0/policy.nn                  the untrained network
//   epoch-N/games-0.othello ...        games of epoch N, which the network of epoch N - 1 has played
//   epoch-N/policy.nn, checkpoint ...  the training (engines/learn/policy/trainer.h)
//   epoch-N/train.json, arena.json     what came of it; the last epoch has an arena-P.json for each number of playouts
//   tables.md                          both tables, after each step
#pragma once

#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "engines/learn/othello/config.h"
#include "engines/nn/model.h"

namespace fuhyo::learn {

struct OthelloLoopOptions {
  OthelloConfig config;
  std::filesystem::path folder;
  std::size_t threads = 1;
  std::function<void(std::string_view line)> say{};
};

struct OthelloLoopResult {
  std::filesystem::path network;                          // the newest
  std::vector<OthelloScore> by_epoch;                     // against moves at random, of epoch 0 on
  std::vector<std::pair<int, OthelloScore>> by_playouts;  // of the last epoch
  bool complete = false;                                  // else it was asked to stop
};

std::expected<OthelloLoopResult, std::string> run_othello_loop(const OthelloLoopOptions& options,
                                                               const std::stop_token& stop);

// A network for Othello out of a file, and what computes it on this processor. An error names the file.
std::expected<nn::Model, std::string> load_othello_network(const std::filesystem::path& file);
std::unique_ptr<nn::Backend> othello_backend(const nn::Model& model);

// Both tables of an outcome in Markdown; what is not known yet is left out.
std::string othello_tables(const OthelloConfig& config, const OthelloLoopResult& result);

}  // namespace fuhyo::learn
