// The arithmetic of networks, once for each instruction set, chosen at run time. They agree to rounding errors.
// The functions behind the pointers are pure; any thread. All memory is aligned to 64 bytes.
//
// Layout. Channels go in chunks of 16, padded with zeros. Maps of a board are
//     map[chunk][(edge + 2) * (edge + 2)][16]
// with a frame of zeros around the board, so that a convolution need not ask where the board ends. A board of up to 9x9
// is 3x3 tiles of 3x3 squares; row t = board * 9 + tile of a matrix is a tile of a board. Matrices go in panels:
//     panel[chunk][rows][16]
// so that sixteen inputs of neighbouring rows lie together.
#pragma once

#include <cstddef>

#include "engines/nn/activation.h"

namespace fuhyo::nn {

constexpr std::size_t kChunk = 16;
constexpr std::size_t kTile = 3;               // squares along a tile
constexpr std::size_t kTiles = 9;              // of a board
constexpr std::size_t kPoints = 25;            // products that Winograd's F(3x3, 3x3) needs for the 81 of a tile
constexpr std::size_t kFrame = 3 * kTile + 2;  // squares along the framed board, whatever its edge
constexpr std::size_t kFramed = kFrame * kFrame;
constexpr std::size_t kMapChunk = kFramed * kChunk;  // floats of a chunk of maps

// rows x inputs times inputs x width, into rows x width: `out` is written, or added to.
struct Product {
  const float* in;        // panels
  std::size_t in_stride;  // floats from panel to panel
  std::size_t in_chunks;
  const float* weights;  // [in_chunks * 16][width]
  std::size_t width;     // 16, or 32 where the kernels take it
  float* out;            // panels
  std::size_t out_stride;
  std::size_t rows;
};

// What becomes of the sums of a convolution, of one chunk of channels and all boards.
struct Finish {
  const float* sums;  // [kPoints][point_stride]: a panel of `rows` tiles each
  std::size_t point_stride;
  std::size_t boards;
  std::size_t edge;
  const float* bias;        // 16, added everywhere
  const float* board_bias;  // 16 a board, or null
  std::size_t board_bias_stride;
  const float* shortcut;     // maps to add before the activation, or null; may be `out`
  float* out;                // maps of this chunk; their frames stay as they are
  std::size_t board_stride;  // of shortcut and out: floats from board to board
  bool activate;
};

// out = act(in * scale + shift + shortcut), over one chunk of the maps of one board.
struct Rescale {
  const float* in;
  float* out;  // may be `in` or `shortcut`
  std::size_t edge;
  const float* scale;     // 16, or null: 1
  const float* shift;     // 16, or null: 0
  const float* shortcut;  // maps, or null
};

struct Kernels {
  const char* name;
  std::size_t width;  // outputs of a block of weights: 16 or 32

  void (*multiply)(const Product& product);
  // Winograd's transform of one chunk of maps: tiles of `boards` boards become rows of kPoints panels.
  void (*tiles_in)(const float* maps, std::size_t board_stride, std::size_t boards, float* out,
                   std::size_t point_stride);
  void (*tiles_out)(const Finish& finish, Activation activation);
  void (*rescale)(const Rescale& rescale, Activation activation);
  // Sixteen means over the board, and the maxima if `maxima` is not null.
  void (*pool)(const float* maps, std::size_t edge, float* means, float* maxima);
  // out = act(in + bias) for `rows` rows of sixteen; bias is sixteen.
  void (*activate)(const float* in, const float* bias, float* out, std::size_t rows, std::size_t out_stride,
                   Activation activation);
};

extern const Kernels kPlainKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels, kAvx512Kernels;
#elif defined(__aarch64__)
extern const Kernels kNeonKernels;
#endif

}  // namespace fuhyo::nn
