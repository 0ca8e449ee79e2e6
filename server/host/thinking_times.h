// How long an engine has thought about its newest moves, beside what the server charged for them. A value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "server/host/bridge.h"

namespace fuhyo::host {

class ThinkingTimes {
 public:
  static constexpr std::size_t kKept = 1'000;  // moves: some ten games

  void add(const Bridge::Thought& thought);
  void clear();

  struct Summary {
    std::size_t moves = 0;  // ever
    // Of the newest ones: from the question to the answer, half of them and all but one in a hundred below.
    std::int64_t thought_p50_ms = 0, thought_p99_ms = 0;
    std::int64_t charged_p50_ms = 0, charged_p99_ms = 0;  // T, of those that had one
    std::int64_t waited_most_ms = 0;                      // wanted to think and was not asked yet
  };
  Summary summary() const;

 private:
  std::size_t moves_ = 0;
  std::vector<Bridge::Thought> newest_;  // a ring
};

// "43 moves, thought 812 ms (p99 1203 ms), charged 0 ms (p99 1000 ms), waited at most 0 ms".
std::string to_text(const ThinkingTimes::Summary& summary);

}  // namespace fuhyo::host
