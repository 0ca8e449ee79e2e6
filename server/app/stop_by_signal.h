// Asks everything to stop at the first SIGINT or SIGTERM; the next one ends the program as it always does. For commands
// that work until they are done. One at a time.
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

#include <boost/asio.hpp>

namespace fuhyo::app {

class StopBySignal {
 public:
  StopBySignal() : signals_(io_, SIGINT, SIGTERM) {
    signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      stop_.request_stop();
      boost::system::error_code ignored;
      signals_.clear(ignored);
    });
    thread_ = std::jthread([this] { io_.run(); });
  }
  ~StopBySignal() { io_.stop(); }
  std::stop_token token() { return stop_.get_token(); }
  void request() { stop_.request_stop(); }  // as a signal does

 private:
  boost::asio::io_context io_;
  boost::asio::signal_set signals_;
  std::stop_source stop_;
  std::jthread thread_;
};

}  // namespace fuhyo::app
