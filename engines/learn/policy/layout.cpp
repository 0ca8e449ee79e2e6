#include "engines/learn/policy/layout.h"

#include <cmath>
#include <fmt/format.h>
#include <random>

#include "engines/learn/train/kernels.h"
#include "engines/nn/batch_norm.h"
#include "engines/nn/kernels.h"
#include "engines/nn/prepared.h"

namespace fuhyo::learn::policy {
namespace {

using nn::kChunk;
using nn::padded;

// Hands out places, each a multiple of what the optimiser's kernels want.
class Places {
 public:
  std::size_t take(std::size_t count) {
    const std::size_t at = used_;
    used_ += (count + kColumns - 1) / kColumns * kColumns;
    return at;
  }
  std::size_t used() const { return used_; }

 private:
  std::size_t used_ = 0;
};

// The distributions of the standard library differ between libraries; these bits do not.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : engine_(seed) {}
  float operator()(double deviation) {
    return static_cast<float>((static_cast<double>(engine_() >> 11) * 0x1p-52 - 1) * std::sqrt(3.0) * deviation);
  }

 private:
  std::mt19937_64 engine_;
};

nn::BatchNorm norm_of(const Norm& norm, const Floats& weights, const Floats& statistics, std::size_t channels) {
  const auto part = [&](const Floats& from, std::size_t at) {
    return std::vector<float>(from.begin() + static_cast<std::ptrdiff_t>(at),
                              from.begin() + static_cast<std::ptrdiff_t>(at + channels));
  };
  return {.scale = part(weights, norm.scale),
          .shift = part(weights, norm.shift),
          .mean = part(statistics, norm.mean),
          .variance = part(statistics, norm.variance),
          .epsilon = kNormEpsilon};
}

}  // namespace

std::expected<Layout, std::string> Layout::make(const nn::Shape& shape) {
  if (const std::string fault = shape.fault(); !fault.empty()) return std::unexpected(fault);
  if (shape.kind != nn::BlockKind::plain || shape.activation != nn::Activation::relu) {
    return std::unexpected(fmt::format("{} blocks with {}: only plain ones with ReLU are learnt",
                                       nn::to_string(shape.kind), nn::to_string(shape.activation)));
  }
  return Layout(shape);
}

Layout::Layout(const nn::Shape& of)
    : shape(of),
      planes(padded(of.planes)),
      channels(padded(of.channels)),
      policy(padded(of.policy_planes)),
      value(padded(of.value_planes)),
      hidden(padded(of.value_hidden)) {
  Places places, seen;
  for (std::size_t i = 0; i < 1 + 2 * std::size_t{of.blocks}; ++i) {
    const std::size_t inputs = i == 0 ? planes : channels;
    convolutions.push_back({.weights = places.take(9 * inputs * channels), .inputs = inputs, .norm = {}});
  }
  scalars = places.take(of.scalars * channels);
  heads = places.take(channels * heads_width());
  value_hidden = places.take(value * of.squares() * hidden);
  value_out = places.take(hidden);
  decayed = places.used();
  const auto norm = [&](std::size_t width) {
    return Norm{.scale = places.take(width),
                .shift = places.take(width),
                .mean = seen.take(width),
                .variance = seen.take(width),
                .channels = width};
  };
  for (Convolution& convolution : convolutions) convolution.norm = norm(channels);
  value_norm = norm(value);
  policy_bias = places.take(policy * of.squares());
  hidden_bias = places.take(hidden);
  out_bias = places.take(1);
  size = places.used();
  statistics = seen.used();
}

std::size_t Layout::points() const {
  std::size_t sum = 0;
  for (const Convolution& convolution : convolutions) sum += nn::kPoints * convolution.inputs * channels;
  return sum;
}

