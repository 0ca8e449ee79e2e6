#include "engines/nn/random_model.h"

#include <cmath>
#include <random>

namespace fuhyo::nn {
namespace {

// The distributions of the standard library differ between libraries; these bits do not.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : engine_(seed) {}
  // In [-1, 1), of variance 1/3.
  double operator()() { return static_cast<double>(engine_() >> 11) * 0x1p-52 - 1; }

 private:
  std::mt19937_64 engine_;
};

void fill(Uniform& uniform, std::vector<float>& values, double deviation) {
  for (float& value : values) value = static_cast<float>(uniform() * std::sqrt(3.0) * deviation);
}

template <class Layer>
void fill(Uniform& uniform, Layer& layer, double gain) {
  if (layer.outputs == 0 || layer.weights.empty()) return;
  const auto fan_in = static_cast<double>(layer.weights.size() / layer.outputs);
  fill(uniform, layer.weights, gain * std::sqrt(2 / fan_in));
  fill(uniform, layer.bias, 0.1);
}

// Factors are about 1.
void fill(Uniform& uniform, Affine& layer) {
  fill(uniform, layer.scale, 0.2);
  for (float& scale : layer.scale) scale += 1;
  fill(uniform, layer.shift, 0.2);
}

}  // namespace

Model random_model(const Shape& shape, std::uint64_t seed) {
  Uniform uniform(seed);
  Model model = Model::zeros(shape);
  fill(uniform, model.planes, 2);  // few inputs are set
  fill(uniform, model.scalars, 1);
  for (Block& block : model.blocks) {
    fill(uniform, block.before);
    fill(uniform, block.first, 1);
    fill(uniform, block.second, 0.5);
    fill(uniform, block.squeeze, 1);
    fill(uniform, block.excite, 1);
    fill(uniform, block.pool, 0.5);
  }
  fill(uniform, model.last);
  fill(uniform, model.policy, 1);
  fill(uniform, model.policy_bias, 0.1);
  fill(uniform, model.value, 1);
  fill(uniform, model.value_hidden, 1);
  fill(uniform, model.value_out, 1);
  return model;
}

}  // namespace fuhyo::nn
