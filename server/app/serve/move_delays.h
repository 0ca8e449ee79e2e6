// The server's own share of each move's delay: from the arrival of its line, as the reader has stamped it, to the
// moment at which the line that tells the opponent was handed to the kernel (of a built-in player: and its engine was
// told). Everything between is in it: queues, the rules, the disk, the outbox, the other threads. What a move that was
// sent ahead waited for its turn is not. Fixed memory but for a few words a running game. Any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "server/core/effects.h"
#include "server/core/figures.h"

namespace fuhyo::app {

// Counts of microseconds in buckets that are an eighth of their power of two wide, so that what is told is at most an
// eighth more than what was.
class DelayHistogram {
 public:
  struct Summary {
    std::uint64_t count = 0;
    // The least that 50, 90 and 99 of 100 do not exceed, rounded up to the end of its bucket; the largest as it was.
    std::int64_t p50_us = 0, p90_us = 0, p99_us = 0, max_us = 0;
  };

  void add(std::int64_t us);  // less than 0 counts as 0
  // Of what was added before; while others add, a little more or less.
  Summary summary() const;

 private:
  static constexpr std::size_t kOctaves = 40;  // up to some 50 days; more counts as that
  static std::size_t bucket_of(std::uint64_t us);
  static std::int64_t end_of(std::size_t bucket);  // the largest value in it

  std::array<std::atomic<std::uint64_t>, 8 * kOctaves> counts_{};
  std::atomic<std::int64_t> max_{0};
};

class MoveDelays {
 public:
  enum class Way : std::uint8_t { socket, builtin };

  // `clock`: that of ClientLine::arrived; callable from any thread.
  explicit MoveDelays(std::function<core::Instant()> clock) : clock_(std::move(clock)) {}

  // The opponent is to be told of it.
  void decided(const core::MoveStamp& move);
  // It was handed over just now. `clock_began`: when the opponent's clock did.
  void handed_over(const core::MoveStamp& move, Way way, core::Instant clock_began);
  // The game is over. If time ran out: the share, in microseconds, of the last move that the loser was told; nothing if
  // there was none. One that was not handed over yet counts up to now.
  std::optional<std::int64_t> ended(core::GameId game, bool time_up);

  DelayHistogram::Summary all() const { return all_.summary(); }
  struct Shares {  // to opponents at sockets, to built-in players; of all, what the opponent's clock ran already
    core::Histogram socket{core::Histogram::delays_us()}, builtin{core::Histogram::delays_us()},
        on_clock{core::Histogram::delays_us()};
  };
  Shares shares() const;
  // A row a kind of delay: `all`, by `socket`, to `built-in` players, `on the clock` (the part of it that the
  // opponent's clock ran already), and that `before time ran out`.
  core::AdminResult table() const;

 private:
  struct Newest {
    core::Instant arrived;
    std::optional<std::int64_t> share_us;  // nothing: it is not handed over yet
  };

  const std::function<core::Instant()> clock_;
  DelayHistogram all_, socket_, builtin_, on_clock_, lost_;
  mutable std::mutex mutex_;
  Shares shares_;                                    // guarded by mutex_
  std::unordered_map<core::GameId, Newest> newest_;  // of running games; guarded by mutex_
};

}  // namespace fuhyo::app
