// A classic network while it is trained: weights in floats, which a file holds as integers (export.h).
//
//   x    = clip(row bias + sum of the rows that are on), once for each side, the side to move first   2 x width values
//   h1   = clip(x weights1 + bias1), h2 = clip(h1 weights2 + bias2), y = h2 weights3 + bias3
//
// clip limits to 0..1. 600 y is the value of the position for the side to move (a pawn is 90), and 1 / (1 + exp(-y))
// its chance to win. Weights never leave what the file's integers can hold. One thread at a time, if it changes.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>

#include "engines/learn/setting.h"
#include "engines/learn/train/features.h"
#include "engines/learn/train/floats.h"
#include "engines/learn/train/thread_pool.h"

namespace fuhyo::learn {

constexpr double kValueUnit = 600;  // of y

struct ModelShape {
  std::string features = "K+P";
  std::uint32_t width = 256, hidden1 = 32, hidden2 = 32;
  int fv_scale = 16;  // what the file's output will be divided by
  bool operator==(const ModelShape&) const = default;
};
// Without features.
template <class A>
void fields(A& a, ModelShape& shape) {
  a(shape.width, {"width", "Values of the transformer, one side (256)", 1, 8'192});
  a(shape.hidden1, {"hidden1", "Values of the first hidden layer (32)", 1, 256});
  a(shape.hidden2, {"hidden2", "... and of the second (32)", 1, 256});
  a(shape.fv_scale, {"fv_scale", "What the engine will divide the output by (16)", 1, 128});
}

// What of the shape cannot be trained; empty: it can.
std::string fault_of(const ModelShape& shape);

// What a unit of a float is in the file's integers.
constexpr double kActivation = 127;   // x, h1, h2, rows and their bias
constexpr double kHiddenWeight = 64;  // weights1, weights2; their biases: 127 x 64
constexpr double output_unit(int fv_scale) { return kValueUnit * fv_scale; }  // bias3
constexpr double output_weight(int fv_scale) { return output_unit(fv_scale) / kActivation; }
// Rows and bias so large that no position's sum of 41 of them leaves 16 bits.
constexpr double kLargestRow = 32'767 / 41 / kActivation;

// The arrays of weights; so are those of gradients, and of what an optimiser keeps of them.
enum class Part : std::uint8_t { rows, shared, row_bias, weights1, bias1, weights2, bias2, weights3, bias3 };
constexpr std::size_t kPartCount = 9;

class Tensors {
 public:
  Floats& operator[](Part part) { return parts_[static_cast<std::size_t>(part)]; }
  const Floats& operator[](Part part) const { return parts_[static_cast<std::size_t>(part)]; }
  auto begin() { return parts_.begin(); }
  auto end() { return parts_.end(); }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }
  bool operator==(const Tensors&) const = default;

 private:
  std::array<Floats, kPartCount> parts_;
};

// A layer after the transformer. Matrices lie input by input; inputs and outputs are padded with zeros to kColumns.
struct DenseShape {
  std::size_t inputs, outputs;
  Part weights, bias;
};

class Model {
 public:
  // With random weights: sums of rows and hidden values are about a half, outputs about zero. An error says what
  // of the shape cannot be trained.
  static std::expected<Model, std::string> make(const ModelShape& shape, std::uint64_t seed);

  const ModelShape& shape() const { return shape_; }
  const Features& features() const { return features_; }
  const std::array<DenseShape, 3>& layers() const { return layers_; }

  const Tensors& weights() const { return weights_; }
  // After a change, call refresh() before the model is used again.
  Tensors& weights() { return weights_; }
  void refresh(ThreadPool& pool);

  // Zeros in the sizes of the weights.
  Tensors zeros() const;
  // The largest that a weight of the part may be.
  double limit(Part part) const;

  // One for each input, shared parts included, and one of zeros.
  const float* rows() const { return features_.shares() ? sums_.data() : weights_[Part::rows].data(); }
  // A layer's weights output by output; each output's lie so many floats apart.
  const float* turned(std::size_t layer) const { return turned_[layer].data(); }
  std::size_t turned_stride(std::size_t layer) const { return layers_[layer].inputs + kLine; }
  // What a place's shared row counts in each of its rows: all that are on make it one.
  float place_share() const { return 1.0F / static_cast<float>(features_.active()); }

  // Rows of equal lengths that are multiples of large powers of two would share few sets of the cache.
  static constexpr std::size_t kLine = 16;

 private:
  Model(const ModelShape& shape, const Features& features);
  void draw(std::uint64_t seed);
  void draw_layer(std::size_t layer, std::size_t inputs, std::size_t outputs, std::uint64_t seed);
  void add_shared(std::size_t place);

  ModelShape shape_;
  Features features_;
  std::array<DenseShape, 3> layers_;
  Tensors weights_;
  Floats sums_;
  std::array<Floats, 3> turned_;
};

}  // namespace fuhyo::learn
