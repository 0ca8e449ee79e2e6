// Memory for the weights of a network: aligned to 64 bytes, all zeros at first. One thread fills it; then it is read by
// any.
#pragma once

#include <cstddef>
#include <memory>

namespace fuhyo::nnue {

class Memory {
 public:
  // Throws std::bad_alloc.
  static std::unique_ptr<Memory> allocate(std::size_t size);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool shared() const { return shared_; }

 private:
  Memory(std::byte* data, std::size_t size, bool shared) : data_(data), size_(size), shared_(shared) {}

  std::byte* data_;
  std::size_t size_;
  bool shared_;
};

}  // namespace fuhyo::nnue
