// A forward and backward pass of a batch: outputs, losses and gradients. Results do not depend on the size of the pool.
// One thread at a time.
#pragma once

#include <span>
#include <vector>

#include "engines/learn/train/batch.h"
#include "engines/learn/train/kernels.h"
#include "engines/learn/train/model.h"
#include "engines/learn/train/thread_pool.h"

namespace fuhyo::learn {

// Means: the cross-entropy of sigmoid(y) and the targets; that of the softmax of -certainty y over a comparison's
// positions and the first of them.
struct Losses {
  double positions = 0, comparisons = 0;
};

class Pass {
 public:
  // All must outlive this.
  Pass(const Model& model, const FloatKernels& kernels, ThreadPool& pool);

  // y of each position.
  void evaluate(const Batch& batch, std::span<float> y);
  // The losses, and the gradient of `positions` + Batch::weight `comparisons`, which replaces what
  // `gradient` held.
  Losses learn(const Batch& batch, Tensors& gradient);

 private:
  // The memory of one worker for a block of positions.
  struct Scratch {
    std::array<Floats, 4> values;   // x, h1, h2, y
    std::array<Floats, 4> changes;  // of the loss by them; x's are kept elsewhere
  };

  std::size_t value_stride(std::size_t layer) const;
  void forward(const Batch& batch, std::size_t from, std::size_t count, Scratch& scratch) const;
  // Of the block's y: what it adds to the sums of losses, and how these change by each y, as it counts in the batch.
  Losses losses(const Batch& batch, std::size_t from, std::size_t count, Scratch& scratch) const;
  // Adds to a part's sums.
  void backward(std::size_t from, std::size_t count, Scratch& scratch, float* sums);
  void learn_part(const Batch& batch, std::size_t part, Scratch& scratch);
  void gather(const Batch& batch, std::size_t parts, Tensors& gradient) const;
  void gather_rows(const Batch& batch, std::size_t from, std::size_t to, Tensors& gradient) const;
  void gather_shared(std::size_t from, std::size_t to, Tensors& gradient) const;

  const Model& model_;
  const FloatKernels& kernels_;
  ThreadPool& pool_;
  std::vector<Scratch> scratch_;   // one a worker
  std::size_t dense_size_ = 0;     // weights of all dense layers
  std::vector<Floats> part_sums_;  // a part's gradients of dense layers, in the order of Part
  std::vector<Losses> part_loss_;
  Floats input_changes_;  // of the whole batch, by x
};

// -log of the share that exp(-certainty y) of the first one has in the sum of all, and what it changes by each y.
double comparison_loss(std::span<const float> y, float certainty, std::span<float> change);

// -(t log p + (1 - t) log(1 - p)) where p = 1 / (1 + exp(-y)).
double cross_entropy(double y, double target);

}  // namespace fuhyo::learn
