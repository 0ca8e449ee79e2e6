// A message of a reader about a line of a file. Plain values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fuhyo::record {

struct Diagnostic {
  std::int32_t line = 0;  // from 1; 0: the file as a whole
  std::string text;
  bool operator==(const Diagnostic&) const = default;
};
std::string to_string(const Diagnostic& diagnostic);  // "line 12: ..."

// What a file says, in quotation marks, cut where it becomes too long to be told.
std::string in_quotes(std::string_view text);

}  // namespace fuhyo::record
