// Numbers as bytes, the lowest first, and back: what the codecs of games and positions are written with.
// Pure values; one thread at a time per object.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fuhyo::record {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

template <std::unsigned_integral Number>
void put(Bytes& out, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) {
    out.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(number) >> 8 * i & 0xffU));
  }
}

// Seven bits a byte, the lowest first; the eighth says that more follow (LEB128).
inline void put_varint(Bytes& out, std::uint32_t number) {
  for (; number >= 0x80; number >>= 7U) out.push_back(static_cast<std::uint8_t>((number & 0x7fU) | 0x80U));
  out.push_back(static_cast<std::uint8_t>(number));
}

// Reads from the front. What is read beyond the end is nothing, and nothing is taken then.
class ByteReader {
 public:
  explicit ByteReader(ByteView bytes) : rest_(bytes) {}

  template <std::unsigned_integral Number>
  std::optional<Number> take() {
    if (rest_.size() < sizeof(Number)) return std::nullopt;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) number |= static_cast<std::uint64_t>(rest_[i]) << 8 * i;
    rest_ = rest_.subspan(sizeof(Number));
    return static_cast<Number>(number);
  }

  // Nothing also for a number that takes more than 32 bits.
  std::optional<std::uint32_t> take_varint() {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 5 && i < rest_.size(); ++i) {
      number |= static_cast<std::uint64_t>(rest_[i] & 0x7fU) << 7 * i;
      if ((rest_[i] & 0x80U) != 0) continue;
      if (number > UINT32_MAX) return std::nullopt;
      rest_ = rest_.subspan(i + 1);
      return static_cast<std::uint32_t>(number);
    }
    return std::nullopt;
  }

  std::optional<ByteView> take_bytes(std::size_t count) {
    if (rest_.size() < count) return std::nullopt;
    const ByteView taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

  ByteView rest() const { return rest_; }

 private:
  ByteView rest_;
};

}  // namespace fuhyo::record
