// Attempts of the evil engine to hold more memory than it may, above all where nobody counts it.
#pragma once

#include <map>
#include <string>

namespace fuhyo::test {

// Whoever watches for what was taken is given so long to see it.
inline constexpr unsigned kHeld_s = 120;

// By name. Each gives 0 if it could be done, else errno.
const std::map<std::string, int (*)()>& hunger_attempts();

}  // namespace fuhyo::test
