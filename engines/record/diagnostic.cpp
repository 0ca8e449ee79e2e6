#include "engines/record/diagnostic.h"

#include <cstddef>

namespace fuhyo::record {

std::string to_string(const Diagnostic& diagnostic) {
  if (diagnostic.line == 0) return diagnostic.text;
  return "line " + std::to_string(diagnostic.line) + ": " + diagnostic.text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return "'" + std::string(text) + "'";
  std::size_t length = kLongest;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;  // whole characters
  return "'" + std::string(text.substr(0, length)) + "...'";
}

}  // namespace fuhyo::record
