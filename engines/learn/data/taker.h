// Parses bytes from the front. An end that comes too early is an error that the caller checks once, at the end. Pure.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace fuhyo::learn {

// After the first failure ok() stays false, and results are empty or zero. Numbers are in native byte order.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : bytes_(bytes) {}
  bool ok() const { return ok_; }
  bool empty() const { return bytes_.empty(); }

  std::string_view bytes(std::uint64_t count) {
    if (count > bytes_.size()) ok_ = false;
    if (!ok_) return {};
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  template <class T>
  T number() {
    T value = 0;
    if (const std::string_view taken = bytes(sizeof value); ok_) std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }
  // A length of 64 bits and so many floats; fails if the length is not that of `to`.
  void array(std::span<float> to) {
    if (number<std::uint64_t>() != to.size()) ok_ = false;
    if (const std::string_view taken = bytes(to.size_bytes()); ok_ && !to.empty()) {
      std::memcpy(to.data(), taken.data(), taken.size());
    }
  }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace fuhyo::learn
