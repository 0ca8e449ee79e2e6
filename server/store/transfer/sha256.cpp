#include "server/store/transfer/sha256.h"

#include <array>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <stdexcept>

namespace fuhyo::store {
namespace {

void check(int done) {
  if (done != 1) throw std::runtime_error("libcrypto makes no SHA-256");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  check(context_ != nullptr);
  check(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::add(std::string_view bytes) { check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size())); }

std::string Sha256::finish() {
  std::array<unsigned char, 32> digest{};
  check(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr));
  std::string digits;
  for (const unsigned char byte : digest) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace fuhyo::store
