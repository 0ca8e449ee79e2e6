// Conversions between encodings as the operating system does them (encoding_linux.cpp: iconv). For encoding.cpp alone.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "engines/record/encoding.h"

namespace fuhyo::record {

// How many bytes of the rest, which is not empty, go together where they have no counterpart: 1 or more.
using Unit = std::size_t (*)(std::string_view rest);

// One of the two is UTF-8. What has no counterpart becomes `substitute`, and counts as bad. Fails only if this system
// lacks the conversion.
std::expected<Converted, std::string> convert_by_system(std::string_view text, Encoding to, Encoding from,
                                                        std::string_view substitute, Unit unit);

}  // namespace fuhyo::record