Floats first_weights(const Layout& layout, std::uint64_t seed) {
  const nn::Shape& shape = layout.shape;
  Floats weights(layout.size);
  Uniform uniform(seed);
  for (std::size_t i = 0; i < layout.convolutions.size(); ++i) {
    const Layout::Convolution& convolution = layout.convolutions[i];
    const std::size_t inputs = i == 0 ? shape.planes : shape.channels;
    for (std::size_t tap = 0; tap < 9; ++tap) {
      for (std::size_t in = 0; in < inputs; ++in) {
        float* const row = weights.data() + convolution.weights + (tap * convolution.inputs + in) * layout.channels;
        for (std::size_t out = 0; out < shape.channels; ++out) {
          row[out] = uniform(std::sqrt(2 / (9 * static_cast<double>(inputs))));
        }
      }
    }
    const float scale = i > 0 && i % 2 == 0 ? 0.F : 1.F;
    std::fill_n(weights.data() + convolution.norm.scale, shape.channels, scale);
  }
  for (std::size_t i = 0; i < shape.scalars; ++i) {
    for (std::size_t out = 0; out < shape.channels; ++out) {
      weights[layout.scalars + i * layout.channels + out] = uniform(0.1);
    }
  }
  for (std::size_t in = 0; in < shape.channels; ++in) {
    float* const row = weights.data() + layout.heads + in * layout.heads_width();
    const double deviation = std::sqrt(1 / static_cast<double>(shape.channels));
    for (std::size_t out = 0; out < shape.policy_planes; ++out) row[out] = uniform(deviation);
    for (std::size_t out = 0; out < shape.value_planes; ++out) row[layout.policy + out] = uniform(deviation);
  }
  std::fill_n(weights.data() + layout.value_norm.scale, shape.value_planes, 1.F);
  const std::size_t squares = shape.squares();
  for (std::size_t plane = 0; plane < shape.value_planes; ++plane) {
    for (std::size_t square = 0; square < squares; ++square) {
      const std::size_t in = (plane / kChunk * squares + square) * kChunk + plane % kChunk;
      for (std::size_t out = 0; out < shape.value_hidden; ++out) {
        weights[layout.value_hidden + in * layout.hidden + out] =
            uniform(std::sqrt(2 / static_cast<double>(shape.value_planes * squares)));
      }
    }
  }
  for (std::size_t out = 0; out < shape.value_hidden; ++out) {
    weights[layout.value_out + out] = uniform(std::sqrt(1 / static_cast<double>(shape.value_hidden)));
  }
  return weights;
}

Floats first_statistics(const Layout& layout) {
  Floats statistics(layout.statistics);
  const auto set = [&](const Norm& norm) { std::fill_n(statistics.data() + norm.variance, norm.channels, 1.F); };
  for (const Layout::Convolution& convolution : layout.convolutions) set(convolution.norm);
  set(layout.value_norm);
  return statistics;
}

nn::Model folded(const Layout& layout, const Floats& weights, const Floats& statistics) {
  const nn::Shape& shape = layout.shape;
  nn::Model model = nn::Model::zeros(shape);
  const auto convolution = [&](const Layout::Convolution& from, nn::Convolution& to) {
    for (std::size_t out = 0; out < to.outputs; ++out) {
      for (std::size_t in = 0; in < to.inputs; ++in) {
        for (std::size_t tap = 0; tap < 9; ++tap) {
          to.weights[(out * to.inputs + in) * 9 + tap] =
              weights[from.weights + (tap * from.inputs + in) * layout.channels + out];
        }
      }
    }
  };
  const auto convolve = [&](const Layout::Convolution& from, nn::Convolution& to) {
    convolution(from, to);
    nn::fold(norm_of(from.norm, weights, statistics, shape.channels), to);
  };
  convolve(layout.convolutions[0], model.planes);
  for (std::size_t out = 0; out < shape.channels; ++out) {
    for (std::size_t in = 0; in < shape.scalars; ++in) {
      model.scalars.weights[out * shape.scalars + in] = weights[layout.scalars + in * layout.channels + out];
    }
  }
  if (shape.scalars > 0) {
    nn::fold(norm_of(layout.convolutions[0].norm, weights, statistics, shape.channels), model.scalars);
  }
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    convolve(layout.convolutions[1 + 2 * i], model.blocks[i].first);
    convolve(layout.convolutions[2 + 2 * i], model.blocks[i].second);
  }
  const auto head = [&](std::size_t in, std::size_t out) {
    return weights[layout.heads + in * layout.heads_width() + out];
  };
  for (std::size_t in = 0; in < shape.channels; ++in) {
    for (std::size_t out = 0; out < shape.policy_planes; ++out) {
      model.policy.weights[out * shape.channels + in] = head(in, out);
    }
    for (std::size_t out = 0; out < shape.value_planes; ++out) {
      model.value.weights[out * shape.channels + in] = head(in, layout.policy + out);
    }
  }
  nn::fold(norm_of(layout.value_norm, weights, statistics, shape.value_planes), model.value);
  const std::size_t squares = shape.squares();
  const auto place = [&](std::size_t plane, std::size_t square) {
    return (plane / kChunk * squares + square) * kChunk + plane % kChunk;
  };
  for (std::size_t square = 0; square < squares; ++square) {
    for (std::size_t plane = 0; plane < shape.policy_planes; ++plane) {
      model.policy_bias[plane * squares + square] = weights[layout.policy_bias + place(plane, square)];
    }
    for (std::size_t plane = 0; plane < shape.value_planes; ++plane) {
      const float* const row = weights.data() + layout.value_hidden + place(plane, square) * layout.hidden;
      for (std::size_t out = 0; out < shape.value_hidden; ++out) {
        model.value_hidden.weights[(out * shape.value_planes + plane) * squares + square] = row[out];
      }
    }
  }
  for (std::size_t out = 0; out < shape.value_hidden; ++out) {
    model.value_hidden.bias[out] = weights[layout.hidden_bias + out];
    model.value_out.weights[out] = weights[layout.value_out + out];
  }
  model.value_out.bias[0] = weights[layout.out_bias];
  return model;
}

}  // namespace fuhyo::learn::policy
