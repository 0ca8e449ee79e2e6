#include "engines/nn/cpu_backend.h"

#include <algorithm>
#include <cmath>

#include "engines/nn/prepared.h"

namespace fuhyo::nn {
namespace {

// Boards that go through the network together. More would reuse weights more often, but their tiles no longer fit into
// a core's own cache.
constexpr std::size_t kMostBoards = 8;

// Floats in memory of their own, zeros at first, aligned for any vector.
class Buffer {
 public:
  explicit Buffer(std::size_t size)
      : memory_(machine::Memory::allocate(std::max<std::size_t>(size, 1) * sizeof(float))) {}
  float* data() const { return reinterpret_cast<float*>(memory_->data()); }
  float* operator+(std::size_t at) const { return data() + at; }

 private:
  std::unique_ptr<machine::Memory> memory_;
};

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(std::shared_ptr<const PreparedModel> model);

  const Shape& shape() const override { return model_->shape; }
  std::string name() const override { return std::string("CPU (") + kernels_.name + ")"; }
  std::uint32_t best_batch() const override { return kMostBoards; }
  std::unique_ptr<Backend> for_another_thread() const override { return std::make_unique<CpuBackend>(model_); }
  std::expected<void, std::string> evaluate(const Batch& inputs, Evaluations& out) override;

 private:
  void read(const Batch& inputs, std::size_t from);
  void add_scalars(std::span<const float> scalars, float* sums) const;
  void convolve(const PackedConvolution& layer, const Buffer& in, const Finish& finish);
  void through(const PackedBlock& block);
  void prepare(const PackedAffine& layer, const Buffer& in, const Buffer& out);
  void squeeze_excite(const PackedBlock& block);
  void global_pool(const PackedBlock& block);
  void heads(std::size_t from, Evaluations& out);
  void head_maps(std::size_t board);
  void policy(std::span<float> logits) const;
  void value_inputs(std::size_t board);
  void values(std::size_t from, Evaluations& out);
  Finish to(const Buffer& maps, const Buffer* shortcut, bool activate) const;

  std::shared_ptr<const PreparedModel> model_;
  const Kernels& kernels_;
  std::size_t channel_chunks_;
  std::size_t board_stride_;  // floats of the maps of a board
  std::size_t boards_ = 0;    // that are under way
  Buffer planes_;             // input maps
  Buffer x_, h_;              // maps of the trunk, and of the middle of a block
  Buffer tiles_, sums_;       // of Winograd
  Buffer board_bias_;         // a row of channels for each board
  Buffer head_maps_;          // [chunk][square][16] of one board
  Buffer value_in_, value_hidden_;
  Buffer pooled_, gates_;
};

CpuBackend::CpuBackend(std::shared_ptr<const PreparedModel> model)
    : model_(std::move(model)),
      kernels_(*model_->kernels),
      channel_chunks_(chunks(shape().channels)),
      board_stride_(channel_chunks_ * kMapChunk),
      planes_(kMostBoards * model_->planes.in_chunks * kMapChunk),
      x_(kMostBoards * board_stride_),
      h_(kMostBoards * board_stride_),
      tiles_(kPoints * kMostBoards * kTiles * kChunk * std::max(channel_chunks_, model_->planes.in_chunks)),
      sums_(kPoints * kMostBoards * kTiles * kernels_.width),
      board_bias_(kMostBoards * channel_chunks_ * kChunk),
      head_maps_(model_->heads.out_chunks * kTiles * kTiles * kChunk),
      value_in_(kMostBoards * model_->value_hidden.in_chunks * kChunk),
      value_hidden_(kMostBoards * model_->value_hidden.out_chunks * kChunk),
      pooled_(2 * channel_chunks_ * kChunk),
      gates_(channel_chunks_ * kChunk) {}

std::expected<void, std::string> CpuBackend::evaluate(const Batch& inputs, Evaluations& out) {
  // Passes of about equal size: the last one would otherwise bring all weights for a single board.
  const std::size_t passes = (inputs.size() + kMostBoards - 1) / kMostBoards;
  for (std::size_t pass = 0, from = 0; pass < passes; ++pass, from += boards_) {
    boards_ = (inputs.size() - from) / (passes - pass);
    read(inputs, from);
    const bool before = shape().kind == BlockKind::pre_activation;
    Finish first = to(x_, nullptr, !before);
    first.board_bias = board_bias_.data();
    convolve(model_->planes, planes_, first);
    for (const PackedBlock& block : model_->blocks) through(block);
    if (before) prepare(model_->last, x_, x_);
    heads(from, out);
  }
  return {};
}

// ---- inputs ---------------------------------------------------------------------------------------------------------

void CpuBackend::read(const Batch& inputs, std::size_t from) {
  const std::size_t stride = model_->planes.in_chunks * kMapChunk;
  std::fill_n(planes_.data(), boards_ * stride, 0.F);
  for (std::size_t board = 0; board < boards_; ++board) {
    const auto index = static_cast<std::uint32_t>(from + board);
    const auto planes = inputs.planes(index);
    for (std::size_t plane = 0; plane < planes.size(); ++plane) {
      float* const map = planes_ + board * stride + plane / kChunk * kMapChunk + plane % kChunk;
      for (std::size_t word = 0; word < 2; ++word) {
        for (std::uint64_t bits = planes[plane][word]; bits != 0; bits &= bits - 1) {
          const std::size_t square = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
          map[((square / shape().edge + 1) * kFrame + square % shape().edge + 1) * kChunk] = 1;
        }
      }
    }
    add_scalars(inputs.scalars(index), board_bias_ + board * channel_chunks_ * kChunk);
  }
}

void CpuBackend::add_scalars(std::span<const float> scalars, float* sums) const {
  const std::size_t width = channel_chunks_ * kChunk;
  std::fill_n(sums, width, 0.F);
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (scalars[i] == 0) continue;
    const float* const row = model_->scalars + i * width;
    for (std::size_t c = 0; c < width; ++c) sums[c] += scalars[i] * row[c];
  }
}

