// The settings as flags of a command line, for every command that takes them all.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "server/app/config/config.h"

namespace CLI {
class App;
}

namespace fuhyo::app {

struct SettingFlags {
  std::map<std::string, std::vector<std::string>, std::less<>> given;  // by key; empty: not given
  std::string file;                                                    // --config

  Words words() const;                   // those that were given
  std::filesystem::path config() const;  // else FUHYO_CONFIG; empty: none
};

// Adds a flag a setting, and `config_name` ("--config", or "FILE,--config" for a command that names the file alone).
// `flags` outlives the parsing.
void add_setting_flags(CLI::App& command, SettingFlags& flags, const std::string& config_name);

const char* environment_variable(const char* name);  // null: not set

// Of the process's variables those that look like a setting's and are none ("FUHYO_MAX_MOVE"), a line each with what
// may have been meant.
std::vector<std::string> mistaken_variables(const std::vector<std::string>& names);
std::vector<std::string> names_of_environment();

}  // namespace fuhyo::app
