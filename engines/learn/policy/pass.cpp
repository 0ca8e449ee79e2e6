#include "engines/learn/policy/pass.h"

#include <algorithm>
#include <cmath>

#include "engines/learn/train/pass.h"
#include "engines/nn/prepared.h"

namespace fuhyo::learn::policy {
namespace {

using nn::chunks;
using nn::kChunk;
using nn::kFrame;
using nn::kFramed;
using nn::kMapChunk;
using nn::kPoints;
using nn::kTiles;

// Boards that go through a convolution together: their tiles fit into a core's own cache.
constexpr std::size_t kTogether = 8;

// A matrix [inputs][outputs] in blocks of `width` outputs.
void pack_matrix(const float* from, std::size_t inputs, std::size_t outputs, std::size_t width, float* to) {
  for (std::size_t block = 0; block < outputs; block += width) {
    const std::size_t here = std::min(width, outputs - block);
    for (std::size_t i = 0; i < inputs; ++i, to += here) std::copy_n(from + i * outputs + block, here, to);
  }
}

void transpose(const float* from, std::size_t rows, std::size_t columns, float* to) {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) to[c * rows + r] = from[r * columns + c];
  }
}

struct Multiplication {
  const float* in;
  std::size_t in_stride, in_chunks;
  const float* weights;  // blocks
  std::size_t out_chunks;
  float* out;
  std::size_t out_stride, rows;
};

void multiply(const nn::Kernels& kernels, const Multiplication& m) {
  const float* weights = m.weights;
  for (std::size_t chunk = 0; chunk < m.out_chunks;) {
    const std::size_t width = std::min(kernels.width, (m.out_chunks - chunk) * kChunk);
    kernels.multiply({.in = m.in,
                      .in_stride = m.in_stride,
                      .in_chunks = m.in_chunks,
                      .weights = weights,
                      .width = width,
                      .out = m.out + chunk * m.out_stride,
                      .out_stride = m.out_stride,
                      .rows = m.rows});
    weights += m.in_chunks * kChunk * width;
    chunk += width / kChunk;
  }
}

// Calls visit(offset in a framed map, square) for the squares of the board.
template <class Visit>
void each_square(std::size_t edge, const Visit& visit) {
  for (std::size_t y = 0, square = 0; y < edge; ++y) {
    for (std::size_t x = 0; x < edge; ++x, ++square) visit(((y + 1) * kFrame + x + 1) * kChunk, square);
  }
}

}  // namespace

Packed::Packed(const Layout& of, const Kernels& by) : layout(of), kernels(by) {
  for (const Layout::Convolution& convolution : of.convolutions) {
    const std::size_t size = convolution.inputs * of.channels;
    forward.emplace_back(kPoints * size);
    const bool first = forward.size() == 1;
    backward.emplace_back(first ? 0 : kPoints * size);
    turned.emplace_back(first ? 0 : 9 * size);
  }
  heads.resize(of.channels * of.heads_width());
  heads_back.resize(heads.size());
  hidden.resize(of.value * of.shape.squares() * of.hidden);
  hidden_back.resize(hidden.size());
  turned.emplace_back(hidden.size());
}

void Packed::pack(const Floats& weights, std::size_t part) {
  const std::size_t width = kernels.forward->width, channels = layout.channels;
  Floats& scratch = turned[part];
  if (part < forward.size()) {
    const Layout::Convolution& convolution = layout.convolutions[part];
    const float* const from = weights.data() + convolution.weights;
    kernels.transform_weights(from, convolution.inputs, channels, width, forward[part].data());
    if (part == 0) return;
    // Backwards a convolution is one whose weights are turned round, from outputs to inputs.
    for (std::size_t tap = 0; tap < 9; ++tap) {
      transpose(from + tap * channels * channels, channels, channels, scratch.data() + (8 - tap) * channels * channels);
    }
    kernels.transform_weights(scratch.data(), channels, channels, width, backward[part].data());
    return;
  }
  const std::size_t out = layout.heads_width(), in = layout.value * layout.shape.squares();
  pack_matrix(weights.data() + layout.heads, channels, out, width, heads.data());
  transpose(weights.data() + layout.heads, channels, out, scratch.data());
  pack_matrix(scratch.data(), out, channels, width, heads_back.data());
  pack_matrix(weights.data() + layout.value_hidden, in, layout.hidden, width, hidden.data());
  transpose(weights.data() + layout.value_hidden, in, layout.hidden, scratch.data());
  pack_matrix(scratch.data(), layout.hidden, in, width, hidden_back.data());
}

