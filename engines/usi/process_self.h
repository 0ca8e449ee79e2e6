// What a program knows of itself as a process. Any thread.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace fuhyo::usi {

std::string own_program();  // the path of the file that runs
// The folders of the shared libraries that it has loaded. On Linux.
std::set<std::filesystem::path> own_library_folders();
std::string process_name();  // "HOST-PID": of no other process, here or on another machine of the same network

}  // namespace fuhyo::usi
