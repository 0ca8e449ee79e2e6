// The configuration file of `fuhyo serve`: TOML with one key a setting. Reads files; any thread.
#pragma once

#include <expected>
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

// Refused, with file and line: what is no TOML, a key that no setting has, a value of another type.
std::expected<ConfigFile, std::string> read_config_file(const std::filesystem::path& path,
                                                        std::span<const Setting> settings);

}  // namespace fuhyo::app
