// How kernels of a GPU are written here, so that the same source is computed by any processor: tests run it without a
// GPU (tests/unit/nn/emulated_device.h).
//
// A kernel is a struct with
//   kThreads   threads of a block
//   Args       what the launch tells all threads; plain data
//   Shared     memory of a block
//   State      what a thread keeps from one phase to the next
//   run(block, args)
// where block.each(phase) calls phase(thread, state, shared) once for each thread of the block, and comes back when all
// of them are through. What runs between phases is the same for all threads, so none can miss the others. Within a
// phase, no thread may write what another one reads or writes. block.x, y and z say which block of the grid it is.
//
// The compiler of GPUs reads this as C++20, and nothing of the standard library that has a body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <math.h>

#include "engines/nn/activation.h"
#include "engines/nn/winograd.h"  // FUHYO_NN_INLINE

#ifdef __CUDACC__
#define FUHYO_NN_UNROLL _Pragma("unroll")
#else
#define FUHYO_NN_UNROLL
#endif

namespace fuhyo::nn::cuda {

struct Nothing {};

// Four floats that are moved at once.
struct alignas(16) Quad {
  float v[4];
};

// What follows a layer.
enum class After : std::uint8_t { nothing, relu, silu, sigmoid };

constexpr After after(Activation activation) { return activation == Activation::relu ? After::relu : After::silu; }

FUHYO_NN_INLINE float finished(After after, float x) {
  switch (after) {
    case After::nothing:
      return x;
    case After::relu:
      return x > 0 ? x : 0;
    case After::silu:
      return x / (1 + expf(-x));
    case After::sigmoid:
      return 1 / (1 + expf(-x));
  }
  return x;
}

// Boards of a batch, and the tiles of 3x3 squares that cover each. Maps are [channel][board][square].
struct Boards {
  unsigned count, edge;

  FUHYO_NN_INLINE unsigned squares() const { return edge * edge; }
  FUHYO_NN_INLINE unsigned along() const { return (edge + 2) / 3; }
  FUHYO_NN_INLINE unsigned tiles() const { return along() * along(); }
};

}  // namespace fuhyo::nn::cuda
