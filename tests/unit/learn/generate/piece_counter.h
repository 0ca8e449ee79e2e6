// A policy network of a few lines: counts pieces for the value, and likes moves by a hash of the board. Its numbers do
// not depend on the batch.
#pragma once

#include <memory>
#include <string>

#include "engines/learn/policy/shogi_sample_source.h"
#include "engines/nn/backend.h"

namespace fuhyo::learn {

class PieceCounter final : public nn::Backend {
 public:
  explicit PieceCounter(float bias = 0) : bias_(bias) {}
  const nn::Shape& shape() const override { return shape_; }
  std::string name() const override { return "pieces"; }
  std::uint32_t best_batch() const override { return 1; }
  std::unique_ptr<nn::Backend> for_another_thread() const override { return std::make_unique<PieceCounter>(bias_); }
  std::expected<void, std::string> evaluate(const nn::Batch& inputs, nn::Evaluations& out) override;

 private:
  float bias_;
  nn::Shape shape_ = policy::default_shape();
};

}  // namespace fuhyo::learn
