#include "server/secrets/random.h"

#include <array>
#include <cstdlib>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include "server/secrets/text.h"

namespace fuhyo::secrets {
namespace {

constexpr std::size_t kTokenBytes = 24, kIdBytes = 16;

}  // namespace

void fill_random(std::span<unsigned char> bytes) {
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) std::abort();
}

std::string random_token() {
  std::array<unsigned char, kTokenBytes> bytes{};
  fill_random(bytes);
  std::string token = base64url(bytes);
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return token;
}

std::string random_id() {
  std::array<unsigned char, kIdBytes> bytes{};
  fill_random(bytes);
  return hex(bytes);
}

}  // namespace fuhyo::secrets
