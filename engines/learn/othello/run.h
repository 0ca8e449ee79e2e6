// The loop for Othello. An epoch is games of the newest network, a training with them, and a match against random
// moves. Everything is in one folder, from which the same call resumes.
//
//   epoch-0/policy.nn                  the untrained network
//   epoch-N/games-0.othello ...        games of epoch N, which the network of epoch N - 1 has played
//   epoch-N/policy.nn, checkpoint ...  the training (engines/learn/policy/trainer.h)
//   epoch-N/train.json, arena.json     the results; the last epoch has an arena-P.json for each number of playouts
//   tables.md                          both tables, after each stage
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
  bool complete = false;                                  // else it was stopped
};

std::expected<OthelloLoopResult, std::string> run_othello_loop(const OthelloLoopOptions& options,
                                                               const std::stop_token& stop);

// Loads a network for Othello, and makes its back end for this processor. An error names the file.
std::expected<nn::Model, std::string> load_othello_network(const std::filesystem::path& file);
std::unique_ptr<nn::Backend> othello_backend(const nn::Model& model);

// Both tables of a result in Markdown, as far as they are known.
std::string othello_tables(const OthelloConfig& config, const OthelloLoopResult& result);

}  // namespace fuhyo::learn
