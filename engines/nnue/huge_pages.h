// Zeroed memory in large pages where the system gives them: what is read at random loses less time to address
// translation. The only part of the search that knows the operating system (huge_pages_linux.cpp,
// huge_pages_windows.cpp).
#pragma once

#include <cstddef>
#include <utility>

namespace fuhyo::nnue {

// Zeroed bytes, aligned to a page. Throws std::bad_alloc.
void* allocate_large(std::size_t bytes);
void release_large(void* memory, std::size_t bytes) noexcept;

// An array of T that is all zero bytes to begin with; T must need neither construction nor destruction beyond that.
template <class T>
class LargeArray {
 public:
  LargeArray() = default;
  explicit LargeArray(std::size_t size) : data_(static_cast<T*>(allocate_large(size * sizeof(T)))), size_(size) {}
  LargeArray(LargeArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  LargeArray& operator=(LargeArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~LargeArray() {
    if (data_ != nullptr) release_large(data_, size_ * sizeof(T));
  }

  T& operator[](std::size_t i) const { return data_[i]; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace fuhyo::nnue