Gradients::Gradients(const Layout& layout) : weights(layout.size), statistics(layout.statistics) {
  for (const Layout::Convolution& convolution : layout.convolutions) {
    points.emplace_back(kPoints * convolution.inputs * layout.channels);
  }
}

void Gradients::clear() {
  std::ranges::fill(weights, 0.F);
  for (Floats& one : points) std::ranges::fill(one, 0.F);
  std::ranges::fill(statistics, 0.F);
  passes = valued = 0;
}

Losses& Losses::operator+=(const Losses& other) {
  policy += other.policy;
  value += other.value;
  positions += other.positions;
  right += other.right;
  values += other.values;
  return *this;
}

Pass::Pass(const Layout& layout, const Kernels& kernels, std::size_t boards)
    : layout_(layout),
      kernels_(kernels),
      stride_(layout.channels / kChunk * kMapChunk),
      heads_stride_(layout.heads_width() / kChunk * kMapChunk),
      planes_(boards * layout.planes / kChunk * kMapChunk),
      board_bias_(boards * layout.channels),
      tiles_(kPoints * kTogether * kTiles * std::max(layout.channels, layout.planes)),
      spread_(tiles_.size()),
      sums_(kPoints * kTogether * kTiles * kernels.forward->width),
      zeros_(std::max(layout.channels, layout.hidden)),
      gradient_(boards * stride_),
      inner_(boards * stride_),
      input_(boards * stride_),
      heads_(boards * heads_stride_),
      heads_out_(boards * heads_stride_),
      heads_gradient_(boards * heads_stride_),
      value_in_(boards * layout.value * layout.shape.squares()),
      value_in_gradient_(value_in_.size()),
      hidden_(boards * layout.hidden),
      hidden_gradient_(boards * layout.hidden),
      factor_(std::max(layout.channels, layout.value)),
      slope_(factor_.size()),
      offset_(factor_.size()) {
  for (std::size_t i = 0; i < layout.convolutions.size(); ++i) {
    layers_.push_back({.in = Floats(boards * stride_),
                       .out = Floats(boards * stride_),
                       .mean = Floats(layout.channels),
                       .deviation = Floats(layout.channels)});
  }
  value_.mean.resize(layout.value);
  value_.deviation.resize(layout.value);
}

Losses Pass::run(const Packed& packed, const Floats& weights, std::span<const Example> examples, float scale,
                 float value_weight, Gradients& gradients) {
  boards_ = examples.size();
  read(examples, weights);
  forward(packed, weights, gradients);
  heads_forward(packed);
  Losses losses = policy(weights, examples, scale, gradients);
  const bool valued = std::ranges::any_of(examples, [](const Example& example) { return example.value.has_value(); });
  if (valued && value_weight > 0) {
    losses += value(packed, weights, examples, scale * value_weight, gradients);
    ++gradients.valued;
  }
  heads_backward(packed, gradients);
  backward(packed, weights, examples, gradients);
  ++gradients.passes;
  return losses;
}

// ---- convolutions ---------------------------------------------------------------------------------------------------

