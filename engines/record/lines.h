// What text formats share, of records and of other lines. Pure functions; any thread.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace fuhyo::record {

// One line; a line break inside a value would make a statement of what follows it. (A CR inside a line is none.)
inline void append_line(std::string& out, std::string_view head, std::string_view text) {
  out += head;
  for (const char c : text) out += c == '\n' ? ' ' : c;
  out += '\n';
}

// Without blanks, TABs and CRs at its ends.
inline std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

}  // namespace fuhyo::record
