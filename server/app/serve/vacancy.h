// When a standby may take over: once it has seen for a while, without a gap, that no server writes the store. A server
// whose database was away comes back within a second, and shall find its place free. Pure.
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>

namespace fuhyo::app {

class Vacancy {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kPatience{2'500};

  // What a look has shown (an error: nothing). True: it may take over.
  bool seen(const std::expected<bool, std::string>& is_written, Time now) {
    if (!is_written || *is_written) {
      since_.reset();
      return false;
    }
    if (!since_) since_ = now;
    return now - *since_ >= kPatience;
  }

 private:
  std::optional<Time> since_;
};

}  // namespace fuhyo::app
