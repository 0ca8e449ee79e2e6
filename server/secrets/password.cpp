#include "server/secrets/password.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <sodium.h>

#include "engines/shogi/number.h"

namespace fuhyo::secrets {
namespace {

// OWASP's and ASVS 5.0's least for Argon2id.
constexpr std::uint64_t kPasses = 2, kMemory_kib = 19'456;
// What is stored may be raised one day; work without a bound is never done for a stored string.
constexpr std::uint64_t kMostPasses = 16, kMostMemory_kib = 256 * 1024;

using Encoded = std::array<char, crypto_pwhash_STRBYTES>;

void ready() {
  static const int made = sodium_init();
  if (made < 0) std::abort();
}

// "m=19456," from the front.
std::optional<std::uint64_t> take_number(std::string_view& rest, std::string_view key, char end) {
  if (!rest.starts_with(key)) return std::nullopt;
  rest.remove_prefix(key.size());
  const auto number = shogi::take_number<std::uint64_t>(rest);
  if (!number || !rest.starts_with(end)) return std::nullopt;
  rest.remove_prefix(1);
  return number;
}

// As the library reads it: with zeros behind. Nothing: it is no hash that is to be looked at.
std::optional<Encoded> readable(std::string_view encoded) {
  std::string_view rest = encoded;
  Encoded text{};
  if (encoded.size() >= text.size() || encoded.find('\0') != std::string_view::npos) return std::nullopt;
  if (!take_number(rest, "$argon2id$v=", '$')) return std::nullopt;
  const auto memory_kib = take_number(rest, "m=", ','), passes = take_number(rest, "t=", ',');
  if (!memory_kib || !passes || !rest.starts_with("p=1$")) return std::nullopt;
  if (*memory_kib > kMostMemory_kib || *passes > kMostPasses) return std::nullopt;
  std::ranges::copy(encoded, text.begin());
  return text;
}

}  // namespace

std::optional<std::string> hash_password(std::string_view text) {
  ready();
  if (text.empty() || text.size() > kMaxPassword) return std::nullopt;
  Encoded encoded{};
  if (crypto_pwhash_str_alg(encoded.data(), text.data(), text.size(), kPasses, kMemory_kib * 1024,
                            crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return std::nullopt;
  }
  return std::string(encoded.data());
}

bool check_password(std::string_view encoded, std::string_view text) {
  ready();
  if (text.empty() || text.size() > kMaxPassword) return false;
  const auto stored = readable(encoded);
  return stored && crypto_pwhash_str_verify(stored->data(), text.data(), text.size()) == 0;
}

bool needs_rehash(std::string_view encoded) {
  ready();
  const auto stored = readable(encoded);
  return !stored || crypto_pwhash_str_needs_rehash(stored->data(), kPasses, kMemory_kib * 1024) != 0;
}

const std::string& nobodys_password() {
  static const std::string encoded = fmt::format("$argon2id$v=19$m={},t={},p=1${}${}", kMemory_kib, kPasses,
                                                 std::string(22, 'A'), std::string(43, 'A'));
  return encoded;
}

}  // namespace fuhyo::secrets