// ---- the trunk ------------------------------------------------------------------------------------------------------

Finish CpuBackend::to(const Buffer& maps, const Buffer* shortcut, bool activate) const {
  return {.boards = boards_,
          .edge = shape().edge,
          .board_bias_stride = channel_chunks_ * kChunk,
          .shortcut = shortcut == nullptr ? nullptr : shortcut->data(),
          .out = maps.data(),
          .board_stride = board_stride_,
          .activate = activate};
}

void CpuBackend::convolve(const PackedConvolution& layer, const Buffer& in, const Finish& finish) {
  const std::size_t rows = boards_ * kTiles, panel = rows * kChunk, point_in = layer.in_chunks * panel;
  for (std::size_t c = 0; c < layer.in_chunks; ++c) {
    kernels_.tiles_in(in + c * kMapChunk, layer.in_chunks * kMapChunk, boards_, tiles_ + c * panel, point_in);
  }
  const float* weights = layer.weights;
  for (std::size_t chunk = 0; chunk < layer.out_chunks;) {
    const std::size_t width = std::min(kernels_.width, (layer.out_chunks - chunk) * kChunk);
    const std::size_t matrix = layer.in_chunks * kChunk * width, point_out = rows * width;
    for (std::size_t point = 0; point < kPoints; ++point, weights += matrix) {
      kernels_.multiply({.in = tiles_ + point * point_in,
                         .in_stride = panel,
                         .in_chunks = layer.in_chunks,
                         .weights = weights,
                         .width = width,
                         .out = sums_ + point * point_out,
                         .out_stride = panel,
                         .rows = rows});
    }
    for (std::size_t part = 0; part < width / kChunk; ++part, ++chunk) {
      Finish one = finish;
      one.sums = sums_ + part * panel;
      one.point_stride = point_out;
      one.bias = layer.bias + chunk * kChunk;
      one.out += chunk * kMapChunk;
      if (one.shortcut != nullptr) one.shortcut += chunk * kMapChunk;
      if (one.board_bias != nullptr) one.board_bias += chunk * kChunk;
      kernels_.tiles_out(one, shape().activation);
    }
  }
}

