// Hashes that nobody can make who does not hold the key, and the files that keys live in. Any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace fuhyo::secrets {

// The key in `file`, 64 hex digits; nothing if there is no such file. The error names the file.
std::expected<std::optional<std::string>, std::string> secret_in(const std::filesystem::path& file);
// The same; made, for the owner of the process alone, if there is none. The error names the
// file.
std::expected<std::string, std::string> secret_of(const std::filesystem::path& file);

// 32 hex digits: HMAC-SHA-256, the first half of it. The same for ever, whatever the length of either.
std::string keyed_hash(std::string_view key, std::string_view text);
// The first 192 bits of the same, as 32 characters of A-Z a-z 0-9 - _: a secret that need not be kept anywhere.
std::string keyed_token(std::string_view key, std::string_view text);
// The first 160 bits, as 32 characters of base 32.
std::string keyed_base32(std::string_view key, std::string_view text);

}  // namespace fuhyo::secrets
