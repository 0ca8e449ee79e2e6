// An array of floats aligned to 64 bytes, zero at first. A value; one thread at a time.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace fuhyo::learn {

template <class T>
struct LineAligned {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  LineAligned() = default;
  template <class U>
  LineAligned(const LineAligned<U>& /*other*/) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* memory, std::size_t /*count*/) { ::operator delete(memory, kAlignment); }
  bool operator==(const LineAligned&) const = default;
};

using Floats = std::vector<float, LineAligned<float>>;

}  // namespace fuhyo::learn
