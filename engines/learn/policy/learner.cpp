#include "engines/learn/policy/learner.h"

#include <algorithm>

namespace fuhyo::learn::policy {
namespace {

// Weights that a thread takes at a time when sums are added up; a multiple of kColumns.
constexpr std::size_t kSlice = std::size_t{1} << 16U;

}  // namespace

Learner::Learner(const Layout& layout, const LearnOptions& options, const Kernels& kernels, const FloatKernels& steps,
                 ThreadPool& pool, std::uint64_t seed)
    : layout_(layout),
      options_(options),
      kernels_(kernels),
      step_(steps),
      pool_(pool),
      state_{.weights = first_weights(layout, seed),
             .mean = Floats(layout.size),
             .square = Floats(layout.size),
             .statistics = first_statistics(layout)},
      packed_(layout_, kernels),
      gradient_(layout.size) {
  for (std::size_t worker = 0; worker < pool.size(); ++worker) {
    passes_.emplace_back(layout_, kernels, options.pass);
  }
}

void Learner::restore(State state) { state_ = std::move(state); }

Losses Learner::learn(std::span<const Example> examples, double rate) {
  const std::size_t passes = examples.size() / options_.pass, lanes = std::min(passes, kMostLanes);
  while (lanes_.size() < lanes) lanes_.emplace_back(layout_);
  pool_.run(packed_.parts(), [&](std::size_t part, std::size_t) { packed_.pack(state_.weights, part); });
  std::vector<Losses> losses(lanes);
  const float scale = 1 / static_cast<float>(examples.size());
  pool_.run(lanes, [&](std::size_t lane, std::size_t worker) {
    lanes_[lane].clear();
    for (std::size_t pass = lane; pass < passes; pass += lanes) {
      losses[lane] +=
          passes_[worker].run(packed_, state_.weights, examples.subspan(pass * options_.pass, options_.pass), scale,
                              options_.value_weight, lanes_[lane]);
    }
  });
  add_up(lanes);
  ++state_.steps;
  take_step(rate);
  remember(lanes);
  Losses sum;
  for (const Losses& lane : losses) sum += lane;
  return sum;
}

void Learner::add_up(std::size_t lanes) {
  const auto add = [&](Floats Gradients::* of, std::size_t from, std::size_t to) {
    float* const sum = (lanes_[0].*of).data();
    for (std::size_t lane = 1; lane < lanes; ++lane) {
      const float* const more = (lanes_[lane].*of).data();
      for (std::size_t i = from; i < to; ++i) sum[i] += more[i];
    }
  };
  add(&Gradients::weights, 0, layout_.size);
  add(&Gradients::statistics, 0, layout_.statistics);
  std::ranges::copy(lanes_[0].weights, gradient_.begin());
  pool_.run(layout_.convolutions.size(), [&](std::size_t i, std::size_t) {
    Floats& sum = lanes_[0].points[i];
    for (std::size_t lane = 1; lane < lanes; ++lane) {
      const float* const more = lanes_[lane].points[i].data();
      for (std::size_t at = 0; at < sum.size(); ++at) sum[at] += more[at];
    }
    const Layout::Convolution& convolution = layout_.convolutions[i];
    kernels_.weights_gradient(sum.data(), convolution.inputs, layout_.channels, gradient_.data() + convolution.weights);
  });
}

void Learner::take_step(double rate) {
  const MethodOptions options{.method = Method::adamw, .decay = options_.decay};
  const StepSizes sizes = step_sizes(options, state_.steps, rate, rate);
  StepSizes without = sizes;
  without.keep = 1;
  const auto step = [&](const StepSizes& by, std::size_t from, std::size_t to) {
    step_.step(by,
               {.weights = state_.weights.data() + from,
                .gradient = gradient_.data() + from,
                .mean = state_.mean.data() + from,
                .square = state_.square.data() + from,
                .largest = nullptr},
               to - from);
  };
  const std::size_t slices = (layout_.size + kSlice - 1) / kSlice;
  pool_.run(slices, [&](std::size_t slice, std::size_t) {
    const std::size_t from = slice * kSlice, to = std::min(layout_.size, from + kSlice);
    const std::size_t middle = std::clamp(layout_.decayed, from, to);
    if (from < middle) step(sizes, from, middle);
    if (middle < to) step(without, middle, to);
  });
}

void Learner::remember(std::size_t lanes) {
  std::size_t passes = 0, valued = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    passes += lanes_[lane].passes;
    valued += lanes_[lane].valued;
  }
  const double part = std::max(options_.memory, 1 / static_cast<double>(state_.steps));
  const auto towards = [&](std::size_t from, std::size_t count, std::size_t of) {
    for (std::size_t i = from; i < from + count; ++i) {
      float& known = state_.statistics[i];
      known += static_cast<float>(part * (lanes_[0].statistics[i] / static_cast<double>(of) - known));
    }
  };
  const auto norm = [&](const Norm& norm, std::size_t of) {
    if (of == 0) return;
    towards(norm.mean, norm.channels, of);
    towards(norm.variance, norm.channels, of);
  };
  for (const Layout::Convolution& convolution : layout_.convolutions) norm(convolution.norm, passes);
  norm(layout_.value_norm, valued);
}

}  // namespace fuhyo::learn::policy
