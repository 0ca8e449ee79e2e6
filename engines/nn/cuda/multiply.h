// The product of matrices: c[m][n] = sum over k of a[k][m] * b[k][n], for several pairs of matrices in one launch.
//
// A block computes 64 x 128 results, a thread 8 x 8 of them in registers. Sixteen k at a time go through the memory of
// the block, twice: while one half is multiplied, the next one is fetched.
#pragma once

#include "engines/nn/cuda/block.h"

namespace fuhyo::nn::cuda {

struct Multiply {
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kRows = 64, kColumns = 128;  // of c, of a block
  static constexpr unsigned kDepth = 16;                 // of k at a time

  // The grid: blocks of columns, blocks of rows, pairs.
  struct Args {
    const float* a;  // [depth][a_pitch]: a_pitch is a multiple of kRows
    const float* b;  // [depth][b_pitch]: of kColumns; columns beyond those that count may hold anything
    float* c;        // [rows][c_pitch]: of kColumns; columns beyond those that count are written, too
    std::size_t a_stride, b_stride, c_stride;  // floats from pair to pair
    unsigned rows, depth;                      // depth is a multiple of kDepth
    unsigned a_pitch, b_pitch, c_pitch;
  };
  struct Shared {
    alignas(16) float a[2][kDepth][kRows];
    alignas(16) float b[2][kDepth][kColumns];
  };
  struct State {
    Quad a[2], b[4];  // on the way to the memory of the block
    float sums[8][8];
  };

  template <class Block>
  FUHYO_NN_INLINE static void run(Block& block, const Args& args) {
    const float* const a = args.a + block.z * args.a_stride + block.y * kRows;
    const float* const b = args.b + block.z * args.b_stride + block.x * kColumns;
    block.each([&](unsigned thread, State& state, Shared& shared) {
      FUHYO_NN_UNROLL
      for (unsigned i = 0; i < 64; ++i) state.sums[i / 8][i % 8] = 0;
      fetch(args, a, b, thread, state);
      put(thread, state, shared, 0);
    });
    const unsigned steps = args.depth / kDepth;
    for (unsigned step = 0; step < steps; ++step) {
      const bool more = step + 1 < steps;
      const std::size_t next = std::size_t{step + 1} * kDepth;
      block.each([&](unsigned thread, State& state, Shared& shared) {
        if (more) fetch(args, a + next * args.a_pitch, b + next * args.b_pitch, thread, state);
        add_products(thread, state, shared, step % 2);
        if (more) put(thread, state, shared, 1 - step % 2);
      });
    }
    block.each([&](unsigned thread, State& state, Shared&) {
      write(args, block.y * kRows, args.c + block.z * args.c_stride + block.x * kColumns, thread, state);
    });
  }

 private:
  // Rows and columns of a thread are two groups of four each: neighbouring threads read neighbouring quads.
  FUHYO_NN_INLINE static unsigned row(unsigned thread, unsigned i) { return i / 4 * 32 + thread / 16 * 4 + i % 4; }
  FUHYO_NN_INLINE static unsigned column(unsigned thread, unsigned i) { return i / 4 * 64 + thread % 16 * 4 + i % 4; }

  FUHYO_NN_INLINE static const Quad& quad(const float* at) { return *reinterpret_cast<const Quad*>(at); }
  FUHYO_NN_INLINE static Quad& quad(float* at) { return *reinterpret_cast<Quad*>(at); }

  FUHYO_NN_INLINE static void fetch(const Args& args, const float* a, const float* b, unsigned thread, State& state) {
    FUHYO_NN_UNROLL
    for (unsigned i = 0; i < 2; ++i) {
      state.a[i] = quad(a + std::size_t{thread / 16 + i * 8} * args.a_pitch + thread % 16 * 4);
    }
    FUHYO_NN_UNROLL
    for (unsigned i = 0; i < 4; ++i) {
      state.b[i] = quad(b + std::size_t{thread / 32 + i * 4} * args.b_pitch + thread % 32 * 4);
    }
  }

  FUHYO_NN_INLINE static void put(unsigned thread, const State& state, Shared& shared, unsigned half) {
    FUHYO_NN_UNROLL
    for (unsigned i = 0; i < 2; ++i) quad(&shared.a[half][thread / 16 + i * 8][thread % 16 * 4]) = state.a[i];
    FUHYO_NN_UNROLL
    for (unsigned i = 0; i < 4; ++i) quad(&shared.b[half][thread / 32 + i * 4][thread % 32 * 4]) = state.b[i];
  }

  FUHYO_NN_INLINE static void add_products(unsigned thread, State& state, const Shared& shared, unsigned half) {
    FUHYO_NN_UNROLL
    for (unsigned k = 0; k < kDepth; ++k) {
      Quad a[2], b[2];
      FUHYO_NN_UNROLL
      for (unsigned i = 0; i < 2; ++i) {
        a[i] = quad(&shared.a[half][k][row(thread, i * 4)]);
        b[i] = quad(&shared.b[half][k][column(thread, i * 4)]);
      }
      FUHYO_NN_UNROLL
      for (unsigned m = 0; m < 8; ++m) {
        FUHYO_NN_UNROLL
        for (unsigned n = 0; n < 8; ++n) state.sums[m][n] += a[m / 4].v[m % 4] * b[n / 4].v[n % 4];
      }
    }
  }

  FUHYO_NN_INLINE static void write(const Args& args, unsigned first, float* c, unsigned thread, const State& state) {
    FUHYO_NN_UNROLL
    for (unsigned m = 0; m < 8; ++m) {
      const unsigned at = first + row(thread, m);
      if (at >= args.rows) continue;
      FUHYO_NN_UNROLL
      for (unsigned n = 0; n < 8; n += 4) {
        const float* const sums = state.sums[m] + n;
        quad(c + std::size_t{at} * args.c_pitch + column(thread, n)) = {{sums[0], sums[1], sums[2], sums[3]}};
      }
    }
  }
};

}  // namespace fuhyo::nn::cuda
