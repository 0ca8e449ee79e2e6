#include "engines/nn/cuda/network.h"

#include <algorithm>

#include "engines/nn/kernels.h"
#include "engines/nn/winograd_weights.h"

namespace fuhyo::nn::cuda {
namespace {

constexpr unsigned kPartDepth = 256;  // inputs of a part of a dense layer

constexpr unsigned whole(unsigned count, unsigned of) { return (count + of - 1) / of * of; }
constexpr unsigned blocks(unsigned count, unsigned of) { return (count + of - 1) / of; }

unsigned head_planes(const Shape& shape) { return shape.policy_planes + shape.value_planes; }

// ---- weights --------------------------------------------------------------------------------------------------------

// Collects weights; pointers are places in what is collected until the whole is on the device.
class Packer {
 public:
  explicit Packer(const Model& model) : model_(model) {}

  std::vector<float> pack(Weights& out) {
    out.shape = model_.shape;
    out.planes = convolution(model_.planes);
    if (model_.shape.scalars > 0) out.scalars = matrix({&model_.scalars});
    for (const nn::Block& block : model_.blocks) {
      Weights::Block packed = {.first = convolution(block.first), .second = convolution(block.second)};
      if (model_.shape.kind == BlockKind::squeeze_excite) {
        packed.squeeze = dense(block.squeeze);
        packed.excite = dense(block.excite);
      }
      if (model_.shape.kind == BlockKind::global_pool) packed.pool = dense(block.pool);
      packed.before = norm(block.before);
      out.blocks.push_back(packed);
    }
    out.last = norm(model_.last);
    const Dense policy = pointwise(model_.policy), value = pointwise(model_.value);
    out.heads = matrix({&policy, &value});
    out.policy_bias = copy(model_.policy_bias);
    out.value_bias = copy(model_.value.bias);
    out.value_hidden = dense(model_.value_hidden);
    out.value_out = dense(model_.value_out);
    return std::move(floats_);
  }

 private:
  // Zeros, which begin where any device reads quickly.
  std::size_t take(std::size_t count) {
    const std::size_t place = floats_.size();
    floats_.resize(place + (count + 63) / 64 * 64);
    return place;
  }
  // The first float is no address; these are numbers until rebase().
  static const float* pointer(std::size_t place) { return reinterpret_cast<const float*>(place * sizeof(float)); }

  const float* copy(const std::vector<float>& values) {
    const std::size_t place = take(values.size());
    std::ranges::copy(values, floats_.begin() + static_cast<std::ptrdiff_t>(place));
    return pointer(place);
  }

  Weights::Norm norm(const Affine& layer) { return {.scale = copy(layer.scale), .shift = copy(layer.shift)}; }

  Layer convolution(const Convolution& layer) {
    Layer out;
    out.matrix = {.rows = layer.outputs,
                  .pitch = whole(layer.outputs, Multiply::kRows),
                  .depth = whole(layer.inputs, Multiply::kDepth)};
    const std::size_t point_stride = std::size_t{out.matrix.depth} * out.matrix.pitch;
    const std::size_t place = take(kPoints * point_stride);
    const float* from = layer.weights.data();
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      for (std::size_t i = 0; i < layer.inputs; ++i, from += 9) {
        const auto points = winograd_weights(from);
        for (std::size_t point = 0; point < kPoints; ++point) {
          floats_[place + point * point_stride + i * out.matrix.pitch + o] = points[point];
        }
      }
    }
    out.matrix.weights = pointer(place);
    out.bias = copy(layer.bias);
    return out;
  }

  static Dense pointwise(const Convolution& layer) {
    return {.inputs = layer.inputs, .outputs = layer.outputs, .weights = layer.weights, .bias = {}};
  }

