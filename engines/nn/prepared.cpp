#include "engines/nn/prepared.h"

#include <algorithm>
#include <array>

#include "engines/nn/winograd_weights.h"

namespace fuhyo::nn {
namespace {

enum class Pass : std::uint8_t {
  count,  // how much memory is needed
  write,  // what stands where
  find,   // where it stands
};

// Hands out places of a block of memory, the same in each pass.
class Arena {
 public:
  Arena(float* memory, Pass pass) : memory_(memory), pass_(pass) {}

  bool writing() const { return pass_ == Pass::write; }
  float* take(std::size_t count) {
    float* const place = pass_ == Pass::count ? nullptr : memory_ + used_;
    used_ += padded(count);
    return place;
  }
  float* copy(const std::vector<float>& values) {
    float* const place = take(values.size());
    if (writing()) std::ranges::copy(values, place);
    return place;
  }
  std::size_t used() const { return used_; }

 private:
  float* memory_;
  Pass pass_;
  std::size_t used_ = 0;
};

// Where the weight between an input and an output of a matrix stands. Blocks hold `points` matrices each.
class Place {
 public:
  Place(const PackedMatrix& matrix, std::size_t width, std::size_t points)
      : inputs_(matrix.in_chunks * kChunk), outputs_(matrix.out_chunks * kChunk), width_(width), points_(points) {}

  std::size_t operator()(std::size_t in, std::size_t out, std::size_t point = 0) const {
    const std::size_t block = out / width_ * width_;
    const std::size_t width = std::min(width_, outputs_ - block);
    return block * inputs_ * points_ + (point * inputs_ + in) * width + out - block;
  }

 private:
  std::size_t inputs_, outputs_, width_, points_;
};

class Packer {
 public:
  Packer(const Model& model, const Kernels& kernels, Pass pass, float* memory)
      : model_(model), width_(kernels.width), arena_(memory, pass) {}

  std::size_t size() const { return arena_.used() * sizeof(float); }

  void pack(PreparedModel& out) {
    out.planes = convolution(model_.planes);
    out.scalars = scalars();
    for (const Block& block : model_.blocks) {
      out.blocks.push_back({.before = affine(block.before),
                            .first = convolution(block.first),
                            .second = convolution(block.second),
                            .squeeze = small(block.squeeze),
                            .excite = small(block.excite),
                            .pool = small(block.pool)});
    }
    out.last = affine(model_.last);
    heads(out);
    out.value_hidden = value_hidden();
    out.value_out = arena_.copy(model_.value_out.weights);
    out.value_out_bias = model_.value_out.bias[0];
  }

 private:
  PackedMatrix matrix(std::size_t in_chunks, std::size_t out_chunks, std::size_t points, float*& weights) {
    PackedMatrix out = {.in_chunks = in_chunks, .out_chunks = out_chunks};
    weights = arena_.take(in_chunks * out_chunks * kChunk * kChunk * points);
    out.weights = weights;
    return out;
  }

  PackedConvolution convolution(const Convolution& layer) {
    float* weights = nullptr;
    PackedConvolution out = matrix(chunks(layer.inputs), chunks(layer.outputs), kPoints, weights);
    out.bias = arena_.copy(layer.bias);
    if (!arena_.writing()) return out;
    const Place place(out, width_, kPoints);
    const float* from = layer.weights.data();
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      for (std::size_t i = 0; i < layer.inputs; ++i, from += 9) {
        const std::array<float, kPoints> points = winograd_weights(from);
        for (std::size_t point = 0; point < kPoints; ++point) weights[place(i, o, point)] = points[point];
      }
    }
    return out;
  }

  const float* scalars() {
    const std::size_t width = padded(model_.shape.channels), count = model_.shape.scalars;
    float* const place = arena_.take(width * count);
    for (std::size_t i = 0; i < model_.scalars.weights.size() && arena_.writing(); ++i) {
      place[i % count * width + i / count] = model_.scalars.weights[i];
    }
    return place;
  }

  PackedAffine affine(const Affine& layer) {
    return {.scale = arena_.copy(layer.scale), .shift = arena_.copy(layer.shift)};
  }

  SmallDense small(const Dense& layer) {
    return {.weights = arena_.copy(layer.weights),
            .bias = arena_.copy(layer.bias),
            .inputs = layer.inputs,
            .outputs = layer.outputs};
  }

  void heads(PreparedModel& out) {
    const Shape& shape = model_.shape;
    float* weights = nullptr;
    out.heads = matrix(chunks(shape.channels), chunks(shape.policy_planes) + chunks(shape.value_planes), 1, weights);
    out.policy_bias = arena_.copy(model_.policy_bias);
    out.value_bias = arena_.copy(model_.value.bias);
    if (!arena_.writing()) return;
    const Place place(out.heads, width_, 1);
    const auto put = [&](const Convolution& layer, std::size_t first) {
      for (std::size_t i = 0; i < layer.weights.size(); ++i) {
        weights[place(i % layer.inputs, first + i / layer.inputs)] = layer.weights[i];
      }
    };
    put(model_.policy, 0);
    put(model_.value, padded(shape.policy_planes));
  }

  PackedMatrix value_hidden() {
    const Dense& layer = model_.value_hidden;
    float* weights = nullptr;
    PackedMatrix out = matrix(chunks(layer.inputs), chunks(layer.outputs), 1, weights);
    out.bias = arena_.copy(layer.bias);
    if (!arena_.writing()) return out;
    const Place place(out, width_, 1);
    for (std::size_t i = 0; i < layer.weights.size(); ++i) {
      weights[place(i % layer.inputs, i / layer.inputs)] = layer.weights[i];
    }
    return out;
  }

  const Model& model_;
  std::size_t width_;
  Arena arena_;
};

}  // namespace

std::shared_ptr<const PreparedModel> PreparedModel::make(const Model& model, const Kernels& kernels, bool share) {
  PreparedModel scratch;
  Packer counter(model, kernels, Pass::count, nullptr);
  counter.pack(scratch);
  auto memory = machine::Memory::allocate(counter.size());
  Packer(model, kernels, Pass::write, reinterpret_cast<float*>(memory->data())).pack(scratch);
  auto prepared = std::make_shared<PreparedModel>();
  prepared->shape = model.shape;
  prepared->kernels = &kernels;
  prepared->memory = std::move(memory);
  if (share) prepared->memory = machine::Memory::share(std::move(prepared->memory));
  // Only read from here on; Pass::find writes nothing.
  auto* const data = const_cast<std::byte*>(prepared->memory->data());
  Packer(model, kernels, Pass::find, reinterpret_cast<float*>(data)).pack(*prepared);
  return prepared;
}

}  // namespace fuhyo::nn
