// Detects whether a file has changed since it was read.
#pragma once

#include <filesystem>
#include <string>

namespace fuhyo::machine {

// Its name, size and time of writing, as one text; empty if there is no such file.
std::string file_identity(const std::filesystem::path& file);

}  // namespace fuhyo::machine
