// Bytes of any encoding as text that a UTF-8 database takes, and back, without loss: what is no UTF-8, and NUL, becomes
// characters of the private area U+EF00..U+EFFF, and so does what was such a character already. Pure.
#pragma once

#include <string>
#include <string_view>

namespace fuhyo::store {

std::string to_utf8(std::string_view bytes);
std::string from_utf8(std::string_view text);  // of what to_utf8() made

}  // namespace fuhyo::store
