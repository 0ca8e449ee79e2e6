// Winograd's transforms: maps become factors, sums of products become maps. A thread has a tile of a channel;
// neighbouring threads have neighbouring tiles, which are neighbours in the matrices.
#pragma once

#include "engines/nn/cuda/block.h"

namespace fuhyo::nn::cuda {

// Maps in floats.
struct FloatMaps {
  const float* maps;  // [channel][pitch]
  unsigned pitch;

  FUHYO_NN_INLINE float at(const Boards& boards, unsigned channel, unsigned board, unsigned square) const {
    return maps[std::size_t{channel} * pitch + board * boards.squares() + square];
  }
};

// Planes of inputs as they are: square s is bit s % 64 of word s / 64 (nn::Plane).
struct BitMaps {
  const std::uint64_t* words;  // [board][channel][2]
  unsigned channels;

  FUHYO_NN_INLINE float at(const Boards&, unsigned channel, unsigned board, unsigned square) const {
    const std::uint64_t word = words[(std::size_t{board} * channels + channel) * 2 + square / 64];
    return static_cast<float>(word >> square % 64 & 1);
  }
};

template <class Maps>
struct TilesIn {
  static constexpr unsigned kThreads = 128;

  // The grid: tiles, channels.
  struct Args {
    Maps from;
    Boards boards;
    float* out;  // 25 of [channel][pitch]: a column a tile
    std::size_t point_stride;
    unsigned pitch;
  };
  using Shared = Nothing;
  using State = Nothing;

  template <class Block>
  FUHYO_NN_INLINE static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread, State&, Shared&) { transform(args, block.y, block.x * kThreads + thread); });
  }

 private:
  FUHYO_NN_INLINE static void transform(const Args& args, unsigned channel, unsigned column) {
    const Boards& boards = args.boards;
    if (column >= boards.count * boards.tiles()) return;
    const unsigned board = column / boards.tiles(), tile = column % boards.tiles();
    // The frame of zeros around the board begins one square before it; -1 is a large number here.
    const unsigned top = tile / boards.along() * 3 - 1, left = tile % boards.along() * 3 - 1;
    float d[25];
    FUHYO_NN_UNROLL
    for (unsigned i = 0; i < 25; ++i) {
      const unsigned y = top + i / 5, x = left + i % 5;
      const bool inside = y < boards.edge && x < boards.edge;
      d[i] = inside ? args.from.at(boards, channel, board, y * boards.edge + x) : 0;
    }
    FUHYO_NN_UNROLL
    for (unsigned y = 0; y < 5; ++y) transform_in<1>(d + y * 5);
    FUHYO_NN_UNROLL
    for (unsigned x = 0; x < 5; ++x) transform_in<5>(d + x);
    float* const out = args.out + std::size_t{channel} * args.pitch + column;
    FUHYO_NN_UNROLL
    for (unsigned point = 0; point < 25; ++point) out[point * args.point_stride] = d[point];
  }
};

struct TilesOut {
  static constexpr unsigned kThreads = 128;

  // The grid: tiles, channels.
  struct Args {
    const float* sums;  // 25 of [channel][pitch]
    std::size_t point_stride;
    unsigned pitch;
    Boards boards;
    const float* bias;        // of each channel
    const float* board_bias;  // [channel][board_pitch], or null
    unsigned board_pitch;
    const float* shortcut;  // maps to add before the activation, or null; may be `out`
    float* out;             // maps
    unsigned map_pitch;     // of shortcut and out
    After after;
  };
  using Shared = Nothing;
  using State = Nothing;

  template <class Block>
  FUHYO_NN_INLINE static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread, State&, Shared&) { transform(args, block.y, block.x * kThreads + thread); });
  }

 private:
  FUHYO_NN_INLINE static void transform(const Args& args, unsigned channel, unsigned column) {
    const Boards& boards = args.boards;
    if (column >= boards.count * boards.tiles()) return;
    const unsigned board = column / boards.tiles(), tile = column % boards.tiles();
    const float* const sums = args.sums + std::size_t{channel} * args.pitch + column;
    float s[25], half[15], out[9];
    FUHYO_NN_UNROLL
    for (unsigned point = 0; point < 25; ++point) s[point] = sums[point * args.point_stride];
    FUHYO_NN_UNROLL
    for (unsigned x = 0; x < 5; ++x) transform_out<5, 5>(s + x, half + x);
    FUHYO_NN_UNROLL
    for (unsigned y = 0; y < 3; ++y) transform_out<1, 1>(half + y * 5, out + y * 3);
    float bias = args.bias[channel];
    if (args.board_bias != nullptr) bias += args.board_bias[std::size_t{channel} * args.board_pitch + board];
    const unsigned top = tile / boards.along() * 3, left = tile % boards.along() * 3;
    const std::size_t map = std::size_t{channel} * args.map_pitch + board * boards.squares();
    FUHYO_NN_UNROLL
    for (unsigned i = 0; i < 9; ++i) {
      const unsigned y = top + i / 3, x = left + i % 3;
      if (y >= boards.edge || x >= boards.edge) continue;
      const std::size_t at = map + y * boards.edge + x;
      const float value = out[i] + bias + (args.shortcut != nullptr ? args.shortcut[at] : 0);
      args.out[at] = finished(args.after, value);
    }
  }
};

}  // namespace fuhyo::nn::cuda
