// The addresses at which other machines may reach this one. Any thread.
#pragma once

#include <string>
#include <vector>

namespace fuhyo::app {

// Of IPv4, of interfaces that are up, in the system's order; those of the machine alone are left out, and 127.0.0.1
// comes last. Never empty.
std::vector<std::string> own_addresses();

}  // namespace fuhyo::app
