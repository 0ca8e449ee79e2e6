// Commands of a command line. Not CLI::App::add_subcommand(): whatever calls that compiles all of CLI11 once more.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace fuhyo::manual {

// A command below `parent`, which keeps it.
CLI::App* add_command(CLI::App& parent, std::string name, std::string about);

}  // namespace fuhyo::manual
