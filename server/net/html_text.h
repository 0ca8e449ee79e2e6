// Text of strangers as HTML. Pure.
#pragma once

#include <string>
#include <string_view>

namespace fuhyo::net {

// Of any bytes; good between tags and in quoted attributes.
std::string html_escaped(std::string_view text);
// The same with its line feeds, without lines that begin with `left_out`.
std::string html_escaped_lines(std::string_view text, char left_out = '\0');

}  // namespace fuhyo::net
