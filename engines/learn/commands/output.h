// What commands that write training data have in common: the file, and its format. Reads the file system.
#pragma once

#include <expected>
#include <string>

#include "engines/learn/data/format.h"

namespace CLI {
class App;
}

namespace fuhyo::learn {

struct OutputOptions {
  std::string out, to;  // a file; a format, if its name does not tell
  bool force = false;
};

void add_output_flags(CLI::App& command, OutputOptions& options);
// An error also if the file is there, and is not to be replaced.
std::expected<DataFormat, std::string> output_format(const OutputOptions& options);

}  // namespace fuhyo::learn
