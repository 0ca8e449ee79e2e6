// What of a language model's answer may be shown: plain text, of bounded length, about no move but those that it was
// told of. Pure; any thread.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "server/core/commentary/turn.h"

namespace fuhyo::core {

constexpr std::size_t kLongestSaid = 600;  // bytes: 200 kanji

// The text on one line; or why it may not be shown. `text` is valid UTF-8.
std::expected<std::string, std::string> fit_to_say(std::string_view text, const Turn& turn);

}  // namespace fuhyo::core
