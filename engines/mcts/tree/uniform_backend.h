// No network at all: every move is as likely as any other, every position is even. For tests, and to measure what a
// search costs beside its network.
#pragma once

#include <memory>

#include "engines/nn/backend.h"

namespace fuhyo::mcts {

// It leaves the logits as they were made, all zeros.
class UniformBackend final : public nn::Backend {
 public:
  explicit UniformBackend(const nn::Shape& shape) : shape_(shape) {}

  const nn::Shape& shape() const override { return shape_; }
  std::string name() const override { return "no network"; }
  std::uint32_t best_batch() const override { return 1; }
  std::unique_ptr<nn::Backend> for_another_thread() const override { return std::make_unique<UniformBackend>(shape_); }
  std::expected<void, std::string> evaluate(const nn::Batch& inputs, nn::Evaluations& out) override {
    for (std::uint32_t i = 0; i < inputs.size(); ++i) out.value(i) = 0.5F;
    return {};
  }

 private:
  nn::Shape shape_;
};

}  // namespace fuhyo::mcts
