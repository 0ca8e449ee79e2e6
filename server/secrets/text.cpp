#include "server/secrets/text.h"

#include <cstdint>

namespace fuhyo::secrets {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::string_view kBase64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// `width` bits a character, the highest first; the last character is filled up with zeros.
std::string in_digits(Bytes bytes, unsigned width, std::string_view digits) {
  std::string text;
  text.reserve((bytes.size() * 8 + width - 1) / width);
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const unsigned char byte : bytes) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= width; count -= width) text += digits[(bits >> (count - width)) % digits.size()];
  }
  if (count > 0) text += digits[(bits << (width - count)) % digits.size()];
  return text;
}

}  // namespace

std::string hex(Bytes bytes) { return in_digits(bytes, 4, kHex); }
std::string base64url(Bytes bytes) { return in_digits(bytes, 6, kBase64url); }
std::string base32(Bytes bytes) { return in_digits(bytes, 5, kBase32); }

std::optional<std::vector<unsigned char>> from_base32(std::string_view text, std::size_t most) {
  std::vector<unsigned char> bytes;
  bytes.reserve(most);
  if (text.size() * 5 / 8 > most) return std::nullopt;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::size_t digit = kBase32.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 5) | static_cast<std::uint32_t>(digit);
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<unsigned char>(bits >> count));
  }
  const bool filled_with_zeros = count < 5 && (bits & ((1U << count) - 1)) == 0;
  if (!filled_with_zeros) return std::nullopt;
  return bytes;
}

}  // namespace fuhyo::secrets
