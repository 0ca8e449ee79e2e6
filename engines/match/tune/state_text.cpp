// Numbers into lines. Pure.
#include "engines/match/tune/state_text.h"

#include <fmt/format.h>

namespace fuhyo::match::tune {

void append_numbers(std::string& text, const std::vector<double>& numbers) {
  for (const double number : numbers) text += fmt::format(" {}", number);
}

}  // namespace fuhyo::match::tune