void Pass::read(std::span<const Example> examples, const Floats& weights) {
  const std::size_t stride = layout_.planes / kChunk * kMapChunk, edge = layout_.shape.edge;
  std::fill_n(planes_.data(), boards_ * stride, 0.F);
  std::ranges::fill(board_bias_, 0.F);
  for (std::size_t board = 0; board < boards_; ++board) {
    const Example& example = examples[board];
    for (std::size_t plane = 0; plane < example.planes.size(); ++plane) {
      float* const map = planes_.data() + board * stride + plane / kChunk * kMapChunk + plane % kChunk;
      for (std::size_t word = 0; word < 2; ++word) {
        for (std::uint64_t bits = example.planes[plane][word]; bits != 0; bits &= bits - 1) {
          const std::size_t square = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
          map[((square / edge + 1) * kFrame + square % edge + 1) * kChunk] = 1;
        }
      }
    }
    float* const sums = board_bias_.data() + board * layout_.channels;
    for (std::size_t i = 0; i < example.scalars.size(); ++i) {
      if (example.scalars[i] == 0) continue;
      const float* const row = weights.data() + layout_.scalars + i * layout_.channels;
      for (std::size_t c = 0; c < layout_.channels; ++c) sums[c] += example.scalars[i] * row[c];
    }
  }
}

void Pass::convolve(const Floats& packed, const Floats& in, std::size_t in_chunks, Floats& out, const float* board_bias,
                    const float* shortcut) {
  const nn::Kernels& kernels = *kernels_.forward;
  const std::size_t in_stride = in_chunks * kMapChunk, out_chunks = layout_.channels / kChunk;
  for (std::size_t from = 0, here = 0; from < boards_; from += here) {
    here = std::min(kTogether, boards_ - from);
    const std::size_t rows = here * kTiles, panel = rows * kChunk, point_in = in_chunks * panel;
    for (std::size_t c = 0; c < in_chunks; ++c) {
      kernels.tiles_in(in.data() + from * in_stride + c * kMapChunk, in_stride, here, tiles_.data() + c * panel,
                       point_in);
    }
    const float* weights = packed.data();
    for (std::size_t chunk = 0; chunk < out_chunks;) {
      const std::size_t width = std::min(kernels.width, (out_chunks - chunk) * kChunk);
      const std::size_t matrix = in_chunks * kChunk * width, point_out = rows * width;
      for (std::size_t point = 0; point < kPoints; ++point, weights += matrix) {
        kernels.multiply({.in = tiles_.data() + point * point_in,
                          .in_stride = panel,
                          .in_chunks = in_chunks,
                          .weights = weights,
                          .width = width,
                          .out = sums_.data() + point * point_out,
                          .out_stride = panel,
                          .rows = rows});
      }
      for (std::size_t part = 0; part < width / kChunk; ++part, ++chunk) {
        const std::size_t at = from * stride_ + chunk * kMapChunk;
        kernels.tiles_out(
            {.sums = sums_.data() + part * panel,
             .point_stride = point_out,
             .boards = here,
             .edge = layout_.shape.edge,
             .bias = zeros_.data(),
             .board_bias = board_bias == nullptr ? nullptr : board_bias + from * layout_.channels + chunk * kChunk,
             .board_bias_stride = layout_.channels,
             .shortcut = shortcut == nullptr ? nullptr : shortcut + at,
             .out = out.data() + at,
             .board_stride = stride_,
             .activate = false},
            nn::Activation::relu);
      }
    }
  }
}

void Pass::convolution_gradient(const Floats& in, std::size_t in_chunks, const Floats& out, Floats& points) {
  const std::size_t in_stride = in_chunks * kMapChunk, out_chunks = layout_.channels / kChunk;
  for (std::size_t from = 0, here = 0; from < boards_; from += here) {
    here = std::min(kTogether, boards_ - from);
    const std::size_t rows = here * kTiles, panel = rows * kChunk;
    for (std::size_t c = 0; c < in_chunks; ++c) {
      kernels_.forward->tiles_in(in.data() + from * in_stride + c * kMapChunk, in_stride, here,
                                 tiles_.data() + c * panel, in_chunks * panel);
    }
    for (std::size_t c = 0; c < out_chunks; ++c) {
      kernels_.tiles_gradient(out.data() + from * stride_ + c * kMapChunk, stride_, here, spread_.data() + c * panel,
                              out_chunks * panel);
    }
    for (std::size_t point = 0; point < kPoints; ++point) {
      kernels_.outer({.a = tiles_.data() + point * in_chunks * panel,
                      .a_stride = panel,
                      .a_chunks = in_chunks,
                      .b = spread_.data() + point * out_chunks * panel,
                      .b_stride = panel,
                      .b_chunks = out_chunks,
                      .out = points.data() + point * in_chunks * kChunk * layout_.channels,
                      .out_row = layout_.channels,
                      .rows = rows});
    }
  }
}

