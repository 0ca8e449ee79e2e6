// The configuration file of `fuhyo serve`: TOML with one key a setting. Reads files; any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "server/app/config/config.h"

namespace fuhyo::app {

// By key; the origin is "fuhyo.toml:3: max-moves".
using ConfigFile = std::map<std::string, Said, std::less<>>;

using Problems = std::multimap<long, std::string>;  // by line of the file; 0: of none

// Reads what can be read and adds to `problems`, with file and line: what is no TOML (then nothing is read), a key that
// no setting has, a value of another type.
ConfigFile read_config_file(const std::filesystem::path& path, std::span<const Setting> settings, Problems& problems);

}  // namespace fuhyo::app
