#include "engines/manual/add_command.h"

#include <string>
#include <utility>

#include <CLI/CLI.hpp>

namespace fuhyo::manual {

CLI::App* add_command(CLI::App& parent, std::string name, std::string about) {
  return parent.add_subcommand(std::move(name), std::move(about));
}

}  // namespace fuhyo::manual
