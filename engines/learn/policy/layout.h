// The layout of the weights of a network in training: all in one array, for the optimiser. Channels, planes and hidden
// values are padded with zeros to whole chunks. A value; any thread.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <vector>

#include "engines/learn/train/floats.h"
#include "engines/nn/model.h"

namespace fuhyo::learn::policy {

struct Norm {
  std::size_t scale, shift;    // in the weights
  std::size_t mean, variance;  // in the statistics: of the positions seen lately
  std::size_t channels;        // padded
};

struct Layout {
  // The shape must have no fault, and be one that can be learnt.
  explicit Layout(const nn::Shape& shape);
  // An error says what of the shape cannot be trained.
  static std::expected<Layout, std::string> make(const nn::Shape& shape);

  nn::Shape shape;
  std::size_t planes, channels, policy, value, hidden;  // padded

  // Convolutions: [9][inputs][outputs]; the first one is that of the planes, then two a block.
  struct Convolution {
    std::size_t weights, inputs;
    Norm norm;
  };
  std::vector<Convolution> convolutions;
  std::size_t scalars;  // [scalars][channels]
  std::size_t heads;    // [channels][policy + value]
  Norm value_norm;
  std::size_t policy_bias;   // [policy / 16][squares][16]
  std::size_t value_hidden;  // [value / 16][squares][16][hidden]
  std::size_t hidden_bias, value_out, out_bias;

  std::size_t decayed;     // weights before this may shrink: those of layers, not norms and biases
  std::size_t size;        // weights in all, a multiple of 32
  std::size_t statistics;  // numbers of all norms' means and variances
  std::size_t heads_width() const { return policy + value; }
  std::size_t points() const;  // transformed weights of all convolutions
};

// Weights to begin with: the same for the same seed on every machine. The second norm of a block begins with the scale
// 0, so that a block at first gives what it is given.
Floats first_weights(const Layout& layout, std::uint64_t seed);
// Means 0, variances 1.
Floats first_statistics(const Layout& layout);

// The network as engines read it: norms folded into what stands before them, padding left out.
nn::Model folded(const Layout& layout, const Floats& weights, const Floats& statistics);

constexpr double kNormEpsilon = 1e-5;

}  // namespace fuhyo::learn::policy
