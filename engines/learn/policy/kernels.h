// The arithmetic of learning that evaluation does not need, once for each instruction set, chosen at run time. Chunks,
// framed maps, panels and Winograd's tiles are those of engines/nn/kernels.h, whose kernels do the rest. Each function
// adds in an order of its own that never changes; sets differ in rounding. All memory is aligned to 64 bytes. Pure; any
// thread.
#pragma once

#include <cstddef>

#include "engines/nn/kernels.h"

namespace fuhyo::learn::policy {

// out[i * out_row + o] += the sum over rows of a[row][i] * b[row][o]; both are panels.
struct Outer {
  const float* a;
  std::size_t a_stride, a_chunks;  // floats from panel to panel
  const float* b;
  std::size_t b_stride, b_chunks;
  float* out;
  std::size_t out_row;
  std::size_t rows;
};

// One chunk of the maps of some boards.
struct Boards {
  std::size_t count;
  std::size_t stride;  // floats from board to board
  std::size_t edge;    // squares along a side
};

// Of each of a chunk's sixteen channels.
struct Normalisation {
  const float* scale;
  const float* shift;
};

// A batch norm and what follows it, backwards: out = max(0, normalised(in) * scale + shift + shortcut).
struct NormGradient {
  const float* in;         // what was normalised
  const float* out;        // what came out
  float* gradient;         // by `out`; becomes that by what ReLU was given
  const float* mean;       // of `in`
  const float* deviation;  // the inverse of
  float* shift;            // sums of gradients: by the norm's shift
  float* scale;            // ... and by its scale
};

// gradient by `in` = by what ReLU was given * factor + in * slope + offset
struct NormInput {
  const float* in;
  const float* gradient;
  float* out;
  const float* factor;
  const float* slope;
  const float* offset;
};

struct Kernels {
  const char* name;
  const nn::Kernels* forward;

  void (*outer)(const Outer& outer);
  // Gradients by a convolution's results become those by the sums of Winograd's products: rows of kPoints panels.
  void (*tiles_gradient)(const float* maps, std::size_t board_stride, std::size_t boards, float* out,
                         std::size_t point_stride);
  // Weights [9][inputs][outputs] as the kernels of evaluation want them: blocks of `width` outputs, the last one of 16
  // if only so many are left; of each, kPoints matrices.
  void (*transform_weights)(const float* weights, std::size_t inputs, std::size_t outputs, std::size_t width,
                            float* out);
  // Gradients [kPoints][inputs][outputs] by transformed weights become those by weights.
  void (*weights_gradient)(const float* points, std::size_t inputs, std::size_t outputs, float* out);
  void (*moments)(const float* maps, const Boards& boards, float* mean, float* variance);
  // out = max(0, in * scale + shift + shortcut), the last of which may be null.
  void (*normalise)(const float* in, const Normalisation& by, const float* shortcut, float* out, const Boards& boards);
  void (*norm_gradient)(const NormGradient& work, const Boards& boards);
  void (*norm_input)(const NormInput& work, const Boards& boards);
};

extern const Kernels kPlainKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels, kAvx512Kernels;
#endif

}  // namespace fuhyo::learn::policy
