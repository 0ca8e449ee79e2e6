// Networks with random weights, and what they say of a position, computed in the slowest and plainest way from the
// description of the formats: nothing here is shared with the engine but the position.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/shogi/position.h"

namespace fuhyo::nnue::naive {

struct Shape {
  std::string features;  // "HalfKP", "K+P", ...
  int width = 64, hidden1 = 8, hidden2 = 32;
  bool sfnn = false;
  std::string stacks{};  // "k3k3"; empty: one
};

// How large the weights are.
enum class Size : std::uint8_t {
  tiny,     // -1, 0, 1
  trained,  // activations everywhere between 0 and their limit
  extreme,  // sums that leave 16 bits
};

class NaiveNetwork {
 public:
  NaiveNetwork(Shape shape, Size size, std::uint64_t seed);

  const Shape& shape() const { return shape_; }
  // The file. SFNN: with compressed blocks, or plain ones.
  std::string file(bool compressed = true) const;
  std::string text() const;
  std::int32_t evaluate(const shogi::Position& position) const;
  // How many of the first layer's inputs were at their limit or at 0 in what was evaluated last, and how many sums
  // left 16 bits.
  mutable int at_limit = 0, at_zero = 0, wrapped = 0;

 private:
  struct Layer {
    int inputs, outputs;
    std::vector<std::int32_t> bias;
    std::vector<std::int8_t> weights;  // [outputs][inputs padded to 32]
  };
  Layer random_layer(int inputs, int outputs);
  std::int64_t random(std::int64_t most);
  std::int64_t transformer_weight();
  std::vector<int> sums(const shogi::Position& position, shogi::Color side) const;
  std::vector<int> first_inputs(const shogi::Position& position) const;
  static std::vector<std::int64_t> apply(const Layer& layer, const std::vector<int>& in);

  Shape shape_;
  Size size_;
  std::uint64_t state_;
  std::int64_t inputs_ = 0;
  std::vector<std::int16_t> biases_, weights_;
  std::vector<std::vector<Layer>> stacks_;
};

}  // namespace fuhyo::nnue::naive
