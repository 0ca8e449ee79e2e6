// What our CSV files have in common: RFC 4180, in UTF-8 with its mark, because Excel takes a file without one for
// another encoding. Text of strangers stays text there: one that would begin a formula has an apostrophe before it.
// Pure.
#pragma once

#include <string>
#include <string_view>

namespace fuhyo::net {

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// A field in quotes.
std::string csv_quoted(std::string_view text);

}  // namespace fuhyo::net
