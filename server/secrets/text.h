// Bytes as text that fits into files, cookies and lines. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::secrets {

using Bytes = std::span<const unsigned char>;

std::string hex(Bytes bytes);  // two digits a byte, lower case
// RFC 4648, section 5, without padding: A-Z a-z 0-9 - _
std::string base64url(Bytes bytes);
// RFC 4648, section 6, without padding: A-Z 2-7
std::string base32(Bytes bytes);
// Nothing: it holds another character, is longer than `most` bytes, or is no whole number of bytes.
std::optional<std::vector<unsigned char>> from_base32(std::string_view text, std::size_t most);

}  // namespace fuhyo::secrets
