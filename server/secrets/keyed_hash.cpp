#include "server/secrets/keyed_hash.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <span>
#include <unistd.h>
#include <utility>

#include "server/secrets/random.h"
#include "server/secrets/text.h"

namespace fuhyo::secrets {
namespace {

constexpr std::size_t kKeyBytes = 32, kDigestBytes = 32, kHashBytes = 16, kTokenBytes = 24, kBase32Bytes = 20;

// HMAC-SHA-256
std::array<unsigned char, kDigestBytes> keyed_bytes(std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  // Without bytes some versions take a null pointer for "no key", and go on with the former one.
  static constexpr char kNothing = '\0';
  const void* key_bytes = key.empty() ? &kNothing : key.data();
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.empty() ? &kNothing : text.data());
  const auto* made =
      HMAC(EVP_sha256(), key_bytes, static_cast<int>(key.size()), bytes, text.size(), digest.data(), &length);
  if (made == nullptr) std::abort();  // a hash that is the same for everybody would open every door
  std::array<unsigned char, kDigestBytes> all{};
  std::copy_n(digest.begin(), all.size(), all.begin());
  return all;
}

std::unexpected<std::string> refuse(const std::filesystem::path& file, const char* what) {
  return std::unexpected(fmt::format("{}: {}: {}", file.string(), what, std::strerror(errno)));
}

}  // namespace

std::expected<std::optional<std::string>, std::string> secret_in(const std::filesystem::path& file) {
  const int there = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (there < 0 && errno == ENOENT) return std::nullopt;
  if (there < 0) return refuse(file, "cannot be read");
  std::array<char, 2 * kKeyBytes> text{};
  const ssize_t size = ::read(there, text.data(), text.size());
  ::close(there);
  if (size == static_cast<ssize_t>(text.size())) return std::string(text.data(), text.size());
  return std::unexpected(fmt::format("{}: is not a secret of 64 hex digits", file.string()));
}

// Written beside and moved into place, so that a half written key is never read.
std::expected<std::string, std::string> secret_of(const std::filesystem::path& file) {
  auto kept = secret_in(file);
  if (!kept) return std::unexpected(std::move(kept.error()));
  if (*kept) return std::move(**kept);
  std::array<unsigned char, kKeyBytes> random{};
  fill_random(random);
  std::string key = hex(random);
  OPENSSL_cleanse(random.data(), random.size());
  const std::string beside = file.string() + ".new";
  const int made = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (made < 0) return refuse(file, "cannot be made");
  const bool whole = ::write(made, key.data(), key.size()) == static_cast<ssize_t>(key.size());
  const bool safe = whole && ::fsync(made) == 0;
  ::close(made);
  if (!safe || ::rename(beside.c_str(), file.c_str()) != 0) return refuse(file, "cannot be written");
  return key;
}

std::string keyed_hash(std::string_view key, std::string_view text) {
  return hex(Bytes(keyed_bytes(key, text)).first(kHashBytes));
}
std::string keyed_token(std::string_view key, std::string_view text) {
  return base64url(Bytes(keyed_bytes(key, text)).first(kTokenBytes));
}
std::string keyed_base32(std::string_view key, std::string_view text) {
  return base32(Bytes(keyed_bytes(key, text)).first(kBase32Bytes));
}

}  // namespace fuhyo::secrets
