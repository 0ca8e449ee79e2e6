// The interface of a backend, which evaluates a network: a batch of positions in, policy logits and values out.
//
// A Backend belongs to one thread at a time; for_another_thread() creates one for another thread, which shares the
// weights. There are backends for the CPU (cpu_backend.h), for GPUs (cuda/cuda_backend.h), for ONNX Runtime
// (onnxruntime/onnxruntime_backend.h), and a slow one for comparison (reference_backend.h).
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

// A bitmap of the board: square s is bit s % 64 of word s / 64. All other bits are 0.
using Plane = std::array<std::uint64_t, 2>;

// The inputs of up to `capacity` positions. The memory is reused from batch to batch.
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
  // Adds a position, all zeros; returns its index. There must be room.
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

// The outputs of a network for a batch.
class Evaluations {
 public:
  Evaluations(const Shape& shape, std::uint32_t capacity)
      : labels_(shape.policy_size()), logits_(std::size_t{shape.policy_size()} * capacity), values_(capacity) {}

  // One logit for each label, before softmax.
  std::span<float> logits(std::uint32_t i) { return {logits_.data() + i * labels_, labels_}; }
  std::span<const float> logits(std::uint32_t i) const { return {logits_.data() + i * labels_, labels_}; }
  // The win rate of the side to move, 0 to 1.
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
  // The name of the backend, for people: "CPU (avx2)".
  virtual std::string name() const = 0;
  // The batch size beyond which the speed hardly grows.
  virtual std::uint32_t best_batch() const = 0;
  // The same network for another thread, with shared weights.
  virtual std::unique_ptr<Backend> for_another_thread() const = 0;

  // Evaluates inputs.size() positions; `out` has room for as many, and both are of this shape. An error describes a
  // failure of the device, after which the backend is unusable.
  virtual std::expected<void, std::string> evaluate(const Batch& inputs, Evaluations& out) = 0;
};

}  // namespace fuhyo::nn
