// A program of commands: reads its command line, and runs the command that is given. Call it from main().
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace fuhyo::manual {

// Runs a command whose words were read; its value is the exit code.
using Command = std::function<int()>;

struct Program {
  std::string name, about, version;  // "fuhyo", "Fuhyo: a shogi game server ...", "fuhyo 0.1.0"
  // Each adds its command to the root with all that it takes, and returns what runs it.
  std::vector<std::pair<const char*, std::function<Command(CLI::App& root)>>> commands;
  std::function<void(const std::string& lines)> print_errors;  // none: to standard error
};

// The exit code: that of the command, 0 for --help and --version, 64 (EX_USAGE of sysexits.h) for a line that is
// refused; what was meant by it is asked. It has the commands `completion` and `manual`, too, and --version.
int run(const Program& program, int argc, const char* const* argv);

}  // namespace fuhyo::manual