// ---- norms ----------------------------------------------------------------------------------------------------------

void Pass::normalise(const Norm& norm, const Floats& weights, const float* in, const float* shortcut, float* out,
                     std::size_t stride, Layer& layer, Gradients& gradients) const {
  const Boards here = boards(stride);
  for (std::size_t chunk = 0; chunk < norm.channels / kChunk; ++chunk) {
    const std::size_t at = chunk * kChunk, map = chunk * kMapChunk;
    alignas(64) float variance[kChunk], scale[kChunk], shift[kChunk];
    kernels_.moments(in + map, here, layer.mean.data() + at, variance);
    for (std::size_t c = 0; c < kChunk; ++c) {
      const float mean = layer.mean[at + c];
      layer.deviation[at + c] = static_cast<float>(1 / std::sqrt(variance[c] + kNormEpsilon));
      scale[c] = weights[norm.scale + at + c] * layer.deviation[at + c];
      shift[c] = weights[norm.shift + at + c] - mean * scale[c];
      gradients.statistics[norm.mean + at + c] += mean;
      gradients.statistics[norm.variance + at + c] += variance[c];
    }
    kernels_.normalise(in + map, {.scale = scale, .shift = shift}, shortcut == nullptr ? nullptr : shortcut + map,
                       out + map, here);
  }
}

void Pass::normalise(std::size_t layer, const Floats& weights, const float* shortcut, Gradients& gradients) {
  Layer& here = layers_[layer];
  normalise(layout_.convolutions[layer].norm, weights, here.in.data(), shortcut, here.out.data(), stride_, here,
            gradients);
}

void Pass::norm_backward(const Norm& norm, const Floats& weights, const float* in, const float* out, float* gradient,
                         float* to, std::size_t stride, const Layer& layer, Gradients& gradients) {
  const Boards here = boards(stride);
  const auto count = static_cast<double>(boards_ * layout_.shape.squares());
  for (std::size_t chunk = 0; chunk < norm.channels / kChunk; ++chunk) {
    const std::size_t at = chunk * kChunk, map = chunk * kMapChunk;
    alignas(64) float shift[kChunk], scale[kChunk];
    kernels_.norm_gradient({.in = in + map,
                            .out = out + map,
                            .gradient = gradient + map,
                            .mean = layer.mean.data() + at,
                            .deviation = layer.deviation.data() + at,
                            .shift = shift,
                            .scale = scale},
                           here);
    for (std::size_t c = 0; c < kChunk; ++c) {
      gradients.weights[norm.shift + at + c] += shift[c];
      gradients.weights[norm.scale + at + c] += scale[c];
      const double deviation = layer.deviation[at + c], factor = weights[norm.scale + at + c] * deviation;
      const double slope = -factor * deviation * scale[c] / count;
      factor_[at + c] = static_cast<float>(factor);
      slope_[at + c] = static_cast<float>(slope);
      offset_[at + c] = static_cast<float>(-factor * shift[c] / count - slope * layer.mean[at + c]);
    }
    kernels_.norm_input({.in = in + map,
                         .gradient = gradient + map,
                         .out = to + map,
                         .factor = factor_.data() + at,
                         .slope = slope_.data() + at,
                         .offset = offset_.data() + at},
                        here);
  }
}

