// What writers of text formats share. Pure functions; any thread. Private to this room.
#pragma once

#include <string>
#include <string_view>

namespace fuhyo::record {

// One line; a line break inside a value would make a statement of what follows it. (A CR inside a line is none.)
inline void append_line(std::string& out, std::string_view head, std::string_view text) {
  out += head;
  for (const char c : text) out += c == '\n' ? ' ' : c;
  out += '\n';
}

}  // namespace fuhyo::record