void CpuBackend::through(const PackedBlock& block) {
  switch (shape().kind) {
    case BlockKind::plain:
      convolve(block.first, x_, to(h_, nullptr, true));
      convolve(block.second, h_, to(x_, &x_, true));
      break;
    case BlockKind::squeeze_excite:
      convolve(block.first, x_, to(h_, nullptr, true));
      convolve(block.second, h_, to(h_, nullptr, true));
      squeeze_excite(block);
      break;
    case BlockKind::global_pool:
      convolve(block.first, x_, to(h_, nullptr, false));
      global_pool(block);
      convolve(block.second, h_, to(x_, &x_, true));
      break;
    case BlockKind::pre_activation:
      prepare(block.before, x_, h_);
      convolve(block.first, h_, to(h_, nullptr, true));
      convolve(block.second, h_, to(x_, &x_, false));
      break;
  }
}

void CpuBackend::prepare(const PackedAffine& layer, const Buffer& in, const Buffer& out) {
  for (std::size_t board = 0; board < boards_; ++board) {
    for (std::size_t c = 0; c < channel_chunks_; ++c) {
      const std::size_t maps = board * board_stride_ + c * kMapChunk;
      kernels_.rescale({.in = in + maps,
                        .out = out + maps,
                        .edge = shape().edge,
                        .scale = layer.scale + c * kChunk,
                        .shift = layer.shift + c * kChunk,
                        .shortcut = nullptr},
                       shape().activation);
    }
  }
}

float activated(Activation activation, float x) {
  return activation == Activation::relu ? std::max(x, 0.F) : x / (1 + std::exp(-x));
}

float output(const SmallDense& layer, std::size_t o, const float* in) {
  float sum = layer.bias[o];
  const float* const row = layer.weights + o * layer.inputs;
  for (std::size_t i = 0; i < layer.inputs; ++i) sum += row[i] * in[i];
  return sum;
}

void CpuBackend::squeeze_excite(const PackedBlock& block) {
  const std::size_t edge = shape().edge;
  for (std::size_t board = 0; board < boards_; ++board) {
    float* const maps = h_ + board * board_stride_;
    for (std::size_t c = 0; c < channel_chunks_; ++c) {
      kernels_.pool(maps + c * kMapChunk, edge, pooled_ + c * kChunk, nullptr);
    }
    float* const squeezed = pooled_ + channel_chunks_ * kChunk;
    for (std::size_t o = 0; o < block.squeeze.outputs; ++o) {
      squeezed[o] = activated(shape().activation, output(block.squeeze, o, pooled_.data()));
    }
    for (std::size_t o = 0; o < block.excite.outputs; ++o) {
      gates_.data()[o] = 1 / (1 + std::exp(-output(block.excite, o, squeezed)));
    }
    float* const x = x_ + board * board_stride_;
    for (std::size_t c = 0; c < channel_chunks_; ++c) {
      kernels_.rescale({.in = maps + c * kMapChunk,
                        .out = x + c * kMapChunk,
                        .edge = edge,
                        .scale = gates_ + c * kChunk,
                        .shift = nullptr,
                        .shortcut = x + c * kMapChunk},
                       shape().activation);
    }
  }
}

void CpuBackend::global_pool(const PackedBlock& block) {
  const std::size_t edge = shape().edge, channels = shape().channels;
  for (std::size_t board = 0; board < boards_; ++board) {
    float* const maps = h_ + board * board_stride_;
    for (std::size_t c = 0; c < channel_chunks_; ++c) {
      // Maxima follow the means of the channels that there are, so they go first: padding is written over.
      kernels_.pool(maps + c * kMapChunk, edge, pooled_ + c * kChunk, gates_ + c * kChunk);
    }
    std::copy_n(gates_.data(), channels, pooled_ + channels);
    std::fill_n(gates_.data(), channel_chunks_ * kChunk, 0.F);
    for (std::size_t o = 0; o < channels; ++o) gates_.data()[o] = output(block.pool, o, pooled_.data());
    for (std::size_t c = 0; c < channel_chunks_; ++c) {
      kernels_.rescale({.in = maps + c * kMapChunk,
                        .out = maps + c * kMapChunk,
                        .edge = edge,
                        .scale = nullptr,
                        .shift = gates_ + c * kChunk,
                        .shortcut = nullptr},
                       shape().activation);
    }
  }
}

// ---- heads ----------------------------------------------------------------------------------------------------------

void CpuBackend::heads(std::size_t from, Evaluations& out) {
  for (std::size_t board = 0; board < boards_; ++board) {
    head_maps(board);
    policy(out.logits(static_cast<std::uint32_t>(from + board)));
    value_inputs(board);
  }
  values(from, out);
}