void Pass::norm_backward(std::size_t layer, const Floats& weights, Floats& gradient, Gradients& gradients) {
  const Layer& here = layers_[layer];
  norm_backward(layout_.convolutions[layer].norm, weights, here.in.data(), here.out.data(), gradient.data(),
                input_.data(), stride_, here, gradients);
}

// ---- the trunk ------------------------------------------------------------------------------------------------------

void Pass::forward(const Packed& packed, const Floats& weights, Gradients& gradients) {
  const std::size_t own = layout_.channels / kChunk;
  convolve(packed.forward[0], planes_, layout_.planes / kChunk, layers_[0].in, board_bias_.data(), nullptr);
  normalise(0, weights, nullptr, gradients);
  for (std::size_t i = 1; i < layers_.size(); i += 2) {
    convolve(packed.forward[i], layers_[i - 1].out, own, layers_[i].in, nullptr, nullptr);
    normalise(i, weights, nullptr, gradients);
    convolve(packed.forward[i + 1], layers_[i].out, own, layers_[i + 1].in, nullptr, nullptr);
    normalise(i + 1, weights, layers_[i - 1].out.data(), gradients);
  }
}

void Pass::backward(const Packed& packed, const Floats& weights, std::span<const Example> examples,
                    Gradients& gradients) {
  const std::size_t own = layout_.channels / kChunk;
  for (std::size_t i = layers_.size() - 1; i > 0; i -= 2) {
    norm_backward(i, weights, gradient_, gradients);
    convolution_gradient(layers_[i - 1].out, own, input_, gradients.points[i]);
    convolve(packed.backward[i], input_, own, inner_, nullptr, nullptr);
    norm_backward(i - 1, weights, inner_, gradients);
    convolution_gradient(layers_[i - 2].out, own, input_, gradients.points[i - 1]);
    convolve(packed.backward[i - 1], input_, own, gradient_, nullptr, gradient_.data());
  }
  norm_backward(0, weights, gradient_, gradients);
  convolution_gradient(planes_, layout_.planes / kChunk, input_, gradients.points[0]);
  scalars_backward(examples, gradients);
}

void Pass::scalars_backward(std::span<const Example> examples, Gradients& gradients) const {
  std::vector<float> sums(layout_.channels);
  for (std::size_t board = 0; board < boards_; ++board) {
    std::ranges::fill(sums, 0.F);
    for (std::size_t chunk = 0; chunk < layout_.channels / kChunk; ++chunk) {
      const float* const map = input_.data() + board * stride_ + chunk * kMapChunk;
      float* const to = sums.data() + chunk * kChunk;
      each_square(layout_.shape.edge, [&](std::size_t at, std::size_t) {
        for (std::size_t c = 0; c < kChunk; ++c) to[c] += map[at + c];
      });
    }
    const std::vector<float>& scalars = examples[board].scalars;
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      if (scalars[i] == 0) continue;
      float* const row = gradients.weights.data() + layout_.scalars + i * layout_.channels;
      for (std::size_t c = 0; c < layout_.channels; ++c) row[c] += scalars[i] * sums[c];
    }
  }
}

// ---- heads ----------------------------------------------------------------------------------------------------------

// The 1x1 convolutions of both heads are one product. Frames are zeros and stay so.
void Pass::heads_forward(const Packed& packed) {
  for (std::size_t board = 0; board < boards_; ++board) {
    multiply(*kernels_.forward, {.in = layers_.back().out.data() + board * stride_,
                                 .in_stride = kMapChunk,
                                 .in_chunks = layout_.channels / kChunk,
                                 .weights = packed.heads.data(),
                                 .out_chunks = layout_.heads_width() / kChunk,
                                 .out = heads_.data() + board * heads_stride_,
                                 .out_stride = kMapChunk,
                                 .rows = kFramed});
  }
  std::fill_n(heads_gradient_.data(), boards_ * heads_stride_, 0.F);
}

