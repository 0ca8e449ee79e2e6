// The engines that `fuhyo admin seat` brought, in a file of the data folder: they come back after a restart, until
// `unseat` takes them away. The core's thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace fuhyo::app {

struct SeatedLine {
  std::string name;  // of the player, one of those that the line is about
  std::string line;  // as it was given to `seat`; it may hold a trip
  bool operator==(const SeatedLine&) const = default;
};

// No file is an empty list. An error names the file.
std::expected<std::vector<SeatedLine>, std::string> read_seated(const std::filesystem::path& data);
// As a whole, for nobody else to read.
std::expected<void, std::string> write_seated(const std::filesystem::path& data, const std::vector<SeatedLine>& lines);

}  // namespace fuhyo::app
