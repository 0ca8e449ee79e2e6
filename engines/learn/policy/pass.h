// A forward and backward pass of a few boards: losses, and gradients by all weights. Batch norms take their means from
// these boards alone, so that the passes of a batch need not wait for each other. One thread at a time per object.
//
// The loss of a position is the cross-entropy of the move that was played (or of shares) and the softmax over the legal
// moves (no other label takes part, since the search asks for no other), plus `value_weight` times the binary
// cross-entropy of the value, where it is known.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engines/learn/policy/example.h"
#include "engines/learn/policy/kernels.h"
#include "engines/learn/policy/layout.h"

namespace fuhyo::learn::policy {

// Weights in the order of the kernels, packed after each step.
struct Packed {
  Packed(const Layout& layout, const Kernels& kernels);

  // Parts can be packed by several threads, each once.
  std::size_t parts() const { return forward.size() + 1; }
  void pack(const Floats& weights, std::size_t part);

  const Layout& layout;
  const Kernels& kernels;
  std::vector<Floats> forward, backward;  // of each convolution; none backward of the first
  std::vector<Floats> turned;             // scratch of packing
  Floats heads, heads_back, hidden, hidden_back;
};

struct Gradients {
  explicit Gradients(const Layout& layout);
  void clear();

  Floats weights;              // but those of convolutions
  std::vector<Floats> points;  // [kPoints][inputs][outputs] of each convolution: by transformed weights
  Floats statistics;           // sums of means and variances
  std::size_t passes = 0;      // that they are sums of
  std::size_t valued = 0;      // ... of which so many had values
};

struct Losses {
  double policy = 0, value = 0;                      // sums
  std::size_t positions = 0, right = 0, values = 0;  // right: the played move had the highest logit

  Losses& operator+=(const Losses& other);
};

class Pass {
 public:
  Pass(const Layout& layout, const Kernels& kernels, std::size_t boards);

  // Adds the gradients of the losses' sum times `scale`. At most as many examples as boards, one at least.
  Losses run(const Packed& packed, const Floats& weights, std::span<const Example> examples, float scale,
             float value_weight, Gradients& gradients);

 private:
  struct Layer {
    Floats in, out;  // before and after norm, shortcut and activation
    Floats mean, deviation;
  };
  void read(std::span<const Example> examples, const Floats& weights);
  void convolve(const Floats& packed, const Floats& in, std::size_t in_chunks, Floats& out, const float* board_bias,
                const float* shortcut);
  void convolution_gradient(const Floats& in, std::size_t in_chunks, const Floats& out, Floats& points);
  void normalise(std::size_t layer, const Floats& weights, const float* shortcut, Gradients& gradients);
  void normalise(const Norm& norm, const Floats& weights, const float* in, const float* shortcut, float* out,
                 std::size_t stride, Layer& layer, Gradients& gradients) const;
  void norm_backward(const Norm& norm, const Floats& weights, const float* in, const float* out, float* gradient,
                     float* to, std::size_t stride, const Layer& layer, Gradients& gradients);
  void norm_backward(std::size_t layer, const Floats& weights, Floats& gradient, Gradients& gradients);
  void forward(const Packed& packed, const Floats& weights, Gradients& gradients);
  void backward(const Packed& packed, const Floats& weights, std::span<const Example> examples, Gradients& gradients);
  void heads_forward(const Packed& packed);
  void heads_backward(const Packed& packed, Gradients& gradients);
  Losses policy(const Floats& weights, std::span<const Example> examples, float scale, Gradients& gradients);
  Losses value(const Packed& packed, const Floats& weights, std::span<const Example> examples, float scale,
               Gradients& gradients);
  template <class Visit>
  void each_value_place(const Visit& visit) const;
  std::size_t value_maps() const { return layout_.policy / nn::kChunk * nn::kMapChunk; }  // where they begin in heads
  void value_forward(const Packed& packed, const Floats& weights, Gradients& gradients);
  void value_backward(const Packed& packed, const Floats& weights, Gradients& gradients);
  void scalars_backward(std::span<const Example> examples, Gradients& gradients) const;
  Boards boards(std::size_t stride) const { return {.count = boards_, .stride = stride, .edge = layout_.shape.edge}; }

  const Layout& layout_;
  const Kernels& kernels_;
  std::size_t stride_, heads_stride_;  // floats of a board's maps
  std::size_t boards_ = 0;             // under way
  Floats planes_, board_bias_, tiles_, spread_, sums_, zeros_;
  std::vector<Layer> layers_;
  Floats gradient_, inner_, input_;  // by a layer's output, by the middle of a block, by what norms were given
  Floats heads_, heads_out_, heads_gradient_;
  Layer value_;
  Floats value_in_, value_in_gradient_, hidden_, hidden_gradient_;
  std::vector<float> chances_;
  Floats factor_, slope_, offset_;
};

}  // namespace fuhyo::learn::policy
