// What the commands print alike.
#include <cstdio>
#include <fmt/format.h>

#include "engines/learn/commands.h"
#include "engines/learn/data/format.h"

namespace fuhyo::learn {

void complain(const std::string& text) { fmt::print(stderr, "fuhyo-learn: {}\n", text); }

void print_line(std::string_view line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

int say_stopped() {
  print_line("stopped; the same command goes on");
  return kExitStopped;
}

void say_left_out(const LeftOut& left_out) {
  if (left_out.count() == 0) return;
  fmt::print("left out: {}\n", left_out.count());
  for (const std::string& why : left_out.told()) fmt::print("  {}\n", why);
  if (left_out.count() > left_out.told().size()) fmt::print("  ...\n");
}

}  // namespace fuhyo::learn
