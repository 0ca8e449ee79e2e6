// Limits the rate of a search's info lines, so that a GUI is not flooded, and completes them. One thread at a time:
// that of the search.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "engines/usi/values.h"

namespace fuhyo::usi {

// The lines of MultiPV belong together: a search reports all of them in order, beginning with multipv 1 (or none), and
// they are printed or held back together.
class InfoPrinter {
 public:
  struct Settings {
    std::int64_t interval_ms = 0;  // least time between two blocks of lines; 0: every one is printed
    bool wdl = false;
  };
  InfoPrinter(const Settings& settings, std::function<void(std::string_view)> print)
      : settings_(settings), print_(std::move(print)) {}

  void report(const Info& info);
  // Prints what is still held back, so that the last result is never lost. Call before the answer.
  void finish();

 private:
  void print(Info info) const;

  const Settings settings_;
  const std::function<void(std::string_view)> print_;
  std::vector<Info> held_back_;
  bool printing_ = false;  // the block at hand
  std::int64_t printed_ms_ = 0;
};

}  // namespace fuhyo::usi
