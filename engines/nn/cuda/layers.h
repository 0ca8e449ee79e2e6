// What stands between products of matrices.
#pragma once

#include "engines/nn/cuda/block.h"

namespace fuhyo::nn::cuda {

// out[row][n] = after(sum of parts[..][row][n] + bias[row]): the end of a dense layer.
struct Sum {
  static constexpr unsigned kThreads = 128;

  // The grid: columns, rows.
  struct Args {
    const float* parts;
    unsigned count;  // of parts
    std::size_t stride;
    const float* bias;
    float* out;
    unsigned columns, pitch;  // of parts and out
    After after;
  };
  using Shared = Nothing;
  using State = Nothing;

  template <class Block>
  FUHYO_NN_INLINE static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread, State&, Shared&) {
      const unsigned column = block.x * kThreads + thread;
      if (column >= args.columns) return;
      const std::size_t at = std::size_t{block.y} * args.pitch + column;
      float sum = args.bias[block.y];
      for (unsigned i = 0; i < args.count; ++i) sum += args.parts[i * args.stride + at];
      args.out[at] = finished(args.after, sum);
    });
  }
};

// The mean of each map, and, if asked for, the maximum.
struct Pool {
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kMaps = 32;  // of a block
  static constexpr unsigned kMostSquares = 81;

  // The grid: kMaps boards at a time, channels.
  struct Args {
    const float* maps;
    unsigned map_pitch;
    Boards boards;
    float* means;   // [channel][pitch]
    float* maxima;  // or null
    unsigned pitch;
  };
  struct Shared {
    float values[kMaps * kMostSquares];
  };
  using State = Nothing;

  template <class Block>
  FUHYO_NN_INLINE static void run(Block& block, const Args& args) {
    const unsigned first = block.x * kMaps, squares = args.boards.squares();
    const unsigned maps = args.boards.count - first < kMaps ? args.boards.count - first : kMaps;
    block.each([&](unsigned thread, State&, Shared& shared) {
      const float* const from = args.maps + std::size_t{block.y} * args.map_pitch + first * squares;
      for (unsigned i = thread; i < maps * squares; i += kThreads) shared.values[i] = from[i];
    });
    block.each([&](unsigned thread, State&, Shared& shared) {
      if (thread >= maps) return;
      const float* const map = shared.values + thread * squares;
      float sum = 0, most = map[0];
      for (unsigned s = 0; s < squares; ++s) {
        sum += map[s];
        most = map[s] > most ? map[s] : most;
      }
      const std::size_t at = std::size_t{block.y} * args.pitch + first + thread;
      args.means[at] = sum / static_cast<float>(squares);
      if (args.maxima != nullptr) args.maxima[at] = most;
    });
  }
};

// out = after(in * scale + shift + shortcut), all maps.
struct Rescale {
  static constexpr unsigned kThreads = 128;

  // The grid: squares of all boards, channels.
  struct Args {
    const float* in;
    float* out;  // may be `in` or `shortcut`
    unsigned map_pitch;
    Boards boards;
    const float* scale;             // of channels and boards, or null: 1
    const float* shift;             // ... or null: 0
    unsigned of_channel, of_board;  // floats of those two from channel to channel, and from board to board
    const float* shortcut;          // maps, or null
    After after;
  };
  using Shared = Nothing;
  using State = Nothing;

  template <class Block>
  FUHYO_NN_INLINE static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread, State&, Shared&) {
      const unsigned square = block.x * kThreads + thread;
      if (square >= args.boards.count * args.boards.squares()) return;
      const std::size_t factor =
          std::size_t{block.y} * args.of_channel + square / args.boards.squares() * args.of_board;
      const std::size_t at = std::size_t{block.y} * args.map_pitch + square;
      float value = args.in[at];
      if (args.scale != nullptr) value *= args.scale[factor];
      if (args.shift != nullptr) value += args.shift[factor];
      if (args.shortcut != nullptr) value += args.shortcut[at];
      args.out[at] = finished(args.after, value);
    });
  }
};

// Maps of the heads become logits, and inputs of the value's hidden layer.
struct Heads {
  static constexpr unsigned kThreads = 128;

  // The grid: squares of all boards, planes.
  struct Args {
    const float* maps;  // policy planes, then value planes
    unsigned map_pitch;
    Boards boards;
    unsigned policy_planes;
    const float* policy_bias;  // of each label
    const float* value_bias;   // of each plane
    float* logits;             // [board][policy plane][square]
    float* values;             // [value plane][square][pitch]: a column a board
    unsigned pitch;
    After after;  // of value planes
  };
  using Shared = Nothing;
  using State = Nothing;

  template <class Block>
  FUHYO_NN_INLINE static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread, State&, Shared&) {
      const unsigned squares = args.boards.squares(), at = block.x * kThreads + thread;
      if (at >= args.boards.count * squares) return;
      const unsigned board = at / squares, square = at % squares, plane = block.y;
      const float value = args.maps[std::size_t{plane} * args.map_pitch + at];
      if (plane < args.policy_planes) {
        const unsigned label = plane * squares + square;
        args.logits[std::size_t{board} * args.policy_planes * squares + label] = value + args.policy_bias[label];
      } else {
        const unsigned of_value = plane - args.policy_planes;
        args.values[std::size_t{of_value * squares + square} * args.pitch + board] =
            finished(args.after, value + args.value_bias[of_value]);
      }
    });
  }
};

}  // namespace fuhyo::nn::cuda
