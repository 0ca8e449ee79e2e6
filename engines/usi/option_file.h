// engine_options.txt: options that stand for good, in a file beside the program, whatever a GUI says. A format of
// YaneuraOu's. One thread at a time.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "engines/usi/options.h"

namespace fuhyo::usi {

constexpr std::string_view kOptionFile = "engine_options.txt";

// Fixes the options of all lines "option name X type T default V ...", "X V" or "X=V". Blank lines and those that begin
// with "#" or "//" say nothing. Tells what was done and what was wrong, line by line, for people.
std::vector<std::string> read_option_file(OptionTable& table, std::istream& in);

}  // namespace fuhyo::usi