void Pass::heads_backward(const Packed& packed, Gradients& gradients) {
  const std::size_t own = layout_.channels / kChunk, heads = layout_.heads_width() / kChunk;
  for (std::size_t board = 0; board < boards_; ++board) {
    const float* const from = heads_gradient_.data() + board * heads_stride_;
    multiply(*kernels_.forward, {.in = from,
                                 .in_stride = kMapChunk,
                                 .in_chunks = heads,
                                 .weights = packed.heads_back.data(),
                                 .out_chunks = own,
                                 .out = gradient_.data() + board * stride_,
                                 .out_stride = kMapChunk,
                                 .rows = kFramed});
    kernels_.outer({.a = layers_.back().out.data() + board * stride_,
                    .a_stride = kMapChunk,
                    .a_chunks = own,
                    .b = from,
                    .b_stride = kMapChunk,
                    .b_chunks = heads,
                    .out = gradients.weights.data() + layout_.heads,
                    .out_row = layout_.heads_width(),
                    .rows = kFramed});
  }
}

Losses Pass::policy(const Floats& weights, std::span<const Example> examples, float scale, Gradients& gradients) {
  const std::size_t edge = layout_.shape.edge, squares = layout_.shape.squares();
  Losses losses;
  for (std::size_t board = 0; board < boards_; ++board) {
    const Example& example = examples[board];
    const std::size_t base = board * heads_stride_, moves = example.labels.size();
    const auto map_at = [&](std::size_t label) {
      const std::size_t plane = label / squares, square = label % squares;
      return base + plane / kChunk * kMapChunk + ((square / edge + 1) * kFrame + square % edge + 1) * kChunk +
             plane % kChunk;
    };
    const auto bias_at = [&](std::size_t label) {
      const std::size_t plane = label / squares, square = label % squares;
      return layout_.policy_bias + (plane / kChunk * squares + square) * kChunk + plane % kChunk;
    };
    chances_.resize(moves);
    for (std::size_t i = 0; i < moves; ++i) {
      chances_[i] = heads_[map_at(example.labels[i])] + weights[bias_at(example.labels[i])];
    }
    const auto best = std::ranges::max_element(chances_);
    const float most = *best;
    losses.right += static_cast<std::size_t>(best - chances_.begin()) == example.played ? 1 : 0;
    const bool shared = !example.shares.empty();
    float expected = 0;  // the logit that is learnt, or the mean of several
    if (shared) {
      for (std::size_t i = 0; i < moves; ++i) expected += example.shares[i] * chances_[i];
    } else {
      expected = chances_[example.played];
    }
    double sum = 0;
    for (float& chance : chances_) sum += chance = std::exp(chance - most);
    losses.policy += std::log(sum) + most - expected;
    const auto share = static_cast<float>(1 / sum);
    for (std::size_t i = 0; i < moves; ++i) {
      const float target = shared ? example.shares[i] : i == example.played ? 1.F : 0.F;
      const float gradient = (chances_[i] * share - target) * scale;
      heads_gradient_[map_at(example.labels[i])] = gradient;
      gradients.weights[bias_at(example.labels[i])] += gradient;
    }
  }
  losses.positions = boards_;
  return losses;
}

// Calls visit(place in the maps of heads, place in the panels of the hidden layer) for sixteen numbers at a time.
template <class Visit>
void Pass::each_value_place(const Visit& visit) const {
  const std::size_t maps = layout_.value / kChunk, squares = layout_.shape.squares(), panel = boards_ * kChunk;
  for (std::size_t board = 0; board < boards_; ++board) {
    for (std::size_t map = 0; map < maps; ++map) {
      each_square(layout_.shape.edge, [&](std::size_t at, std::size_t square) {
        visit(board * heads_stride_ + value_maps() + map * kMapChunk + at,
              (map * squares + square) * panel + board * kChunk);
      });
    }
  }
}

