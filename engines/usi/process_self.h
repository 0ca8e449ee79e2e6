// What a program knows of itself as a process. Any thread.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace fuhyo::usi {

std::string own_program();  // the path of the file that runs
// The folders of the shared libraries that it has loaded. On Linux.
std::set<std::filesystem::path> own_library_folders();
// Runs another program in place of this one, with these arguments; returns why that cannot be. On Linux.
std::string become(const std::string& program, const std::vector<std::string>& arguments);
std::string process_name();  // "HOST-PID": of no other process, here or on another machine of the same network

}  // namespace fuhyo::usi
