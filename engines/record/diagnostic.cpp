#include "engines/record/diagnostic.h"

#include <cstddef>

#include "engines/record/encoding.h"

namespace fuhyo::record {

std::string to_string(const Diagnostic& diagnostic) {
  if (diagnostic.line == 0) return diagnostic.text;
  return "line " + std::to_string(diagnostic.line) + ": " + diagnostic.text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return "'" + std::string(text) + "'";
  return "'" + std::string(shortened(text, kLongest)) + "...'";
}

}  // namespace fuhyo::record