  // Layers of the same inputs, one below the other.
  Matrix matrix(const std::vector<const Dense*>& layers, unsigned part = 0) {
    Matrix out;
    for (const Dense* layer : layers) out.rows += layer->outputs;
    const unsigned inputs = layers.front()->inputs;
    out.pitch = whole(out.rows, Multiply::kRows);
    out.parts = part == 0 ? 1 : blocks(inputs, part);
    out.depth = whole(blocks(inputs, out.parts), Multiply::kDepth);
    const std::size_t place = take(std::size_t{out.parts} * out.depth * out.pitch);
    std::size_t row = 0;
    for (const Dense* layer : layers) {
      for (std::size_t i = 0; i < layer->weights.size(); ++i) {
        floats_[place + i % inputs * out.pitch + row + i / inputs] = layer->weights[i];
      }
      row += layer->outputs;
    }
    out.weights = pointer(place);
    return out;
  }

  Layer dense(const Dense& layer) { return {.matrix = matrix({&layer}, kPartDepth), .bias = copy(layer.bias)}; }

  const Model& model_;
  std::vector<float> floats_;
};

// From places to addresses.
void rebase(Weights& weights, const float* base) {
  const auto move = [base](const float*& pointer) {
    pointer = base + reinterpret_cast<std::uintptr_t>(pointer) / sizeof(float);
  };
  const auto layer = [&](Layer& one) {
    move(one.matrix.weights);
    move(one.bias);
  };
  const auto norm = [&](Weights::Norm& one) {
    move(one.scale);
    move(one.shift);
  };
  layer(weights.planes);
  move(weights.scalars.weights);
  for (Weights::Block& block : weights.blocks) {
    for (Layer* one : {&block.first, &block.second, &block.squeeze, &block.excite, &block.pool}) layer(*one);
    norm(block.before);
  }
  norm(weights.last);
  move(weights.heads.weights);
  move(weights.policy_bias);
  move(weights.value_bias);
  layer(weights.value_hidden);
  layer(weights.value_out);
}

}  // namespace

std::expected<std::shared_ptr<const Weights>, std::string> Weights::make(const Model& model,
                                                                         std::shared_ptr<Device> device) {
  auto weights = std::make_shared<Weights>();
  const std::vector<float> floats = Packer(model).pack(*weights);
  std::string error;
  weights->memory = device->allocate(floats.size() * sizeof(float), Where::device, error);
  if (weights->memory == nullptr) return std::unexpected(error);
  error = device->upload(*weights->memory, floats.data(), floats.size() * sizeof(float));
  if (!error.empty()) return std::unexpected(error);
  rebase(*weights, weights->memory->as<float>());
  weights->device = std::move(device);
  return weights;
}

// ---- memory of a batch ----------------------------------------------------------------------------------------------

Network::Network(std::shared_ptr<const Weights> weights, unsigned capacity)
    : weights_(std::move(weights)), capacity_(capacity) {
  const Boards boards = {.count = capacity, .edge = weights_->shape.edge};
  board_pitch_ = whole(capacity, Multiply::kColumns);
  map_pitch_ = whole(capacity * boards.squares(), Multiply::kColumns);
  tile_pitch_ = whole(capacity * boards.tiles(), Multiply::kColumns);
}

std::expected<std::unique_ptr<Network>, std::string> Network::make(std::shared_ptr<const Weights> weights,
                                                                   unsigned capacity) {
  std::unique_ptr<Network> network(new Network(std::move(weights), capacity));
  if (auto error = network->allocate(); !error.empty()) return std::unexpected(error);
  return network;
}

