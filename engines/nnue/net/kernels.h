// The arithmetic of networks, once for each instruction set, chosen at run time. All give the same numbers to the bit:
// inputs of a layer are at most 127, so that no intermediate sum saturates.
// The functions behind the pointers are pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fuhyo::nnue {

// Bounds of all weights; the buffers of the kernels have these sizes.
constexpr std::uint32_t kWidthUnit = 64;    // transformers are this many values wide, or a multiple
constexpr std::uint32_t kMaxInputs = 8192;  // of a first layer
constexpr std::uint32_t kMaxHidden = 256;   // outputs of a hidden layer
constexpr std::uint32_t kOutputUnit = 16;   // outputs of a layer are padded with zeros to a multiple of this
constexpr std::uint32_t kLastUnit = 64;     // ... and the inputs of the last one to a multiple of this

// out[o] = bias[o] + sum over i of weights[(i / 4 * outputs + o) * 4 + i % 4] * in[i]: four inputs meet all outputs.
struct DenseLayer {
  const std::int8_t* weights;
  const std::int32_t* bias;
  std::uint32_t inputs;   // a multiple of 4
  std::uint32_t outputs;  // padded
  // Whether any two products of one input each, of neighbouring weights and any two blocks, add up within 16 bits.
  bool pairs;
};

// What follows a transformer. Everything is aligned to 64 bytes.
struct LayerStack {
  DenseLayer first, second;
  const std::int8_t* last_weights;  // of one output, padded to a multiple of kLastUnit
  std::int32_t last_bias;
  std::uint32_t last_inputs;  // padded
  std::uint32_t hidden;       // of SFNN: outputs of the first layer that are squared and clipped
  bool shortcut;              // ... and whether the one after them is added to the result
};

struct Kernels {
  const char* name;

  // out = base + the sum of rows `add` - the sum of rows `sub`, each `width` values, modulo 2^16.
  // out may be base; all are aligned to 64 bytes.
  void (*update)(const std::int16_t* base, std::int16_t* out, std::size_t width, const std::int16_t* const* add,
                 std::size_t add_count, const std::int16_t* const* sub, std::size_t sub_count);
  // The output of a classic network: both accumulators (`width` values each) clipped to 0..127, then three layers.
  std::int32_t (*classic)(const LayerStack& stack, std::size_t width, const std::int16_t* own,
                          const std::int16_t* other);
  // ... of an SFNN: halves of each accumulator clipped to 0..254 (they are kept doubled) and multiplied, then three
  // layers.
  std::int32_t (*pairwise)(const LayerStack& stack, std::size_t width, const std::int16_t* own,
                           const std::int16_t* other);
};

extern const Kernels kPlainKernels;
#if defined(__x86_64__)
extern const Kernels kSse41Kernels, kAvx2Kernels, kAvx512Kernels;
#elif defined(__aarch64__)
extern const Kernels kNeonKernels;
#endif

}  // namespace fuhyo::nnue
