#include "engines/nn/reference_backend.h"

#include <algorithm>
#include <cmath>

namespace fuhyo::nn {
namespace {

using Values = std::vector<double>;  // maps: [channel][square]

double activated(Activation activation, double x) {
  return activation == Activation::relu ? std::max(x, 0.0) : x / (1 + std::exp(-x));
}

void activate(Activation activation, Values& values) {
  for (double& value : values) value = activated(activation, value);
}

// out += in moved by (dy, dx), times the weight; what comes from beyond the edge is zero.
void add_moved(const double* in, double* out, int edge, int dy, int dx, double weight) {
  for (int y = std::max(0, -dy); y < std::min(edge, edge - dy); ++y) {
    for (int x = std::max(0, -dx); x < std::min(edge, edge - dx); ++x) {
      out[y * edge + x] += weight * in[(y + dy) * edge + x + dx];
    }
  }
}

Values convolve(const Convolution& layer, const Values& in, std::uint32_t edge) {
  const std::size_t squares = std::size_t{edge} * edge;
  Values out(layer.outputs * squares);
  const float* weight = layer.weights.data();
  const int kernel = static_cast<int>(layer.kernel), middle = kernel / 2;
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    double* map = out.data() + o * squares;
    if (!layer.bias.empty()) std::fill_n(map, squares, layer.bias[o]);
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      for (int at = 0; at < kernel * kernel; ++at) {
        add_moved(in.data() + i * squares, map, static_cast<int>(edge), at / kernel - middle, at % kernel - middle,
                  *weight++);
      }
    }
  }
  return out;
}

Values affine(const Dense& layer, const Values& in) {
  Values out(layer.outputs);
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    out[o] = layer.bias.empty() ? 0 : layer.bias[o];
    for (std::size_t i = 0; i < layer.inputs; ++i) out[o] += layer.weights[o * layer.inputs + i] * in[i];
  }
  return out;
}

// The mean of each map, then, if asked for, the maximum of each.
Values pooled(const Values& maps, std::size_t squares, bool maxima) {
  Values out;
  for (std::size_t at = 0; at < maps.size(); at += squares) {
    double sum = 0;
    for (std::size_t s = 0; s < squares; ++s) sum += maps[at + s];
    out.push_back(sum / static_cast<double>(squares));
  }
  for (std::size_t at = 0; maxima && at < maps.size(); at += squares) {
    out.push_back(*std::max_element(maps.data() + at, maps.data() + at + squares));
  }
  return out;
}

class ReferenceBackend final : public Backend {
 public:
  explicit ReferenceBackend(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  const Shape& shape() const override { return model_->shape; }
  std::string name() const override { return "reference"; }
  std::uint32_t best_batch() const override { return 1; }
  std::unique_ptr<Backend> for_another_thread() const override { return reference_backend(model_); }

  std::expected<void, std::string> evaluate(const Batch& inputs, Evaluations& out) override {
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
      Values x = first(inputs.planes(i), inputs.scalars(i));
      for (const Block& block : model_->blocks) x = through(block, std::move(x));
      if (shape().kind == BlockKind::pre_activation) x = prepared(model_->last, std::move(x));
      policy(x, out.logits(i));
      out.value(i) = value(x);
    }
    return {};
  }

 private:
  Values first(std::span<const Plane> planes, std::span<const float> scalars) const {
    const std::size_t squares = shape().squares();
    Values in(planes.size() * squares);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const std::size_t s = i % squares;
      in[i] = static_cast<double>(planes[i / squares][s / 64] >> (s % 64) & 1);
    }
    Values x = convolve(model_->planes, in, shape().edge);
    const Values added = affine(model_->scalars, Values(scalars.begin(), scalars.end()));
    for (std::size_t i = 0; i < x.size() && !scalars.empty(); ++i) x[i] += added[i / squares];
    if (shape().kind != BlockKind::pre_activation) activate(shape().activation, x);
    return x;
  }

  // What layers with activations before them see.
  Values prepared(const Affine& before, Values x) const {
    const std::size_t squares = shape().squares();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] * before.scale[i / squares] + before.shift[i / squares];
    activate(shape().activation, x);
    return x;
  }

  Values through(const Block& block, Values x) const {
    const std::size_t squares = shape().squares();
    const bool before = shape().kind == BlockKind::pre_activation;
    Values h = convolve(block.first, before ? prepared(block.before, x) : x, shape().edge);
    if (shape().kind == BlockKind::global_pool) {
      const Values added = affine(block.pool, pooled(h, squares, true));
      for (std::size_t i = 0; i < h.size(); ++i) h[i] += added[i / squares];
    }
    activate(shape().activation, h);
    Values y = convolve(block.second, h, shape().edge);
    if (shape().kind == BlockKind::squeeze_excite) {
      activate(shape().activation, y);
      Values squeezed = affine(block.squeeze, pooled(y, squares, false));
      activate(shape().activation, squeezed);
      const Values gates = affine(block.excite, squeezed);
      for (std::size_t i = 0; i < y.size(); ++i) y[i] /= 1 + std::exp(-gates[i / squares]);
    }
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += x[i];
    if (!before) activate(shape().activation, y);
    return y;
  }

  void policy(const Values& x, std::span<float> logits) const {
    const Values raw = convolve(model_->policy, x, shape().edge);
    for (std::size_t i = 0; i < raw.size(); ++i) logits[i] = static_cast<float>(raw[i] + model_->policy_bias[i]);
  }

  float value(const Values& x) const {
    Values h = convolve(model_->value, x, shape().edge);
    activate(shape().activation, h);
    h = affine(model_->value_hidden, h);
    activate(shape().activation, h);
    return static_cast<float>(1 / (1 + std::exp(-affine(model_->value_out, h)[0])));
  }

  std::shared_ptr<const Model> model_;
};

}  // namespace

std::unique_ptr<Backend> reference_backend(std::shared_ptr<const Model> model) {
  return std::make_unique<ReferenceBackend>(std::move(model));
}

}  // namespace fuhyo::nn