std::string Network::allocate() {
  const Shape& shape = weights_->shape;
  std::string error;
  const auto take = [&](std::unique_ptr<Memory>& memory, std::size_t bytes, Where where = Where::device) {
    if (error.empty()) memory = weights_->device->allocate(std::max<std::size_t>(bytes, 4), where, error);
  };
  const auto floats = [&](std::unique_ptr<Memory>& memory, std::size_t rows, std::size_t pitch) {
    take(memory, rows * pitch * sizeof(float));
  };
  const auto both = [&](Both& memory, std::size_t bytes) {
    take(memory.host, bytes, Where::host);
    take(memory.device, bytes);
  };
  // Rows that are read as inputs of products are padded, and the padding is never written: it stays zero.
  const auto rows = [](unsigned count) { return whole(count, Multiply::kDepth); };
  const unsigned widest = std::max(shape.channels, shape.planes);
  both(planes_in_, std::size_t{capacity_} * shape.planes * 2 * sizeof(std::uint64_t));
  both(scalars_in_, std::size_t{rows(shape.scalars)} * board_pitch_ * sizeof(float));
  both(logits_, std::size_t{capacity_} * shape.policy_size() * sizeof(float));
  both(values_, board_pitch_ * sizeof(float));
  floats(x_, rows(shape.channels), map_pitch_);
  floats(h_, rows(shape.channels), map_pitch_);
  floats(factors_, kPoints * std::size_t{rows(widest)}, tile_pitch_);
  floats(sums_, kPoints * std::size_t{shape.channels}, tile_pitch_);
  floats(board_bias_, shape.channels, board_pitch_);
  floats(head_maps_, head_planes(shape), map_pitch_);
  const auto inputs = [](const Layer& layer) { return std::size_t{layer.matrix.parts} * layer.matrix.depth; };
  const auto results = [](const Layer& layer) { return std::size_t{layer.matrix.parts} * layer.matrix.rows; };
  floats(value_in_, inputs(weights_->value_hidden), board_pitch_);
  floats(value_hidden_, inputs(weights_->value_out), board_pitch_);
  std::size_t parts = std::max(results(weights_->value_hidden), results(weights_->value_out));
  if (!weights_->blocks.empty()) {
    const Weights::Block& block = weights_->blocks.front();
    floats(pooled_, std::max(inputs(block.squeeze), inputs(block.pool)), board_pitch_);
    floats(squeezed_, inputs(block.excite), board_pitch_);
    floats(gates_, shape.channels, board_pitch_);
    for (const Layer* layer : {&block.squeeze, &block.excite, &block.pool}) parts = std::max(parts, results(*layer));
  }
  floats(parts_, parts, board_pitch_);
  return error;
}

// ---- the way through ------------------------------------------------------------------------------------------------

class Network::Writer {
 public:
  Writer(const Network& network, unsigned boards)
      : network_(network),
        weights_(network.weights()),
        shape_(weights_.shape),
        boards_{.count = boards, .edge = shape_.edge},
        before_(shape_.kind == BlockKind::pre_activation),
        act_(after(shape_.activation)) {}

  std::vector<Step> write() {
    inputs();
    for (const Weights::Block& block : weights_.blocks) through(block);
    if (before_) normalize(weights_.last, *network_.x_, *network_.x_);
    heads();
    return std::move(steps_);
  }

 private:
  template <class Kernel>
  void launch(Grid grid, const typename Kernel::Args& args) {
    steps_.emplace_back(Launch<Kernel>{.grid = grid, .args = args});
  }
  // A thread for each column, along x; a row along y.
  template <class Kernel>
  void launch_rows(unsigned columns, unsigned rows, const typename Kernel::Args& args) {
    launch<Kernel>({.x = blocks(columns, Kernel::kThreads), .y = rows}, args);
  }
  void copy(const Both& memory, std::size_t bytes, bool to_device) {
    void* const host = memory.host->as<void>();
    void* const device = memory.device->as<void>();
    steps_.emplace_back(Copy{
        .to = to_device ? device : host, .from = to_device ? host : device, .bytes = bytes, .to_device = to_device});
  }

  unsigned squares() const { return boards_.count * boards_.squares(); }
  unsigned tiles() const { return boards_.count * boards_.tiles(); }

