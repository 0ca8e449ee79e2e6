// Watches the core's event loop: a turn that took longer than a second is a fault that players felt, and is reported.
// Also the pulse for whatever wants to look now and then. On the core's thread.
#pragma once

#include <chrono>
#include <functional>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace fuhyo::app {

class LoopWatch {
 public:
  static constexpr std::chrono::milliseconds kPulse{250};
  static constexpr std::chrono::milliseconds kTooLong{1000};

  LoopWatch(boost::asio::io_context& io, std::function<void()> pulse,
            std::function<void(std::chrono::milliseconds gap)> stood_still);
  void start();
  void stop() { timer_.cancel(); }

 private:
  boost::asio::steady_timer timer_;
  std::function<void()> pulse_;
  std::function<void(std::chrono::milliseconds)> stood_still_;
};

}  // namespace fuhyo::app
