// Texts that are lists. Pure; any thread.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace fuhyo::core {

// The parts between separators that are not empty, in their order. As std::string_view they live as long as the text.
template <class Part = std::string_view>
std::vector<Part> parts_of(std::string_view text, char separator) {
  std::vector<Part> parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

}  // namespace fuhyo::core
