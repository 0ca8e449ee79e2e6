// Asks the server of a data folder by its administration socket. Blocks; tools only.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

namespace fuhyo::app {

// The answer as it came: a line of JSON (admin_wire.h). Fails in words where there is no server, or no answer in time.
std::expected<std::string, std::string> ask_server(const std::filesystem::path& data, const std::string& line);

}  // namespace fuhyo::app
