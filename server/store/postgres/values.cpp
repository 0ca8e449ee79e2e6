#include "server/store/postgres/values.h"

#include <bit>
#include <cstddef>

#include "server/store/postgres/text.h"

namespace fuhyo::store {
namespace {

// Most significant byte first.
std::string in_bytes(std::uint64_t number, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = size; i-- > 0; number >>= 8U) bytes[i] = static_cast<char>(number & 0xFFU);
  return bytes;
}

std::uint64_t from_bytes(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char c : bytes) number = number << 8U | static_cast<unsigned char>(c);
  return number;
}

std::string in_bytes(std::int64_t number) { return in_bytes(static_cast<std::uint64_t>(number), 8); }
std::string in_bytes(double number) { return in_bytes(std::bit_cast<std::uint64_t>(number), 8); }

}  // namespace

void PgArray::add_item(std::string_view item) {
  items_ += in_bytes(item.size(), 4);
  items_ += item;
  ++count_;
}
void PgArray::add(std::int64_t number) { add_item(in_bytes(number)); }
void PgArray::add_real(double number) { add_item(in_bytes(number)); }
void PgArray::add_text(std::string_view text) { add_item(to_utf8(text)); }
void PgArray::add_bytes(std::string_view bytes) { add_item(bytes); }

std::string PgArray::take() const {
  const std::uint32_t dimensions = count_ == 0 ? 0 : 1;
  std::string out = in_bytes(dimensions, 4) + in_bytes(0, 4) + in_bytes(static_cast<std::uint32_t>(type_), 4);
  if (dimensions == 1) out += in_bytes(count_, 4) + in_bytes(1, 4) + items_;
  return out;
}

PgParams& PgParams::add(std::int64_t number) {
  values_.push_back(in_bytes(number));
  return *this;
}
PgParams& PgParams::add_flag(bool flag) {
  values_.emplace_back(1, flag ? '\1' : '\0');
  return *this;
}
PgParams& PgParams::add_real(double number) {
  values_.push_back(in_bytes(number));
  return *this;
}
PgParams& PgParams::add_text(std::string_view text) {
  values_.push_back(to_utf8(text));
  return *this;
}
PgParams& PgParams::add_bytes(std::string_view bytes) {
  values_.emplace_back(bytes);
  return *this;
}
PgParams& PgParams::add(const PgArray& array) {
  values_.push_back(array.take());
  return *this;
}

std::string_view PgRows::bytes(int row, int column) const {
  return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

std::int64_t PgRows::integer(int row, int column) const {
  const std::string_view value = bytes(row, column);
  const std::uint64_t number = from_bytes(value);
  if (value.size() == 4) return static_cast<std::int32_t>(static_cast<std::uint32_t>(number));
  if (value.size() == 2) return static_cast<std::int16_t>(static_cast<std::uint16_t>(number));
  return static_cast<std::int64_t>(number);
}

double PgRows::real(int row, int column) const { return std::bit_cast<double>(from_bytes(bytes(row, column))); }

std::string PgRows::text(int row, int column) const { return from_utf8(bytes(row, column)); }

}  // namespace fuhyo::store
