// A back end for Othello that likes corners and avoids the squares beside them; every position is even. Its numbers do
// not depend on the batch.
#pragma once

#include <memory>

#include "engines/learn/othello/self_play.h"
#include "engines/nn/backend.h"
#include "engines/othello/othello_game.h"

namespace fuhyo::learn {

class CornerLover final : public nn::Backend {
 public:
  const nn::Shape& shape() const override { return shape_; }
  std::string name() const override { return "corners"; }
  std::uint32_t best_batch() const override { return 1; }
  std::unique_ptr<nn::Backend> for_another_thread() const override { return std::make_unique<CornerLover>(); }
  std::expected<void, std::string> evaluate(const nn::Batch& inputs, nn::Evaluations& out) override {
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
      out.value(i) = 0.5F;
      std::ranges::fill(out.logits(i), 0.F);
      for (const std::size_t corner : {0U, 7U, 56U, 63U}) out.logits(i)[corner] = 5;
      for (const std::size_t beside : {1U, 6U, 8U, 9U, 14U, 15U, 48U, 49U, 54U, 55U, 57U, 62U}) {
        out.logits(i)[beside] = -5;
      }
    }
    return {};
  }

 private:
  nn::Shape shape_ = othello::default_shape();
};

inline std::vector<OthelloRecord> games_of_corner_lovers(std::size_t count) {
  OthelloPlayOptions options;
  options.search.playouts = 2;
  return play_othello(std::make_unique<CornerLover>(), options, 0, count, {}).value();
}

}  // namespace fuhyo::learn
