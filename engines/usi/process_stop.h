// Asks a program to stop at the first SIGINT or SIGTERM; the next one ends it as it always does. For programs that work
// until they are done. One at a time.
#pragma once

#include <cstdint>
#include <stop_token>
#include <thread>

namespace fuhyo::usi {

// A program that another one has started may also be asked by the end of its standard input, which comes whatever that
// other one dies of.
enum class StopAt : std::uint8_t { signal, signal_or_end_of_input };

class StopBySignal {
 public:
  explicit StopBySignal(StopAt at = StopAt::signal);
  ~StopBySignal();  // signals do again what they did before
  StopBySignal(const StopBySignal&) = delete;
  StopBySignal& operator=(const StopBySignal&) = delete;

  std::stop_token token() { return stop_.get_token(); }
  void request() { stop_.request_stop(); }  // as a signal does

 private:
  void wait(StopAt at, const std::stop_token& end);

  std::stop_source stop_;
  std::jthread thread_;
};

}  // namespace fuhyo::usi
