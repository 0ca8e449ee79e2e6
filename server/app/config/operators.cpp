#include "server/app/config/operators.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <span>
#include <utility>

#include "server/app/config/key_values.h"
#include "server/csa/command.h"
#include "server/secrets/random.h"
#include "server/secrets/text.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kSaltDigits = 32, kHashDigits = 64, kMaxOperatorName = 32;

std::string hash_with(std::string_view salt, std::string_view secret) {
  const std::string text = fmt::format("{}{}", salt, secret);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) return {};
  return fmt::format("{}:{}", salt, secrets::hex(std::span(digest).first(length)));
}

}  // namespace

bool is_secret_hash(std::string_view text) {
  const auto digits = [](std::string_view part) {
    return std::ranges::all_of(part, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  };
  return text.size() == kSaltDigits + 1 + kHashDigits && text[kSaltDigits] == ':' &&
         digits(text.substr(0, kSaltDigits)) && digits(text.substr(kSaltDigits + 1));
}

std::expected<Operator, std::string> parse_operator(std::string_view line) {
  Operator post;
  post.role = core::Role::player;
  for (const auto& [key, value] : key_values(line)) {
    if (key == "name") {
      post.name = value;
    } else if (key == "secret_hash") {
      post.secret_hash = value;
    } else if (key == "role") {
      post.role = value == "host" ? core::Role::host : value == "admin" ? core::Role::admin : core::Role::player;
    } else {
      return std::unexpected(fmt::format("an operator has name, secret_hash and role, not '{}'", key));
    }
  }
  if (!csa::is_identifier(post.name, kMaxOperatorName)) {
    return std::unexpected(fmt::format("'{}' is no name of an operator", post.name));
  }
  if (post.role == core::Role::player) return std::unexpected("the role of an operator is host or admin");
  if (!is_secret_hash(post.secret_hash)) {
    return std::unexpected(fmt::format("secret_hash of {} is not what 'fuhyo admin operator add' prints", post.name));
  }
  return post;
}

NewOperator make_operator(std::string name, core::Role role) {
  std::string secret = secrets::random_token();
  std::string hash = hash_secret(secret);
  return {.post = {.name = std::move(name), .role = role, .secret_hash = std::move(hash)}, .secret = std::move(secret)};
}

std::string hash_secret(std::string_view secret) { return hash_with(secrets::random_id(), secret); }

bool is_secret(std::string_view secret_hash, std::string_view secret) {
  const std::string tried = hash_with(secret_hash.substr(0, kSaltDigits), secret);
  return tried.size() == secret_hash.size() && CRYPTO_memcmp(tried.data(), secret_hash.data(), tried.size()) == 0;
}

std::string operator_toml(const Operator& post) {
  return fmt::format("[[operator]]\nname = \"{}\"\nrole = \"{}\"\nsecret_hash = \"{}\"\n", post.name,
                     core::to_string(post.role), post.secret_hash);
}

}  // namespace fuhyo::app
