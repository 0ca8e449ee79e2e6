// Settings that are a line of their own: "name=aki role=admin". Any thread.
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace fuhyo::app {

// The words of the line, each parted at its first '='; a word without one has an empty value. Views into `line`.
inline std::vector<std::pair<std::string_view, std::string_view>> key_values(std::string_view line) {
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(line.size(), word.size() + 1));
    if (word.empty()) continue;
    const std::string_view key = word.substr(0, word.find('='));
    pairs.emplace_back(key, word.substr(std::min(word.size(), key.size() + 1)));
  }
  return pairs;
}

}  // namespace fuhyo::app
