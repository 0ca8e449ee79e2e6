// Trains an NNUE network with games, in a folder from which it resumes. One thread at a time calls it; it starts
// others.
//
//   net.nn.bin   the network, after each epoch and at the end
//   checkpoint   where the training stands (checkpoint.h): every few minutes, after each epoch, and when it is stopped
//   log.jsonl    a line of JSON for every so many steps ("kind":"train") and for each epoch ("kind":"validation")
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/train/comparisons.h"
#include "engines/learn/train/model.h"
#include "engines/learn/train/optimiser.h"
#include "engines/learn/train/sampler.h"
#include "engines/learn/train/validation.h"

namespace fuhyo::learn {

struct TrainOptions {
  ModelShape shape;
  std::string from;  // a network of this shape with the initial weights; empty: random weights
  MethodOptions method;
  RateOptions rate;
  SamplerOptions sampler;  // its seed is the one of the training
  double lambda = 0.7;     // how much of a target is the score, the rest is the result
  int epochs = 10;
  std::size_t batch = 16'384;
  ComparisonOptions comparison{};
  std::size_t validation = 200'000, positions = 2'000;  // of games held back, at most

  // The network does not depend on these.
  std::size_t threads = 1;
  std::string kernels = "auto";  // but for its rounding
  int checkpoint_s = 300;        // seconds between two of them
  int progress_s = 10;           // ... and between two lines of progress
  std::function<void(std::string_view line)> say{};
};
// What changes the network, without features and comparisons.
template <class A>
void fields(A& a, TrainOptions& train) {
  fields(a, train.shape);
  fields(a, train.method);
  fields(a, train.rate);
  a(train.lambda, {"lambda", "How much of a target the score is; the rest is the result (0.7)", 0, 1});
  a(train.epochs, {"epochs", "Passes over the games (10)", 1, 10'000});
  a(train.batch, {"batch", "Positions to a step (16384)", 1, 1 << 24});
  fields(a, train.sampler);
  a(train.validation, {"validation", "Positions to validate with, at most (200000)", 0, 0, {}, {}, false});
  a(train.positions, {"positions", "Positions whose best move is looked for, at most (2000)", 0, 0, {}, {}, false});
}

struct Trained {
  bool complete = false;  // else it was stopped; the same call resumes
  std::uint64_t games = 0, samples = 0, steps = 0;
  ValidationResult validation;  // the last one
};

// Everything that changes the network, as a JSON object.
std::string to_text(const TrainOptions& options);

// Resumes from the folder's checkpoint, with the same network bit by bit where the kernels are the same. An error:
// data that cannot be read or is too little for a batch, a checkpoint of other options or data, a file that cannot be
// written.
std::expected<Trained, std::string> train(const TrainOptions& options, std::vector<DataSet> sets,
                                          const std::filesystem::path& folder, const std::stop_token& stop);

constexpr std::string_view kNetworkName = "net.nn.bin";
constexpr std::string_view kCheckpointName = "checkpoint";
constexpr std::string_view kTrainLogName = "log.jsonl";

}  // namespace fuhyo::learn
