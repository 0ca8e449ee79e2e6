// What a person may choose as a password. Any thread; some 100 us for a usual one, a few ms at worst.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fuhyo::secrets {

// ASVS 5.0, 6.2.1; of UTF-8, which any password may be.
inline constexpr std::size_t kLeastPassword = 8;  // characters

// Why nobody called `name` shall have the password `text`, for his eyes; nothing: it may be taken. Refused is what is
// too short or too long, one of the most common passwords (ASVS 6.2.4), what holds the name or one of `servers`, the
// names of the server (6.2.11), and what would be among the first million guesses by zxcvbn's estimate: rows of keys,
// dates, words with a digit behind them. No kind of character is asked for (6.2.5).
std::optional<std::string> why_no_password(std::string_view text, std::string_view name,
                                           std::span<const std::string> servers);

}  // namespace fuhyo::secrets
