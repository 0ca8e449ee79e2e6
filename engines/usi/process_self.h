// What a program knows of itself as a process. Any thread.
#pragma once

#include <string>

namespace fuhyo::usi {

std::string own_program();   // the path of the file that runs
std::string process_name();  // "HOST-PID": of no other process, here or on another machine of the same network

}  // namespace fuhyo::usi
