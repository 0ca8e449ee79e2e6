// engine_options.txt: a file beside the program with fixed options, which a GUI cannot change. YaneuraOu's format. One
// thread at a time.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "engines/usi/options.h"

namespace fuhyo::usi {

constexpr std::string_view kOptionFile = "engine_options.txt";

// Fixes the options of all lines "option name X type T default V ...", "X V" or "X=V". Blank lines and those that begin
// with "#" or "//" are ignored. Returns messages for people, line by line: what was set, and errors.
std::vector<std::string> read_option_file(OptionTable& table, std::istream& in);

}  // namespace fuhyo::usi
