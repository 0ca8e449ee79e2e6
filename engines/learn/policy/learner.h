// Trains a network batch by batch. The passes of a batch add up their gradients in parts whose number does not
// depend on the threads: the same examples, options and kernels give the same bits. One thread at a time; the pool's
// threads help.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engines/learn/policy/pass.h"
#include "engines/learn/setting.h"
#include "engines/learn/train/optimiser.h"
#include "engines/learn/train/thread_pool.h"

namespace fuhyo::learn::policy {

// The number of separate sums of gradients, and so the most threads of a learner.
constexpr std::size_t kMostLanes = 4;

struct LearnOptions {
  std::size_t pass = 64;   // boards of a pass, over which batch norms take their means
  float value_weight = 1;  // of the values' loss beside that of moves
  float decay = 0.01F;     // AdamW: how fast weights of layers shrink
  double memory = 0.02;    // how much of the statistics of norms is those of the last batch
};
template <class A>
void fields(A& a, LearnOptions& learn) {
  a(learn.pass,
    {"norm_batch", "Positions of a batch that share the means of batch norms (64)", 2, 1 << 12, "--pass", "pass"});
  a(learn.value_weight, {"value_weight", "Of the values' loss beside that of moves (1)", 0, 1e6});
  a(learn.decay, {"decay", "How fast weights shrink (0.01)", 0, 1});
  a(learn.memory, {"memory", {}, 0, 1, {}, {}, false});
}

class Learner {
 public:
  // Everything that later steps depend on.
  struct State {
    Floats weights, mean, square, statistics;
    std::uint64_t steps = 0;
  };

  // The pool has at most kMostLanes threads.
  Learner(const Layout& layout, const LearnOptions& options, const Kernels& kernels, const FloatKernels& steps,
          ThreadPool& pool, std::uint64_t seed);
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  // One step of AdamW at this rate. The number of examples must be a multiple of options.pass.
  Losses learn(std::span<const Example> examples, double rate);

  const Layout& layout() const { return layout_; }
  const State& state() const { return state_; }
  void restore(State state);
  nn::Model model() const { return folded(layout_, state_.weights, state_.statistics); }
  // Gradients of the last step.
  const Floats& gradient() const { return gradient_; }

 private:
  void add_up(std::size_t lanes);
  void take_step(double rate);
  void remember(std::size_t lanes);

  Layout layout_;
  LearnOptions options_;
  const Kernels& kernels_;
  const FloatKernels& step_;
  ThreadPool& pool_;
  State state_;
  Packed packed_;
  std::vector<Pass> passes_;  // one a worker
  std::vector<Gradients> lanes_;
  Floats gradient_;
};

}  // namespace fuhyo::learn::policy
