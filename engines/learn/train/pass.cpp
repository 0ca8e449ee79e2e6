// Positions are dealt out in parts of kPart; a part adds up its gradients of dense layers, and these are added in the
// order of parts. The rows' gradients are dealt out by columns, each of which adds positions in their order. So every
// sum is the same whoever computes it.
#include "engines/learn/train/pass.h"

#include <algorithm>
#include <cmath>

namespace fuhyo::learn {
namespace {

constexpr std::size_t kPart = 1024;
constexpr std::size_t kBlock = 256;  // positions whose values stay in the second cache; comparisons lie within one
static_assert(kBlock % kMostChoices == 0 && kPart % kBlock == 0);

std::size_t parts_of(std::size_t count) { return (count + kPart - 1) / kPart; }

float sigmoid(float y) { return 1 / (1 + std::exp(-y)); }

}  // namespace

double cross_entropy(double y, double target) {
  return std::max(y, 0.0) + std::log1p(std::exp(-std::abs(y))) - target * y;
}

double comparison_loss(std::span<const float> y, float certainty, std::span<float> change) {
  const float least = *std::ranges::min_element(y);
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    change[i] = std::exp(certainty * (least - y[i]));
    sum += double{change[i]};
  }
  for (float& each : change) each *= -certainty / static_cast<float>(sum);
  change[0] += certainty;
  return std::log(sum) + double{certainty * (y[0] - least)};
}

Pass::Pass(const Model& model, const FloatKernels& kernels, ThreadPool& pool)
    : model_(model), kernels_(kernels), pool_(pool), scratch_(pool.size()) {
  for (Scratch& scratch : scratch_) {
    for (std::size_t layer = 0; layer < 4; ++layer) {
      scratch.values[layer].resize(kBlock * value_stride(layer));
      if (layer > 0) scratch.changes[layer].resize(kBlock * value_stride(layer));
    }
  }
  for (const DenseShape& layer : model_.layers()) dense_size_ += (layer.inputs + 1) * layer.outputs;
}

std::size_t Pass::value_stride(std::size_t layer) const {
  return layer == 0 ? model_.layers()[0].inputs + Model::kLine : model_.layers()[layer - 1].outputs;
}

void Pass::forward(const Batch& batch, std::size_t from, std::size_t count, Scratch& scratch) const {
  const std::size_t active = model_.features().active(), width = model_.shape().width;
  const Tensors& weights = model_.weights();
  const float* bias = weights[Part::row_bias].data();
  float* x = scratch.values[0].data();
  kernels_.sum_rows({batch.own.data() + from * active, active, count, width}, bias, model_.rows(), x, value_stride(0));
  kernels_.sum_rows({batch.other.data() + from * active, active, count, width}, bias, model_.rows(), x + width,
                    value_stride(0));
  for (std::size_t i = 0; i < 3; ++i) {
    const DenseShape& layer = model_.layers()[i];
    float* out = scratch.values[i + 1].data();
    for (std::size_t p = 0; p < count; ++p) std::ranges::copy(weights[layer.bias], out + p * layer.outputs);
    kernels_.multiply({scratch.values[i].data(), value_stride(i), 1}, weights[layer.weights].data(), layer.outputs, out,
                      layer.outputs, count, layer.inputs, layer.outputs);
    if (i < 2) kernels_.clip(out, count * layer.outputs);
  }
}

Losses Pass::losses(const Batch& batch, std::size_t from, std::size_t count, Scratch& scratch) const {
  Losses losses;
  float* last = scratch.changes[3].data();
  std::fill_n(last, count * kColumns, 0.0F);
  const std::size_t scored = std::min(from + count, batch.scored()) - std::min(from, batch.scored());
  for (std::size_t p = 0; p < scored; ++p) {
    const float y = scratch.values[3][p * kColumns], target = batch.target[from + p];
    losses.positions += cross_entropy(double{y}, double{target});
    last[p * kColumns] = (sigmoid(y) - target) / static_cast<float>(batch.scored());
  }
  std::array<float, kBlock> y{}, change{};
  for (std::size_t p = scored; p < count; p += batch.choices) {
    for (std::size_t i = 0; i < batch.choices; ++i) y[i] = scratch.values[3][(p + i) * kColumns];
    losses.comparisons +=
        comparison_loss(std::span(y).first(batch.choices), batch.certainty, std::span(change).first(batch.choices));
    for (std::size_t i = 0; i < batch.choices; ++i) {
      last[(p + i) * kColumns] = change[i] * batch.weight / static_cast<float>(batch.comparisons);
    }
  }
  return losses;
}

void Pass::backward(std::size_t from, std::size_t count, Scratch& scratch, float* sums) {
  float* layer_sums = sums + dense_size_;
  for (std::size_t i = 3; i-- > 0;) {
    const DenseShape& layer = model_.layers()[i];
    const float* change = scratch.changes[i + 1].data();
    layer_sums -= (layer.inputs + 1) * layer.outputs;
    kernels_.multiply({scratch.values[i].data(), 1, value_stride(i)}, change, layer.outputs, layer_sums, layer.outputs,
                      layer.inputs, count, layer.outputs);
    float* bias = layer_sums + layer.inputs * layer.outputs;
    for (std::size_t p = 0; p < count; ++p) {
      for (std::size_t o = 0; o < layer.outputs; ++o) bias[o] += change[p * layer.outputs + o];
    }
    float* before = i == 0 ? input_changes_.data() + from * value_stride(0) : scratch.changes[i].data();
    std::fill_n(before, count * value_stride(i), 0.0F);
    kernels_.multiply({change, layer.outputs, 1}, model_.turned(i), model_.turned_stride(i), before, value_stride(i),
                      count, layer.outputs, layer.inputs);
    kernels_.through_clip(scratch.values[i].data(), before, count * value_stride(i));
  }
}

