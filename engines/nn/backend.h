// What computes a network: a batch of positions goes in, policy logits and values come out. Whoever searches or plays
// many games at once knows no more of it than this.
//
// A Backend belongs to one thread at a time; another thread gets its own by for_another_thread(), which shares the
// weights. There are those of this machine's processor (cpu_backend.h), of GPUs (cuda/cuda_backend.h), of a library
// that may be installed (onnxruntime/onnxruntime_backend.h), and a slow one to compare with (reference_backend.h).
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engines/nn/model.h"

namespace fuhyo::nn {

// A map of the board: square s is bit s % 64 of word s / 64. Bits of squares that are not there are 0.
using Plane = std::array<std::uint64_t, 2>;

// The inputs of up to `capacity` positions, which keep their memory from batch to batch.
class Batch {
 public:
  Batch(const Shape& shape, std::uint32_t capacity)
      : planes_of_one_(shape.planes),
        scalars_of_one_(shape.scalars),
        capacity_(capacity),
        planes_(std::size_t{shape.planes} * capacity),
        scalars_(std::size_t{shape.scalars} * capacity) {}

  std::uint32_t size() const { return size_; }
  std::uint32_t capacity() const { return capacity_; }
  void clear() { size_ = 0; }
  // One position more, all zeros; returns its index. There must be room.
  std::uint32_t add();

  std::span<Plane> planes(std::uint32_t i) { return {planes_.data() + i * planes_of_one_, planes_of_one_}; }
  std::span<float> scalars(std::uint32_t i) { return {scalars_.data() + i * scalars_of_one_, scalars_of_one_}; }
  std::span<const Plane> planes(std::uint32_t i) const { return const_cast<Batch*>(this)->planes(i); }
  std::span<const float> scalars(std::uint32_t i) const { return const_cast<Batch*>(this)->scalars(i); }

 private:
  std::size_t planes_of_one_, scalars_of_one_;
  std::uint32_t capacity_;
  std::uint32_t size_ = 0;
  std::vector<Plane> planes_;
  std::vector<float> scalars_;
};

// What a network says of a batch.
class Evaluations {
 public:
  Evaluations(const Shape& shape, std::uint32_t capacity)
      : labels_(shape.policy_size()), logits_(std::size_t{shape.policy_size()} * capacity), values_(capacity) {}

  // A logit a label, before any softmax.
  std::span<float> logits(std::uint32_t i) { return {logits_.data() + i * labels_, labels_}; }
  std::span<const float> logits(std::uint32_t i) const { return {logits_.data() + i * labels_, labels_}; }
  // The chance of the side to move to win, 0 to 1.
  float& value(std::uint32_t i) { return values_[i]; }
  float value(std::uint32_t i) const { return values_[i]; }

 private:
  std::size_t labels_;
  std::vector<float> logits_, values_;
};

class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  virtual const Shape& shape() const = 0;
  // What computes, for people: "CPU (avx2)".
  virtual std::string name() const = 0;
  // The batch from which on a larger one gains next to nothing.
  virtual std::uint32_t best_batch() const = 0;
  // The same network for another thread; what can be shared is.
  virtual std::unique_ptr<Backend> for_another_thread() const = 0;

  // Evaluates inputs.size() positions; `out` has room for as many, and both are of this shape. An error says what
  // happened to the device: nothing more is to be had of it then.
  virtual std::expected<void, std::string> evaluate(const Batch& inputs, Evaluations& out) = 0;
};

}  // namespace fuhyo::nn
