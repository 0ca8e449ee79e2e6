// Protocol buffers, as far as ONNX files need them: a message is a row of numbered fields, read one after the other,
// never beyond its end. One thread at a time for a reader; what it hands out are views of the bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fuhyo::nn::onnx {

struct Field {
  std::uint32_t number = 0;
  enum class Kind : std::uint8_t { varint, fixed64, bytes, fixed32 } kind = Kind::varint;
  std::uint64_t value = 0;  // of numbers; of 32 bits in the low ones
  std::string_view bytes;   // of texts, messages and packed numbers
};

// Takes a number of variable length off the beginning; nothing if there is no whole one.
std::optional<std::uint64_t> take_varint(std::string_view& rest);

class MessageReader {
 public:
  explicit MessageReader(std::string_view message) : rest_(message) {}

  // The next field; nothing at the end, or where the bytes are no message: broken() tells which.
  std::optional<Field> next();
  bool broken() const { return broken_; }

 private:
  std::optional<std::uint64_t> fixed(std::size_t size);

  std::string_view rest_;
  bool broken_ = false;
};

}  // namespace fuhyo::nn::onnx
