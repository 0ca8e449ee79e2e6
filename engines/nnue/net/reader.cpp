#include "engines/nnue/net/reader.h"

#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <vector>

namespace fuhyo::nnue {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in files");

constexpr std::string_view kMagic = "COMPRESSED_LEB128";

}  // namespace

void Reader::fail(std::string error) {
  if (ok()) error_ = std::move(error);
}

bool Reader::take(void* out, std::uint64_t length, std::string_view what) {
  if (!ok()) return false;
  if (length > left()) {
    fail(fmt::format("the file ends within {}: {} bytes from offset {} on are expected, {} are there", what, length,
                     position_, left()));
    return false;
  }
  if (!in_.read(static_cast<char*>(out), static_cast<std::streamsize>(length))) {
    fail(fmt::format("{} cannot be read at offset {}", what, position_));
    return false;
  }
  position_ += length;
  return true;
}

std::uint32_t Reader::u32(std::string_view what) {
  std::uint32_t value = 0;
  return take(&value, sizeof value, what) ? value : 0;
}

std::string Reader::text(std::uint64_t length, std::string_view what) {
  if (!ok()) return {};
  std::string out(length <= left() ? length : 0, '\0');
  return take(out.data(), length, what) ? out : std::string{};
}

void Reader::bytes(std::span<std::int8_t> out, std::string_view what) { take(out.data(), out.size_bytes(), what); }
void Reader::numbers(std::span<std::int32_t> out, std::string_view what) { take(out.data(), out.size_bytes(), what); }
void Reader::numbers(std::span<std::int16_t> out, std::string_view what) { take(out.data(), out.size_bytes(), what); }

void Reader::maybe_compressed(std::span<std::int16_t> out, std::string_view what) {
  std::array<char, kMagic.size()> begin{};
  if (!ok() || left() < begin.size() || out.size_bytes() < begin.size()) return compressed(out, what);
  if (!take(begin.data(), begin.size(), what)) return;
  if (std::string_view(begin.data(), begin.size()) == kMagic) {
    // Back, so that one function reads the whole block.
    in_.seekg(-static_cast<std::streamoff>(begin.size()), std::ios::cur);
    position_ -= begin.size();
    return compressed(out, what);
  }
  const std::span raw = std::as_writable_bytes(out);
  std::memcpy(raw.data(), begin.data(), begin.size());
  take(raw.data() + begin.size(), raw.size() - begin.size(), what);
}

// Seven bits a byte, low ones first; the highest bit says that more follow, the next one of the last is the sign.
void Reader::compressed(std::span<std::int16_t> out, std::string_view what) {
  if (text(kMagic.size(), what) != kMagic) return fail(fmt::format("{} is no {} block", what, kMagic));
  std::uint64_t length = u32(what);
  if (!ok()) return;
  if (length > left()) {
    return fail(fmt::format("the file ends within {}: {} bytes from offset {} on are expected, {} are there", what,
                            length, position_, left()));
  }
  std::vector<std::uint8_t> buffer(std::size_t{1} << 16);
  std::size_t at = 0, filled = 0;
  for (std::int16_t& value : out) {
    std::uint32_t bits = 0;
    std::uint32_t shift = 0;
    std::uint8_t byte = 0x80;
    for (; (byte & 0x80) != 0; shift += 7) {
      if (at == filled) {
        filled = std::min<std::uint64_t>(buffer.size(), length);
        if (filled == 0)
          return fail(fmt::format("{} ends after {} of {} numbers", what, &value - out.data(), out.size()));
        if (!take(buffer.data(), filled, what)) return;
        length -= filled;
        at = 0;
      }
      byte = buffer[at++];
      if (shift > 14) return fail(fmt::format("{} has a number of more than 16 bits", what));
      bits |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
    }
    if ((byte & 0x40) != 0) bits |= ~std::uint32_t{0} << shift;
    value = static_cast<std::int16_t>(bits);
  }
  if (const std::uint64_t rest = length + filled - at; rest != 0) {
    fail(fmt::format("{} has {} bytes more than its {} numbers need", what, rest, out.size()));
  }
}

}  // namespace fuhyo::nnue
