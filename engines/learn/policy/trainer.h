// Trains a policy and value network of any game (sample_source.h), in a folder from which it resumes. One thread at a
// time calls it; it starts others.
//
//   policy.nn      the network as the source saves it, norms folded, after each validation
//   checkpoint     where the training stands (checkpoint.h): every few minutes, after each validation, and when it is
//                  stopped
//   log.jsonl      a line of JSON for every so many steps ("kind":"train") and for each validation
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "engines/learn/policy/learner.h"
#include "engines/learn/policy/sample_source.h"
#include "engines/learn/train/optimiser.h"
#include "engines/nn/model.h"

namespace fuhyo::learn::policy {

struct TrainOptions {
  nn::Shape shape;
  std::string from;  // a checkpoint with the initial weights (taken_weights.h); empty: random weights
  LearnOptions learn;
  RateOptions rate{.first = 2e-3, .last = 1e-5, .warm_up = 500};
  double lambda = 0.7;  // how much of a value's target is the score, the rest is the result; where there are scores
  int epochs = 2;
  std::size_t batch = 256;
  std::uint64_t seed = 1;

  // The network does not depend on these.
  std::size_t validation = 10'000;  // samples of a validation but the last one, which takes all
  int validations = 8;              // in an epoch
  std::size_t threads = 1;          // at most kMostLanes of learner.h
  std::string kernels = "auto";     // but for its rounding
  int checkpoint_s = 300, progress_s = 10;
  std::function<void(std::string_view line)> say{};
};

struct Trained {
  bool complete = false;  // else it was stopped; the same call resumes
  std::uint64_t samples = 0, steps = 0;
  ValidationResult validation;  // the last one of the first test
};

// Resumes from the folder's checkpoint, with the same network bit by bit where the kernels are the same. An error:
// data that cannot be read or is less than a batch, a checkpoint of other options or data, a file that cannot be
// written.
std::expected<Trained, std::string> train(const TrainOptions& options, SampleSource& source,
                                          const std::filesystem::path& folder, const std::stop_token& stop);

constexpr std::string_view kNetworkName = "policy.nn";
constexpr std::string_view kCheckpointName = "checkpoint";
constexpr std::string_view kLogName = "log.jsonl";

}  // namespace fuhyo::learn::policy
