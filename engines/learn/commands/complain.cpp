// Says on standard error what went wrong.
#include <cstdio>
#include <fmt/format.h>

#include "engines/learn/commands.h"

namespace fuhyo::learn {

void complain(const std::string& text) { fmt::print(stderr, "fuhyo-learn: {}\n", text); }

}  // namespace fuhyo::learn