  // `pairs` products of the same layout, or the parts of one.
  void multiply(const Matrix& matrix, unsigned pairs, const float* in, unsigned pitch, unsigned columns, float* out) {
    launch<Multiply>({.x = blocks(columns, Multiply::kColumns), .y = blocks(matrix.rows, Multiply::kRows), .z = pairs},
                     {.a = matrix.weights,
                      .b = in,
                      .c = out,
                      .a_stride = std::size_t{matrix.depth} * matrix.pitch,
                      .b_stride = std::size_t{matrix.depth} * pitch,
                      .c_stride = std::size_t{matrix.rows} * pitch,
                      .rows = matrix.rows,
                      .depth = matrix.depth,
                      .a_pitch = matrix.pitch,
                      .b_pitch = pitch,
                      .c_pitch = pitch});
  }

  void dense(const Layer& layer, const Memory& in, const Memory& out, After what) {
    const Matrix& matrix = layer.matrix;
    multiply(matrix, matrix.parts, in.as<float>(), network_.board_pitch_, boards_.count, network_.parts_->as<float>());
    launch_rows<Sum>(boards_.count, matrix.rows,
                     {.parts = network_.parts_->as<float>(),
                      .count = matrix.parts,
                      .stride = std::size_t{matrix.rows} * network_.board_pitch_,
                      .bias = layer.bias,
                      .out = out.as<float>(),
                      .columns = boards_.count,
                      .pitch = network_.board_pitch_,
                      .after = what});
  }

  // The products of a convolution whose inputs have been transformed, and what becomes of them.
  void products(const Layer& layer, const float* board_bias, const Memory* shortcut, const Memory& out, After what) {
    multiply(layer.matrix, kPoints, network_.factors_->as<float>(), network_.tile_pitch_, tiles(),
             network_.sums_->as<float>());
    launch_rows<TilesOut>(tiles(), shape_.channels,
                          {.sums = network_.sums_->as<float>(),
                           .point_stride = std::size_t{shape_.channels} * network_.tile_pitch_,
                           .pitch = network_.tile_pitch_,
                           .boards = boards_,
                           .bias = layer.bias,
                           .board_bias = board_bias,
                           .board_pitch = network_.board_pitch_,
                           .shortcut = shortcut == nullptr ? nullptr : shortcut->as<float>(),
                           .out = out.as<float>(),
                           .map_pitch = network_.map_pitch_,
                           .after = what});
  }

  template <class Maps>
  void factors(const Maps& from, const Layer& layer, unsigned channels) {
    launch_rows<TilesIn<Maps>>(tiles(), channels,
                               {.from = from,
                                .boards = boards_,
                                .out = network_.factors_->as<float>(),
                                .point_stride = std::size_t{layer.matrix.depth} * network_.tile_pitch_,
                                .pitch = network_.tile_pitch_});
  }

  void convolve(const Layer& layer, const Memory& in, const Memory* shortcut, const Memory& out, After what) {
    factors(FloatMaps{.maps = in.as<float>(), .pitch = network_.map_pitch_}, layer, shape_.channels);
    products(layer, nullptr, shortcut, out, what);
  }

  void inputs() {
    copy(network_.planes_in_, std::size_t{boards_.count} * shape_.planes * 2 * sizeof(std::uint64_t), true);
    const float* board_bias = nullptr;
    if (shape_.scalars > 0) {
      copy(network_.scalars_in_, std::size_t{shape_.scalars} * network_.board_pitch_ * sizeof(float), true);
      multiply(weights_.scalars, 1, network_.scalars_in_.device->as<float>(), network_.board_pitch_, boards_.count,
               network_.board_bias_->as<float>());
      board_bias = network_.board_bias_->as<float>();
    }
    factors(BitMaps{.words = network_.planes_in_.device->as<std::uint64_t>(), .channels = shape_.planes},
            weights_.planes, shape_.planes);
    products(weights_.planes, board_bias, nullptr, *network_.x_, before_ ? After::nothing : act_);
  }

