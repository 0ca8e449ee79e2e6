#include "engines/nn/winograd_weights.h"

namespace fuhyo::nn {
namespace {

// For the points 0, 1, -1, 2 and infinity.
constexpr double kWeightTransform[5][3] = {{1.0 / 2, 0, 0},
                                           {-1.0 / 2, -1.0 / 2, -1.0 / 2},
                                           {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                           {1.0 / 6, 1.0 / 3, 2.0 / 3},
                                           {0, 0, 1}};

}  // namespace

std::array<float, kPoints> winograd_weights(const float* weights) {
  std::array<float, kPoints> out;
  for (std::size_t a = 0; a < 5; ++a) {
    for (std::size_t b = 0; b < 5; ++b) {
      double sum = 0;
      for (std::size_t y = 0; y < 3; ++y) {
        for (std::size_t x = 0; x < 3; ++x) sum += kWeightTransform[a][y] * weights[y * 3 + x] * kWeightTransform[b][x];
      }
      out[a * 5 + b] = static_cast<float>(sum);
    }
  }
  return out;
}

}  // namespace fuhyo::nn
