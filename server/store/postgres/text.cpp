#include "server/store/postgres/text.h"

#include <cstddef>
#include <cstdint>

namespace fuhyo::store {
namespace {

std::uint32_t byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

bool continues(std::uint32_t byte) { return (byte & 0xC0U) == 0x80U; }

// Bytes of the well-formed character at `at`; 0: there is none. NUL is none here.
std::size_t character(std::string_view text, std::size_t at) {
  const std::uint32_t a = byte_at(text, at), b = byte_at(text, at + 1);
  if (a > 0 && a < 0x80U) return 1;
  if (a >= 0xC2U && a < 0xE0U) return continues(b) ? 2 : 0;
  if (a >= 0xE0U && a < 0xF0U) {
    const bool overlong = a == 0xE0U && b < 0xA0U, surrogate = a == 0xEDU && b >= 0xA0U;
    return continues(b) && continues(byte_at(text, at + 2)) && !overlong && !surrogate ? 3 : 0;
  }
  if (a >= 0xF0U && a < 0xF5U) {
    const bool overlong = a == 0xF0U && b < 0x90U, beyond = a == 0xF4U && b >= 0x90U;
    const bool whole = continues(b) && continues(byte_at(text, at + 2)) && continues(byte_at(text, at + 3));
    return whole && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

// U+EF00..U+EFFF: EE BC 80 .. EE BF BF.
bool is_private(std::string_view text, std::size_t at) {
  return byte_at(text, at) == 0xEEU && byte_at(text, at + 1) >= 0xBCU && byte_at(text, at + 1) <= 0xBFU &&
         continues(byte_at(text, at + 2));
}

void add_private(std::string& out, std::uint32_t byte) {
  out += '\xEE';
  out += static_cast<char>(0xBCU | (byte >> 6U));
  out += static_cast<char>(0x80U | (byte & 0x3FU));
}

}  // namespace

std::string to_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t size = character(bytes, at);
    if (size == 0 || is_private(bytes, at)) {
      add_private(out, byte_at(bytes, at++));
      continue;
    }
    out += bytes.substr(at, size);
    at += size;
  }
  return out;
}

std::string from_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (!is_private(text, at)) {
      out += text[at++];
      continue;
    }
    out += static_cast<char>((byte_at(text, at + 1) & 3U) << 6U | (byte_at(text, at + 2) & 0x3FU));
    at += 3;
  }
  return out;
}

}  // namespace fuhyo::store