void Pass::learn_part(const Batch& batch, std::size_t part, Scratch& scratch) {
  Floats& sums = part_sums_[part];
  std::ranges::fill(sums, 0.0F);
  part_loss_[part] = {};
  const std::size_t end = std::min(batch.size(), (part + 1) * kPart);
  for (std::size_t from = part * kPart; from < end; from += kBlock) {
    const std::size_t count = std::min(kBlock, end - from);
    forward(batch, from, count, scratch);
    const Losses block = losses(batch, from, count, scratch);
    part_loss_[part].positions += block.positions;
    part_loss_[part].comparisons += block.comparisons;
    backward(from, count, scratch, sums.data());
  }
}

Losses Pass::learn(const Batch& batch, Tensors& gradient) {
  const std::size_t parts = parts_of(batch.size());
  if (part_sums_.size() < parts) part_sums_.resize(parts, Floats(dense_size_));
  part_loss_.resize(std::max(part_loss_.size(), parts));
  if (input_changes_.size() < batch.size() * value_stride(0)) input_changes_.resize(batch.size() * value_stride(0));
  pool_.run(parts, [&](std::size_t part, std::size_t worker) { learn_part(batch, part, scratch_[worker]); });
  gather(batch, parts, gradient);
  Losses mean;
  for (std::size_t part = 0; part < parts; ++part) {
    mean.positions += part_loss_[part].positions / static_cast<double>(std::max<std::size_t>(batch.scored(), 1));
    mean.comparisons += part_loss_[part].comparisons / static_cast<double>(std::max<std::size_t>(batch.comparisons, 1));
  }
  return mean;
}

void Pass::gather(const Batch& batch, std::size_t parts, Tensors& gradient) const {
  std::size_t at = 0;
  for (const DenseShape& layer : model_.layers()) {
    for (const Part name : {layer.weights, layer.bias}) {
      Floats& sum = gradient[name];
      std::copy_n(part_sums_[0].data() + at, sum.size(), sum.data());
      for (std::size_t part = 1; part < parts; ++part) {
        const float* more = part_sums_[part].data() + at;
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
      }
      at += sum.size();
    }
  }
  for (const Part part : {Part::rows, Part::shared, Part::row_bias}) std::ranges::fill(gradient[part], 0.0F);
  const std::size_t width = model_.shape().width;
  const std::size_t columns = pool_.size() == 1 ? 2 * kColumns : kColumns;
  pool_.run(width / columns, [&](std::size_t tile, std::size_t /*worker*/) {
    gather_rows(batch, tile * columns, (tile + 1) * columns, gradient);
    if (model_.features().shares()) gather_shared(tile * columns, (tile + 1) * columns, gradient);
  });
  // What stands for nothing learns nothing.
  std::fill_n(gradient[Part::rows].data() + model_.features().nothing() * width, width, 0.0F);
}

void Pass::gather_rows(const Batch& batch, std::size_t from, std::size_t to, Tensors& gradient) const {
  const std::size_t active = model_.features().active(), width = model_.shape().width;
  float* rows = gradient[Part::rows].data();
  float* bias = gradient[Part::row_bias].data();
  const float* changes = input_changes_.data();
  kernels_.add_rows({batch.own.data(), active, batch.size(), width}, changes, value_stride(0), from, to, rows, bias);
  kernels_.add_rows({batch.other.data(), active, batch.size(), width}, changes + width, value_stride(0), from, to, rows,
                    bias);
}

void Pass::gather_shared(std::size_t from, std::size_t to, Tensors& gradient) const {
  const std::size_t width = model_.shape().width, pieces = model_.features().shared_pieces();
  float* shared = gradient[Part::shared].data();
  const float share = model_.place_share();
  for (std::size_t place = 0; place < model_.features().shared_places(); ++place) {
    float* of_place = shared + (pieces + place) * width;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const float* row = gradient[Part::rows].data() + (place * pieces + piece) * width;
      for (std::size_t i = from; i < to; ++i) {
        shared[piece * width + i] += row[i];
        of_place[i] += row[i] * share;
      }
    }
  }
}

void Pass::evaluate(const Batch& batch, std::span<float> y) {
  pool_.run(parts_of(batch.size()), [&](std::size_t part, std::size_t worker) {
    Scratch& scratch = scratch_[worker];
    const std::size_t end = std::min(batch.size(), (part + 1) * kPart);
    for (std::size_t from = part * kPart; from < end; from += kBlock) {
      const std::size_t count = std::min(kBlock, end - from);
      forward(batch, from, count, scratch);
      for (std::size_t p = 0; p < count; ++p) y[from + p] = scratch.values[3][p * kColumns];
    }
  });
}

}  // namespace fuhyo::learn
