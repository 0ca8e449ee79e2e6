#include "server/secrets/totp.h"

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "server/csa/secret.h"
#include "server/secrets/text.h"

namespace fuhyo::secrets {
namespace {

constexpr std::size_t kLeastBytes = 10, kMostBytes = 64;
constexpr std::int64_t kWindow = 1;  // steps that a clock may be wrong by

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '.' || c == '_' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace

std::string totp_uri(std::string_view secret, std::string_view issuer, std::string_view account) {
  return fmt::format("otpauth://totp/{0}:{1}?secret={2}&issuer={0}&algorithm=SHA1&digits=6&period={3}", escaped(issuer),
                     escaped(account), secret, kTotpStep_s);
}

// RFC 4226, section 5.3.
std::optional<std::string> totp_code(std::string_view secret, std::int64_t step) {
  auto key = from_base32(secret, kMostBytes);
  if (!key || key->size() < kLeastBytes || step < 0) return std::nullopt;
  std::array<unsigned char, 8> moving{};
  for (std::size_t i = 0; i < moving.size(); ++i) moving[i] = static_cast<unsigned char>(step >> (56 - 8 * i));
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  const auto* made = HMAC(EVP_sha1(), key->data(), static_cast<int>(key->size()), moving.data(), moving.size(),
                          digest.data(), &length);
  OPENSSL_cleanse(key->data(), key->size());
  if (made == nullptr) std::abort();
  const std::size_t offset = digest[length - 1] & 0xfU;
  std::uint32_t number = digest[offset] & 0x7fU;
  for (std::size_t i = 1; i < 4; ++i) number = (number << 8) | digest[offset + i];
  return fmt::format("{:06}", number % 1'000'000);
}

std::optional<std::int64_t> check_totp(std::string_view secret, std::string_view code, std::int64_t wall_s,
                                       std::int64_t last_step) {
  const std::int64_t now = wall_s / kTotpStep_s;
  std::optional<std::int64_t> found;
  for (std::int64_t step = now - kWindow; step <= now + kWindow; ++step) {
    const auto right = totp_code(secret, step);
    if (right && csa::same(*right, code) && step > last_step && !found) found = step;
  }
  return found;
}

}  // namespace fuhyo::secrets
