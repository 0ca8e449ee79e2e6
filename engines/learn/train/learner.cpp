#include "engines/learn/train/learner.h"

#include <algorithm>
#include <vector>

namespace fuhyo::learn {
namespace {

constexpr std::size_t kSlice = 1 << 16;  // weights that one worker changes at a time

}  // namespace

Learner::Learner(Model model, const MethodOptions& method, const FloatKernels& kernels, ThreadPool& pool)
    : model_(std::move(model)),
      method_(method),
      kernels_(kernels),
      pool_(pool),
      pass_(model_, kernels, pool),
      gradient_(model_.zeros()),
      mean_(model_.zeros()),
      square_(model_.zeros()) {
  if (keeps_largest(method.method)) largest_ = model_.zeros();
}

Losses Learner::learn(const Batch& batch, double rate, double first_rate) {
  const Losses loss = pass_.learn(batch, gradient_);
  step(step_sizes(method_, ++steps_, rate, first_rate));
  model_.refresh(pool_);
  return loss;
}

void Learner::step(const StepSizes& sizes) {
  struct Slice {
    Part part;
    std::size_t from, count;
  };
  std::vector<Slice> slices;
  for (std::size_t index = 0; index < kPartCount; ++index) {
    const auto part = static_cast<Part>(index);
    const std::size_t size = gradient_[part].size();
    for (std::size_t from = 0; from < size; from += kSlice)
      slices.push_back({part, from, std::min(kSlice, size - from)});
  }
  pool_.run(slices.size(), [&](std::size_t index, std::size_t /*worker*/) {
    const auto [part, from, count] = slices[index];
    StepSizes bounded = sizes;
    bounded.most = static_cast<float>(model_.limit(part));
    bounded.least = -bounded.most;
    float* largest = largest_[part].empty() ? nullptr : largest_[part].data() + from;
    kernels_.step(bounded,
                  {model_.weights()[part].data() + from, gradient_[part].data() + from, mean_[part].data() + from,
                   square_[part].data() + from, largest},
                  count);
  });
}

void Learner::restore(State state) {
  steps_ = state.steps;
  model_.weights() = std::move(state.weights);
  mean_ = std::move(state.mean);
  square_ = std::move(state.square);
  largest_ = std::move(state.largest);
  model_.refresh(pool_);
}

}  // namespace fuhyo::learn
