// Where the store is, for commands that use it beside the server: the same flags, variables and file as fuhyo serve.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "server/app/config/config.h"

namespace CLI {
class App;
}

namespace fuhyo::app {

struct StoreFlags {
  std::vector<std::string> store, data;  // as they were given; empty: not at all
  std::string file;
  bool unsafe = false;
};
// Adds --store, --data and --config.
void add_store_flags(CLI::App& command, StoreFlags& flags);
std::expected<Resolved, std::string> resolve_store(const StoreFlags& given);

}  // namespace fuhyo::app
