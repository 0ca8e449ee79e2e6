// A count for each name or network. Counts of 0 are not kept.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

namespace fuhyo::core {

class Shares {
 public:
  std::size_t of(const std::string& key) const {
    const auto found = counts_.find(key);
    return found == counts_.end() ? 0 : found->second;
  }
  void add(const std::string& key) { ++counts_[key]; }
  void take(const std::string& key) {
    const auto found = counts_.find(key);
    if (found != counts_.end() && --found->second == 0) counts_.erase(found);
  }

 private:
  std::unordered_map<std::string, std::size_t> counts_;
};

}  // namespace fuhyo::core
