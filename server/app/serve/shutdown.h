// How a game server ends: it waits for its games, suspends what still runs, says the last lines, and stops. The order
// and the waits; what is done at each step is its owner's. On the core's thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace fuhyo::app {

class Shutdown {
 public:
  enum class Phase : std::uint8_t {
    serving,
    draining,    // no new games
    suspending,  // the journal keeps how the games stand that did not end
    closing,     // connections read their last lines
  };
  struct Hooks {
    std::function<void()> drain;              // answered by drained()
    std::function<void()> suspend;            // likewise
    std::function<void()> close;              // every connection, once its output is written
    std::function<std::size_t()> open_count;  // connections that are not closed yet
    std::function<void()> stop;               // the end of the event loop
    std::function<void(std::function<void()>)> post;
    // One timer: setting it again takes the former work back.
    std::function<void(std::chrono::milliseconds, std::function<void()>)> after;
  };
  // For the journal to keep how the last games stand.
  static constexpr std::chrono::milliseconds kSuspendWait{5'000};
  // For the last lines to leave: so many steps of this length.
  static constexpr std::chrono::milliseconds kQuietStep{20};
  static constexpr int kQuietSteps = 50;
  // What the end takes behind the time-out for games, with a store that is slow to close.
  static constexpr std::chrono::seconds kLongestEnd{60};

  explicit Shutdown(Hooks hooks) : hooks_(std::move(hooks)) {}

  Phase phase() const { return phase_; }
  // Once; games that run on after the time-out are suspended.
  void drain(std::chrono::milliseconds timeout);
  void drained();  // everything that the last step caused is durable
  void suspend();  // does not wait for games; once
  void close();    // does not wait for the journal; once

 private:
  bool enter(Phase phase);  // false: it is there already, or beyond
  void stop_when_quiet(int tries);

  const Hooks hooks_;
  Phase phase_ = Phase::serving;
};

}  // namespace fuhyo::app
