// An error in a file of another program, and its line. A value; any thread.
#pragma once

#include <cstddef>
#include <fmt/format.h>
#include <string>

namespace fuhyo::store {

struct FileFault {
  std::string file;
  std::size_t line = 0;  // from 1; 0: the file as a whole
  std::string text;
  bool operator==(const FileFault&) const = default;
};

// "players.yaml:12: rate is no number"
inline std::string to_string(const FileFault& fault) {
  return fault.line == 0 ? fmt::format("{}: {}", fault.file, fault.text)
                         : fmt::format("{}:{}: {}", fault.file, fault.line, fault.text);
}

}  // namespace fuhyo::store
