#include "tests/unit/learn/policy/slow_network.h"

#include <algorithm>
#include <cmath>

namespace fuhyo::learn::policy {
namespace {

using Map = std::vector<std::vector<double>>;  // [channel][square]
using Maps = std::vector<Map>;                 // of each board

// A number for each board, channel and square.
template <class Number>
Maps maps_of(std::size_t boards, std::size_t channels, std::size_t squares, Number number) {
  Maps out(boards, Map(channels, std::vector<double>(squares)));
  for (std::size_t board = 0; board < boards; ++board) {
    for (std::size_t channel = 0; channel < channels; ++channel) {
      for (std::size_t s = 0; s < squares; ++s) out[board][channel][s] = number(board, channel, s);
    }
  }
  return out;
}

Maps convolved(const Maps& in, const Layout& layout, const Layout::Convolution& convolution,
               const std::vector<double>& weights, std::size_t inputs) {
  const int edge = static_cast<int>(layout.shape.edge);
  return maps_of(in.size(), layout.shape.channels, layout.shape.squares(),
                 [&](std::size_t board, std::size_t o, std::size_t s) {
                   const int y = static_cast<int>(s) / edge, x = static_cast<int>(s) % edge;
                   double sum = 0;
                   for (std::size_t i = 0; i < inputs; ++i) {
                     for (int tap = 0; tap < 9; ++tap) {
                       const int yy = y + tap / 3 - 1, xx = x + tap % 3 - 1;
                       if (yy < 0 || xx < 0 || yy >= edge || xx >= edge) continue;
                       const std::size_t at = static_cast<std::size_t>(tap) * convolution.inputs + i;
                       sum += in[board][i][static_cast<std::size_t>(yy * edge + xx)] *
                              weights[convolution.weights + at * layout.channels + o];
                     }
                   }
                   return sum;
                 });
}

// Norm, shortcut if there is one, ReLU.
void finish(Maps& maps, const Norm& norm, const std::vector<double>& weights, const Maps* shortcut) {
  for (std::size_t c = 0; c < maps.front().size(); ++c) {
    double mean = 0, square = 0, count = 0;
    for (const auto& board : maps) {
      for (const double value : board[c]) mean += value, ++count;
    }
    mean /= count;
    for (const auto& board : maps) {
      for (const double value : board[c]) square += (value - mean) * (value - mean);
    }
    const double deviation = std::sqrt(square / count + kNormEpsilon);
    for (std::size_t board = 0; board < maps.size(); ++board) {
      for (std::size_t s = 0; s < maps[board][c].size(); ++s) {
        double& value = maps[board][c][s];
        value = (value - mean) / deviation * weights[norm.scale + c] + weights[norm.shift + c];
        if (shortcut != nullptr) value += (*shortcut)[board][c][s];
        value = std::max(value, 0.0);
      }
    }
  }
}

Maps trunk(const Layout& layout, const std::vector<double>& weights, std::span<const Example> examples) {
  const nn::Shape& shape = layout.shape;
  const auto input = [&](std::size_t board, std::size_t plane, std::size_t s) {
    return static_cast<double>(examples[board].planes[plane][s / 64] >> s % 64 & 1U);
  };
  Maps x = maps_of(examples.size(), shape.planes, shape.squares(), input);
  x = convolved(x, layout, layout.convolutions[0], weights, shape.planes);
  for (std::size_t board = 0; board < examples.size(); ++board) {
    for (std::size_t c = 0; c < shape.channels; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < shape.scalars; ++i) {
        sum += static_cast<double>(examples[board].scalars[i]) * weights[layout.scalars + i * layout.channels + c];
      }
      for (double& value : x[board][c]) value += sum;
    }
  }
  finish(x, layout.convolutions[0].norm, weights, nullptr);
  for (std::size_t i = 1; i < layout.convolutions.size(); i += 2) {
    Maps h = convolved(x, layout, layout.convolutions[i], weights, shape.channels);
    finish(h, layout.convolutions[i].norm, weights, nullptr);
    h = convolved(h, layout, layout.convolutions[i + 1], weights, shape.channels);
    finish(h, layout.convolutions[i + 1].norm, weights, &x);
    x = std::move(h);
  }
  return x;
}

double head(const Layout& layout, const std::vector<double>& weights, const Map& x, std::size_t plane,
            std::size_t square) {
  double sum = 0;
  for (std::size_t c = 0; c < layout.shape.channels; ++c) {
    sum += x[c][square] * weights[layout.heads + c * layout.heads_width() + plane];
  }
  return sum;
}

std::size_t place(const Layout& layout, std::size_t plane, std::size_t square) {
  return (plane / 16 * layout.shape.squares() + square) * 16 + plane % 16;
}

double move_loss(const Layout& layout, const std::vector<double>& weights, const Map& x, const Example& example) {
  const auto logit = [&](std::size_t label) {
    const std::size_t plane = label / layout.shape.squares(), square = label % layout.shape.squares();
    return head(layout, weights, x, plane, square) + weights[layout.policy_bias + place(layout, plane, square)];
  };
  double sum = 0;
  for (const std::uint16_t label : example.labels) sum += std::exp(logit(label));
  double expected = example.shares.empty() ? logit(example.labels[example.played]) : 0;
  for (std::size_t i = 0; i < example.shares.size(); ++i) expected += example.shares[i] * logit(example.labels[i]);
  return std::log(sum) - expected;
}

double value_loss(const Layout& layout, const std::vector<double>& weights, const Map& v, double target) {
  const nn::Shape& shape = layout.shape;
  double logit = weights[layout.out_bias];
  for (std::size_t o = 0; o < shape.value_hidden; ++o) {
    double sum = weights[layout.hidden_bias + o];
    for (std::size_t plane = 0; plane < shape.value_planes; ++plane) {
      for (std::size_t s = 0; s < shape.squares(); ++s) {
        sum += v[plane][s] * weights[layout.value_hidden + place(layout, plane, s) * layout.hidden + o];
      }
    }
    logit += std::max(sum, 0.0) * weights[layout.value_out + o];
  }
  const double chance = 1 / (1 + std::exp(-logit));
  return -target * std::log(chance) - (1 - target) * std::log(1 - chance);
}

}  // namespace

double slow_loss(const Layout& layout, const std::vector<double>& weights, std::span<const Example> examples,
                 double value_weight) {
  const Maps x = trunk(layout, weights, examples);
  Maps v = maps_of(examples.size(), layout.shape.value_planes, layout.shape.squares(),
                   [&](std::size_t board, std::size_t plane, std::size_t s) {
                     return head(layout, weights, x[board], layout.policy + plane, s);
                   });
  finish(v, layout.value_norm, weights, nullptr);
  double sum = 0;
  for (std::size_t board = 0; board < examples.size(); ++board) {
    sum += move_loss(layout, weights, x[board], examples[board]);
    if (examples[board].value) sum += value_weight * value_loss(layout, weights, v[board], *examples[board].value);
  }
  return sum;
}

}  // namespace fuhyo::learn::policy
