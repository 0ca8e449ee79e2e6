// What a person or a program shows to prove who it is. It has no formatter and no operator<<, so that it cannot reach a
// log, a line or a page by mistake, and its memory is wiped when it goes. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace fuhyo::csa {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string_view text) : text_(text) {}
  Secret(const Secret&) = default;
  Secret(Secret&& other) noexcept : text_(std::move(other.text_)) { other.wipe(); }
  Secret& operator=(const Secret& other) {
    if (this != &other) {
      wipe();
      text_ = other.text_;
    }
    return *this;
  }
  Secret& operator=(Secret&& other) noexcept {
    if (this != &other) {
      wipe();
      text_ = std::move(other.text_);
      other.wipe();
    }
    return *this;
  }
  ~Secret() { wipe(); }

  // For what checks it, and nobody else: the one way to see it.
  std::string_view reveal() const { return text_; }
  bool empty() const { return text_.empty(); }
  std::size_t size() const { return text_.size(); }

 private:
  void wipe() {
    volatile char* bytes = text_.data();  // a write that the compiler may not leave out
    for (std::size_t i = 0; i < text_.size(); ++i) bytes[i] = 0;
    text_.clear();
  }
  std::string text_;
};

// Whether two texts are the same, in a time that depends on their lengths alone.
inline bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

}  // namespace fuhyo::csa
