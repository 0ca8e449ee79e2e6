// Attempts of the evil engine to hold more memory than it may, above all where nobody counts it.
#pragma once

#include <cerrno>
#include <map>
#include <string>

namespace fuhyo::test {

// Whoever watches for what was taken is given so long to see it.
inline constexpr unsigned kHeld_s = 120;

inline int error_of(long result) { return result < 0 ? errno : 0; }

// What comes of the act on what was got, or of getting it: 0 or errno.
template <class Act>
int then(int got, Act act) {
  return got < 0 ? errno : error_of(act(got));
}

// By name. Each gives 0 if it could be done, else errno.
const std::map<std::string, int (*)()>& hunger_attempts();

}  // namespace fuhyo::test
