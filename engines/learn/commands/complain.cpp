// Says on standard error what went wrong.
#include <cstdio>
#include <fmt/format.h>

#include "engines/learn/commands.h"
#include "engines/learn/data/format.h"

namespace fuhyo::learn {

void complain(const std::string& text) { fmt::print(stderr, "fuhyo-learn: {}\n", text); }

void say_left_out(const LeftOut& left_out) {
  if (left_out.count() == 0) return;
  fmt::print("left out: {}\n", left_out.count());
  for (const std::string& why : left_out.told()) fmt::print("  {}\n", why);
  if (left_out.count() > left_out.told().size()) fmt::print("  ...\n");
}

}  // namespace fuhyo::learn
