// Who else on this machine may read what the server keeps: what is made is for its user alone (the umask of main.cpp)
// but the records (`records-mode`); what was made before, or by others, is looked at. And whose it is. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::app {

// What `records-mode` may be: "0600" and wider ones; and one of them as a number.
std::vector<std::string> record_modes();
std::uint32_t file_mode(std::string_view text);

// A warning where others may read or change the data folder or what lies in it. A folder that lets nobody in is fine
// whatever is in it; one that can only be passed through (0711) is fine itself. Records are as `records-mode` says.
std::optional<std::string> too_open(const std::filesystem::path& data, const std::filesystem::path& records);

// Why root is not to make files in this folder: it belongs to another user, whose server could not write them then.
std::optional<std::string> of_another_user(const std::filesystem::path& data);
std::optional<std::string> store_of_another_user(std::string_view address);  // of the folder of a file of SQLite

// A warning where files of this mode cannot be reached by those who may read them, for a folder above lets nobody in.
std::optional<std::string> out_of_reach(const std::filesystem::path& data, const std::filesystem::path& records,
                                        std::uint32_t mode);

}  // namespace fuhyo::app
