#include "engines/nn/onnx/protobuf.h"

#include <bit>
#include <cstring>

namespace fuhyo::nn::onnx {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in files");

std::optional<std::uint64_t> take_varint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return {};
}

std::optional<std::uint64_t> MessageReader::fixed(std::size_t size) {
  if (rest_.size() < size) return {};
  std::uint64_t value = 0;
  std::memcpy(&value, rest_.data(), size);
  rest_.remove_prefix(size);
  return value;
}

std::optional<Field> MessageReader::next() {
  if (rest_.empty() || broken_) return {};
  broken_ = true;  // unless a whole field is there
  const auto key = take_varint(rest_);
  if (!key || *key >> 3 == 0 || *key >> 3 > 0x1fffffff) return {};
  Field field = {.number = static_cast<std::uint32_t>(*key >> 3)};
  std::optional<std::uint64_t> value;
  switch (*key & 7) {
    case 0:
      value = take_varint(rest_);
      break;
    case 1:
      field.kind = Field::Kind::fixed64;
      value = fixed(8);
      break;
    case 2:
      field.kind = Field::Kind::bytes;
      value = take_varint(rest_);
      if (!value || *value > rest_.size()) return {};
      field.bytes = rest_.substr(0, *value);
      rest_.remove_prefix(*value);
      break;
    case 5:
      field.kind = Field::Kind::fixed32;
      value = fixed(4);
      break;
    default:
      return {};  // groups, which nothing has used for twenty years
  }
  if (!value) return {};
  field.value = *value;
  broken_ = false;
  return field;
}

}  // namespace fuhyo::nn::onnx
