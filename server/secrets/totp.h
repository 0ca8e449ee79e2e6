// One-time codes of an authenticator app: RFC 6238 with SHA-1, six digits, a new one every 30 s. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fuhyo::secrets {

inline constexpr std::int64_t kTotpStep_s = 30;
inline constexpr std::int64_t kNoTotpStep = -1;  // no code was ever taken

// What an app takes from a QR code: "otpauth://totp/<issuer>:<account>?secret=...". Other characters than letters,
// digits and - . _ ~ are escaped.
std::string totp_uri(std::string_view secret, std::string_view issuer, std::string_view account);

// The six digits of the step (Unix time / 30 s). Nothing: the secret is no base 32 of 10 to 64 bytes.
std::optional<std::string> totp_code(std::string_view secret, std::int64_t step);

// The step that the code belongs to, to be kept as the account's last one; nothing if it is of no step from the one
// before `wall_s` (seconds since 1970) to the one after it, or of none after `last_step`: each code is good once.
std::optional<std::int64_t> check_totp(std::string_view secret, std::string_view code, std::int64_t wall_s,
                                       std::int64_t last_step);

}  // namespace fuhyo::secrets
