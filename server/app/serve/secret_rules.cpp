#include "server/app/serve/secret_rules.h"

#include <fmt/format.h>

#include "server/app/serve/host_facts.h"
#include "server/secrets/keyed_hash.h"
#include "server/secrets/totp.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kTrip = 10;  // characters: 60 bits

// The secret of one-time codes is made of the key and is stored nowhere: with another number it is another one.
std::string code_secret(std::string_view key, std::string_view name, std::int64_t generation) {
  return secrets::keyed_base32(key, fmt::format("code\n{}\n{}", name, generation));
}

}  // namespace

core::SecretRules secret_rules(const std::string& key, const std::string& issuer) {
  core::SecretRules rules;
  rules.keyed = [key](std::string_view purpose, std::string_view text) {
    return secrets::keyed_token(key, fmt::format("{}\n{}", purpose, text));
  };
  rules.legacy = md5_hex;
  rules.code_address = [key, issuer](std::string_view name, std::int64_t generation) {
    return secrets::totp_uri(code_secret(key, name, generation), issuer, name);
  };
  rules.code_step = [key](std::string_view name, std::int64_t generation, std::string_view code, core::Wall now) {
    return secrets::check_totp(code_secret(key, name, generation), code, now.us / core::kSecond, secrets::kNoTotpStep);
  };
  return rules;
}

std::string keyed_trip(std::string_view key, std::string_view trip) {
  return secrets::keyed_token(key, fmt::format("trip\n{}", trip)).substr(0, kTrip);
}

}  // namespace fuhyo::app