void Pass::value_forward(const Packed& packed, const Floats& weights, Gradients& gradients) {
  const std::size_t panel = boards_ * kChunk;
  normalise(layout_.value_norm, weights, heads_.data() + value_maps(), nullptr, heads_out_.data() + value_maps(),
            heads_stride_, value_, gradients);
  each_value_place(
      [&](std::size_t map, std::size_t at) { std::copy_n(heads_out_.data() + map, kChunk, value_in_.data() + at); });
  multiply(*kernels_.forward, {.in = value_in_.data(),
                               .in_stride = panel,
                               .in_chunks = layout_.value / kChunk * layout_.shape.squares(),
                               .weights = packed.hidden.data(),
                               .out_chunks = layout_.hidden / kChunk,
                               .out = hidden_.data(),
                               .out_stride = panel,
                               .rows = boards_});
  for (std::size_t c = 0; c < layout_.hidden / kChunk; ++c) {
    float* const panels = hidden_.data() + c * panel;
    kernels_.forward->activate(panels, weights.data() + layout_.hidden_bias + c * kChunk, panels, boards_, kChunk,
                               nn::Activation::relu);
  }
}

Losses Pass::value(const Packed& packed, const Floats& weights, std::span<const Example> examples, float scale,
                   Gradients& gradients) {
  value_forward(packed, weights, gradients);
  Losses losses;
  std::ranges::fill(hidden_gradient_, 0.F);
  const float* const last = weights.data() + layout_.value_out;
  for (std::size_t board = 0; board < boards_; ++board) {
    if (!examples[board].value) continue;
    const double target = *examples[board].value;
    double logit = weights[layout_.out_bias];
    const auto at = [&](std::size_t i) { return (i / kChunk * boards_ + board) * kChunk + i % kChunk; };
    for (std::size_t i = 0; i < layout_.hidden; ++i) logit += last[i] * hidden_[at(i)];
    const double chance = 1 / (1 + std::exp(-logit));
    losses.value += cross_entropy(logit, target);
    ++losses.values;
    const auto gradient = static_cast<float>((chance - target) * scale);
    gradients.weights[layout_.out_bias] += gradient;
    for (std::size_t i = 0; i < layout_.hidden; ++i) {
      const float value = hidden_[at(i)], by_hidden = value > 0 ? gradient * last[i] : 0;
      gradients.weights[layout_.value_out + i] += gradient * value;
      gradients.weights[layout_.hidden_bias + i] += by_hidden;
      hidden_gradient_[at(i)] = by_hidden;
    }
  }
  value_backward(packed, weights, gradients);
  return losses;
}

void Pass::value_backward(const Packed& packed, const Floats& weights, Gradients& gradients) {
  const std::size_t panel = boards_ * kChunk, in_chunks = layout_.value / kChunk * layout_.shape.squares();
  kernels_.outer({.a = value_in_.data(),
                  .a_stride = panel,
                  .a_chunks = in_chunks,
                  .b = hidden_gradient_.data(),
                  .b_stride = panel,
                  .b_chunks = layout_.hidden / kChunk,
                  .out = gradients.weights.data() + layout_.value_hidden,
                  .out_row = layout_.hidden,
                  .rows = boards_});
  multiply(*kernels_.forward, {.in = hidden_gradient_.data(),
                               .in_stride = panel,
                               .in_chunks = layout_.hidden / kChunk,
                               .weights = packed.hidden_back.data(),
                               .out_chunks = in_chunks,
                               .out = value_in_gradient_.data(),
                               .out_stride = panel,
                               .rows = boards_});
  each_value_place([&](std::size_t map, std::size_t at) {
    std::copy_n(value_in_gradient_.data() + at, kChunk, heads_gradient_.data() + map);
  });
  float* const gradient = heads_gradient_.data() + value_maps();
  norm_backward(layout_.value_norm, weights, heads_.data() + value_maps(), heads_out_.data() + value_maps(), gradient,
                gradient, heads_stride_, value_, gradients);
}

}  // namespace fuhyo::learn::policy
