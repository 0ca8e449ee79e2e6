#include "server/app/serve/loop_watch.h"

#include <utility>

namespace fuhyo::app {

LoopWatch::LoopWatch(boost::asio::io_context& io, std::function<void()> pulse,
                     std::function<void(std::chrono::milliseconds)> stood_still)
    : timer_(io), pulse_(std::move(pulse)), stood_still_(std::move(stood_still)) {}

void LoopWatch::start() {
  timer_.expires_after(kPulse);
  timer_.async_wait([this](boost::system::error_code cancelled) {
    if (cancelled) return;
    const auto late =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - timer_.expiry());
    if (late > kTooLong) stood_still_(late);
    pulse_();
    start();
  });
}

}  // namespace fuhyo::app
