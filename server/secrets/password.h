// Passwords that people choose, as Argon2id (libsodium), in the encoding that names its own parameters:
// "$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>". Each call of hash_password() and check_password() costs some 50 ms of
// a core and 19 MiB for that long; see password_hasher.h. Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fuhyo::secrets {

// More is refused without being looked at; ASVS wants 64 at least to be allowed.
inline constexpr std::size_t kMaxPassword = 1024;  // bytes

// Nothing: it is empty or too long, or there is no memory.
std::optional<std::string> hash_password(std::string_view text);

// False also where `encoded` is no such hash, or asks for more work than this program ever does.
bool check_password(std::string_view encoded, std::string_view text);

// Whether the hash was made with other parameters than today's, or is none.
bool needs_rehash(std::string_view encoded);

// A hash that no text has: to check against costs what another one costs.
const std::string& nobodys_password();

}  // namespace fuhyo::secrets
