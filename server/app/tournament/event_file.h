// The file of an event: TOML. Its syntax ends here; what its settings mean is core/tournament's. Reads files; any
// thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/tournament/settings.h"

namespace fuhyo::app {

// A file of more bytes is no event.
inline constexpr std::size_t kMostEventBytes = 1024 * 1024;

// The settings of a file's text. Problems: what is no TOML, a value that is neither text, number, date and time, true
// or false, nor a list of those.
std::expected<std::vector<core::tournament::Setting>, std::vector<core::tournament::Problem>> settings_of_toml(
    std::string_view text);

// One text for people: "FILE:LINE: what is wrong" a line.
std::expected<core::tournament::Event, std::string> read_event_file(const std::filesystem::path& path);

// The settings of DATA/tournaments/FILE as core::TournamentRead has them. The error is for one line.
std::expected<std::string, std::string> read_event_settings(const std::filesystem::path& data, std::string_view file);

// "FILE:LINE: text\n" of each.
std::string problems_text(const std::string& file, const std::vector<core::tournament::Problem>& problems);

// The whole file; at most so many bytes. The error names it.
std::expected<std::string, std::string> read_small_file(const std::filesystem::path& path, std::size_t most);

}  // namespace fuhyo::app
