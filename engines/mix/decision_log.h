// Decisions between engines that differed, as lines of JSON appended to a file (MIX.md tells the keys). One thread at a
// time.
#pragma once

#include <expected>
#include <fstream>
#include <string>

#include "engines/mix/vote.h"

namespace fuhyo::mix {

// Without a line end. `unix_ms`: when it was decided.
std::string to_json(const VoteResult& result, const shogi::Position& position, std::int64_t unix_ms);

class DecisionLog {
 public:
  // An empty name: nothing is written. An error leaves it so.
  std::expected<void, std::string> open(const std::string& file);
  // An error is told once; nothing is written any more.
  std::expected<void, std::string> write(const std::string& line);

 private:
  std::string file_;
  std::ofstream out_;
};

}  // namespace fuhyo::mix