// The 1x1 convolutions: a row of the board is a block of rows of a product.
void CpuBackend::head_maps(std::size_t board) {
  const PackedMatrix& heads = model_->heads;
  const std::size_t edge = shape().edge, squares = shape().squares();
  const float* weights = heads.weights;
  for (std::size_t chunk = 0; chunk < heads.out_chunks;) {
    const std::size_t width = std::min(kernels_.width, (heads.out_chunks - chunk) * kChunk);
    const std::size_t matrix = heads.in_chunks * kChunk * width;
    for (std::size_t y = 0; y < edge; ++y) {
      kernels_.multiply({.in = x_ + board * board_stride_ + ((y + 1) * kFrame + 1) * kChunk,
                         .in_stride = kMapChunk,
                         .in_chunks = heads.in_chunks,
                         .weights = weights,
                         .width = width,
                         .out = head_maps_ + (chunk * squares + y * edge) * kChunk,
                         .out_stride = squares * kChunk,
                         .rows = edge});
    }
    weights += matrix;
    chunk += width / kChunk;
  }
}

void CpuBackend::policy(std::span<float> logits) const {
  const std::size_t squares = shape().squares();
  for (std::size_t plane = 0; plane < shape().policy_planes; ++plane) {
    const float* const from = head_maps_ + plane / kChunk * squares * kChunk + plane % kChunk;
    const float* const bias = model_->policy_bias + plane * squares;
    float* const to = logits.data() + plane * squares;
    for (std::size_t s = 0; s < squares; ++s) to[s] = from[s * kChunk] + bias[s];
  }
}

// The value's planes, one after the other, become the board's row of the panels of the hidden layer.
void CpuBackend::value_inputs(std::size_t board) {
  const std::size_t squares = shape().squares(), first = chunks(shape().policy_planes);
  for (std::size_t c = 0; c < chunks(shape().value_planes); ++c) {
    float* const maps = head_maps_ + (first + c) * squares * kChunk;
    kernels_.activate(maps, model_->value_bias + c * kChunk, maps, squares, kChunk, shape().activation);
  }
  const float* const maps = head_maps_ + first * squares * kChunk;
  std::size_t i = 0;
  for (std::size_t plane = 0; plane < shape().value_planes; ++plane) {
    const float* const from = maps + plane / kChunk * squares * kChunk + plane % kChunk;
    for (std::size_t s = 0; s < squares; ++s, ++i) {
      value_in_.data()[(i / kChunk * boards_ + board) * kChunk + i % kChunk] = from[s * kChunk];
    }
  }
}

void CpuBackend::values(std::size_t from, Evaluations& out) {
  const PackedMatrix& hidden = model_->value_hidden;
  const float* weights = hidden.weights;
  const std::size_t panel = boards_ * kChunk;
  for (std::size_t chunk = 0; chunk < hidden.out_chunks;) {
    const std::size_t width = std::min(kernels_.width, (hidden.out_chunks - chunk) * kChunk);
    const std::size_t matrix = hidden.in_chunks * kChunk * width;
    kernels_.multiply({.in = value_in_.data(),
                       .in_stride = panel,
                       .in_chunks = hidden.in_chunks,
                       .weights = weights,
                       .width = width,
                       .out = value_hidden_ + chunk * panel,
                       .out_stride = panel,
                       .rows = boards_});
    weights += matrix;
    chunk += width / kChunk;
  }
  for (std::size_t c = 0; c < hidden.out_chunks; ++c) {
    float* const maps = value_hidden_ + c * panel;
    kernels_.activate(maps, hidden.bias + c * kChunk, maps, boards_, kChunk, shape().activation);
  }
  for (std::size_t board = 0; board < boards_; ++board) {
    float sum = model_->value_out_bias;
    for (std::size_t i = 0; i < shape().value_hidden; ++i) {
      sum += model_->value_out[i] * value_hidden_.data()[(i / kChunk * boards_ + board) * kChunk + i % kChunk];
    }
    out.value(static_cast<std::uint32_t>(from + board)) = 1 / (1 + std::exp(-sum));
  }
}

}  // namespace

std::unique_ptr<Backend> cpu_backend(const Model& model, const Kernels& kernels, bool share) {
  return std::make_unique<CpuBackend>(PreparedModel::make(model, kernels, share));
}

}  // namespace fuhyo::nn
