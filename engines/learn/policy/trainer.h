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
// What changes the network. A loop of another game has the parts.
template <class A>
void shape_fields(A& a, nn::Shape& shape) {
  a(shape.channels, {"channels", "Of the network (64)", 1, nn::kMaxChannels});
  a(shape.blocks, {"blocks", "... (5)", 0, nn::kMaxBlocks});
  a(shape.scalars, {"scalars", {}, 0, nn::kMaxScalars, {}, {}, false});
  a(shape.value_planes, {"value_planes", "Maps that the value is computed from (16)", 1, nn::kMaxPlanes});
  a(shape.value_hidden, {"value_hidden", "... and what they become (128)", 1, nn::kMaxHidden});
}
template <class A>
void batch_field(A& a, std::size_t& batch) {
  a(batch, {"batch", "Positions to a step (256)", 2, 1 << 20});
}
// ... of one that goes on from a network.
template <class A>
void learning_fields(A& a, TrainOptions& train) {
  fields(a, train.learn);
  fields(a, train.rate);
  a(train.lambda, {"lambda", "How much of a value is the score; the rest is the result (0.7)", 0, 1});
  a(train.epochs, {"epochs", "Passes over the samples (2)", 1, 10'000});
  batch_field(a, train.batch);
  a(train.seed, {"seed", "Of everything that is drawn by lot (1)", 0, 0, {}, {}, false});
}
template <class A>
void fields(A& a, TrainOptions& train) {
  shape_fields(a, train.shape);
  learning_fields(a, train);
}
// The shape, and how a step is made, as the results of loops tell it.
std::string text_of_steps(const TrainOptions& train);

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

}  // namespace fuhyo::learn::policy
