// Readers of the stream of events (GET /api/v1/events), as many as are asked for, on a thread of their own: when each
// of them has each move. Readers are on loopback addresses of their own, a few thousand each.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "tests/bench/load_games.h"
#include "tests/bench/load_poller.h"

namespace fuhyo::bench {

struct ReaderFigures {
  std::vector<double> each_ms;  // from when a move was to be sent to one reader who has it
  std::vector<double> last_ms;  // ... to the last one of them, one a move
  std::uint64_t moves_missed = 0, snapshots = 0,
                closed = 0;  // nothing of this should be; the first snapshot counts not
};

class ReaderLoad : public LineHandler {
 public:
  ReaderLoad(Target target, int readers);
  ~ReaderLoad();
  ReaderLoad(const ReaderLoad&) = delete;
  ReaderLoad& operator=(const ReaderLoad&) = delete;

  // Connects all of them; returns when each has its snapshot, and then reads on. Otherwise why not.
  std::expected<void, std::string> start(int limit_s);
  // Of one game, whose moves were to be sent at these times. Waits a moment for the last ones, and ends the readers.
  ReaderFigures finish(const std::vector<Clock::time_point>& sent);

 private:
  struct Reader {
    std::size_t moves = 0;
    int snapshots = 0;
  };

  void line(Connection& connection, std::string_view text) override;
  void closed(Connection& connection) override;
  void read_on();

  Poller poller_;
  const int readers_;
  std::thread thread_;
  std::atomic<bool> ends_{false};
  std::atomic<std::uint64_t> heard_{0};  // moves, of all readers
  // Of the reading thread, and after its end of finish():
  std::unordered_map<std::uint64_t, Reader> state_;      // by connection
  std::vector<std::vector<Clock::time_point>> arrived_;  // by move, in the order of arrival
  std::uint64_t ready_ = 0, closed_ = 0;
};

}  // namespace fuhyo::bench