  void through(const Weights::Block& block) {
    const Memory &x = *network_.x_, &h = *network_.h_;
    switch (shape_.kind) {
      case BlockKind::plain:
        convolve(block.first, x, nullptr, h, act_);
        convolve(block.second, h, &x, x, act_);
        break;
      case BlockKind::squeeze_excite:
        convolve(block.first, x, nullptr, h, act_);
        convolve(block.second, h, nullptr, h, act_);
        pool(h, false);
        dense(block.squeeze, *network_.pooled_, *network_.squeezed_, act_);
        dense(block.excite, *network_.squeezed_, *network_.gates_, After::sigmoid);
        rescale({.in = h.as<float>(),
                 .out = x.as<float>(),
                 .scale = network_.gates_->as<float>(),
                 .of_channel = network_.board_pitch_,
                 .of_board = 1,
                 .shortcut = x.as<float>()});
        break;
      case BlockKind::global_pool:
        convolve(block.first, x, nullptr, h, After::nothing);
        pool(h, true);
        dense(block.pool, *network_.pooled_, *network_.gates_, After::nothing);
        rescale({.in = h.as<float>(),
                 .out = h.as<float>(),
                 .shift = network_.gates_->as<float>(),
                 .of_channel = network_.board_pitch_,
                 .of_board = 1});
        convolve(block.second, h, &x, x, act_);
        break;
      case BlockKind::pre_activation:
        normalize(block.before, x, h);
        convolve(block.first, h, nullptr, h, act_);
        convolve(block.second, h, &x, x, After::nothing);
        break;
    }
  }

  void pool(const Memory& maps, bool maxima) {
    float* const means = network_.pooled_->as<float>();
    launch<Pool>({.x = blocks(boards_.count, Pool::kMaps), .y = shape_.channels},
                 {.maps = maps.as<float>(),
                  .map_pitch = network_.map_pitch_,
                  .boards = boards_,
                  .means = means,
                  .maxima = maxima ? means + std::size_t{shape_.channels} * network_.board_pitch_ : nullptr,
                  .pitch = network_.board_pitch_});
  }

  // act(...) over all maps; what is the same for every use is filled in here.
  void rescale(Rescale::Args args) {
    args.map_pitch = network_.map_pitch_;
    args.boards = boards_;
    args.after = act_;
    launch_rows<Rescale>(squares(), shape_.channels, args);
  }

  void normalize(const Weights::Norm& norm, const Memory& in, const Memory& out) {
    rescale({.in = in.as<float>(),
             .out = out.as<float>(),
             .scale = norm.scale,
             .shift = norm.shift,
             .of_channel = 1,
             .of_board = 0});
  }

  void heads() {
    multiply(weights_.heads, 1, network_.x_->as<float>(), network_.map_pitch_, squares(),
             network_.head_maps_->as<float>());
    launch_rows<Heads>(squares(), head_planes(shape_),
                       {.maps = network_.head_maps_->as<float>(),
                        .map_pitch = network_.map_pitch_,
                        .boards = boards_,
                        .policy_planes = shape_.policy_planes,
                        .policy_bias = weights_.policy_bias,
                        .value_bias = weights_.value_bias,
                        .logits = network_.logits_.device->as<float>(),
                        .values = network_.value_in_->as<float>(),
                        .pitch = network_.board_pitch_,
                        .after = act_});
    dense(weights_.value_hidden, *network_.value_in_, *network_.value_hidden_, act_);
    dense(weights_.value_out, *network_.value_hidden_, *network_.values_.device, After::sigmoid);
    copy(network_.logits_, std::size_t{boards_.count} * shape_.policy_size() * sizeof(float), false);
    copy(network_.values_, boards_.count * sizeof(float), false);
  }

  const Network& network_;
  const Weights& weights_;
  const Shape& shape_;
  Boards boards_;
  bool before_;  // activations come before layers
  After act_;
  std::vector<Step> steps_;
};

std::vector<Step> Network::steps(unsigned boards) const { return Writer(*this, boards).write(); }

}  // namespace fuhyo::nn::cuda
