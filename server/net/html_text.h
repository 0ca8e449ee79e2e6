// Text of strangers as HTML. Pure.
#pragma once

#include <string>
#include <string_view>

namespace fuhyo::net {

// Of any bytes; good between tags and in quoted attributes.
std::string html_escaped(std::string_view text);
// The same with its line feeds.
std::string html_escaped_lines(std::string_view text);

}  // namespace fuhyo::net
