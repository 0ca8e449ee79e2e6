// When a standby may take over: once no server has written the store for a while, without a gap. A server whose
// database was away comes back within a second, and stays the writer. Pure.
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>

namespace fuhyo::app {

class TakeoverWait {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kPatience{2'500};

  // The newest state of the store (an error: not known). True: the standby may take over.
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
