// Trains a model batch by batch: the model and the state of the optimiser. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engines/learn/train/model.h"
#include "engines/learn/train/optimiser.h"
#include "engines/learn/train/pass.h"

namespace fuhyo::learn {

class Learner {
 public:
  // The kernels and the pool must outlive this.
  Learner(Model model, const MethodOptions& method, const FloatKernels& kernels, ThreadPool& pool);
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  const Model& model() const { return model_; }
  std::uint64_t steps() const { return steps_; }

  // One step at this rate, and the batch's losses before it. `first_rate`: see step_sizes().
  Losses learn(const Batch& batch, double rate, double first_rate);
  void evaluate(const Batch& batch, std::span<float> y) { pass_.evaluate(batch, y); }

  // Everything that later steps depend on. `largest` is empty if the optimiser does not use it.
  struct State {
    std::uint64_t steps = 0;
    Tensors weights, mean, square, largest;
  };
  const Tensors& mean() const { return mean_; }
  const Tensors& square() const { return square_; }
  const Tensors& largest() const { return largest_; }
  // Resumes from a state of the same sizes.
  void restore(State state);

 private:
  void step(const StepSizes& sizes);

  Model model_;
  MethodOptions method_;
  const FloatKernels& kernels_;
  ThreadPool& pool_;
  Pass pass_;
  Tensors gradient_, mean_, square_, largest_;
  std::uint64_t steps_ = 0;
};

}  // namespace fuhyo::learn
