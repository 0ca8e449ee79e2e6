// Readers of the stream of events (GET /api/v1/events), as many as are asked for, on a thread of their own: when each
// of them has each move. Readers are on loopback addresses of their own, a few thousand each.
#pragma once

#include <atomic>
#include <thread>

#include "tests/bench/load_games.h"

namespace fuhyo::bench {

using std::chrono::milliseconds;

constexpr std::string_view kRequest = "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
constexpr std::string_view kMoved = "event: moved", kSnapshot = "event: snapshot";
constexpr int kConnectsBetweenReads = 64;
constexpr milliseconds kPatience{5'000};  // for what is on its way when the game is over

inline double ms_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

struct ReaderFigures {
  std::vector<double> each_ms;  // from when a move was to be sent to one reader who has it
  std::vector<double> last_ms;  // ... to the last one of them, one a move
  std::uint64_t moves_missed = 0, snapshots = 0,
                closed = 0;  // nothing of this should be; the first snapshot counts not
};

class ReaderLoad : public LineHandler {
 public:
  ReaderLoad(Target target, int readers) : poller_(std::move(target)), readers_(readers) {}
  ~ReaderLoad() {
    ends_ = true;
    if (thread_.joinable()) thread_.join();
  }
  ReaderLoad(const ReaderLoad&) = delete;
  ReaderLoad& operator=(const ReaderLoad&) = delete;

  // Connects all of them; returns when each has its snapshot, and then reads on. Otherwise why not.
  std::expected<void, std::string> start(int limit_s) {
    const auto end = Clock::now() + std::chrono::seconds(limit_s);
    for (int i = 0; i < readers_; ++i) {
      const auto connection = poller_.connect();
      if (!connection) return std::unexpected(connection.error());
      state_[(*connection)->id()] = {};
      (*connection)->send(kRequest);
      if (i % kConnectsBetweenReads == 0) poller_.poll(*this, 0);
    }
    while (ready_ < static_cast<std::uint64_t>(readers_)) {
      poller_.poll(*this, 100);
      if (closed_ > 0) return std::unexpected("the server closes readers: is their address exempt?");
      if (Clock::now() > end) return std::unexpected(fmt::format("{} of {} readers have a snapshot", ready_, readers_));
    }
    thread_ = std::thread([this] { read_on(); });
    return {};
  }
  // Of one game, whose moves were to be sent at these times. Waits a moment for the last ones, and ends the readers.
  ReaderFigures finish(const std::vector<SentMove>& sent) {
    const std::uint64_t wanted = sent.size() * static_cast<std::uint64_t>(readers_);
    const auto end = Clock::now() + kPatience;
    while (heard_ < wanted && Clock::now() < end) std::this_thread::sleep_for(milliseconds(10));
    ends_ = true;
    if (thread_.joinable()) thread_.join();
    ReaderFigures figures{.each_ms = {}, .last_ms = {}, .moves_missed = wanted - heard_, .closed = closed_};
    for (const auto& [id, reader] : state_) figures.snapshots += static_cast<std::uint64_t>(reader.snapshots - 1);
    for (std::size_t move = 0; move < sent.size() && move < arrived_.size(); ++move) {
      for (const auto at : arrived_[move]) figures.each_ms.push_back(ms_between(sent[move].due, at));
      figures.last_ms.push_back(ms_between(sent[move].due, arrived_[move].back()));
    }
    return figures;
  }

 private:
  struct Reader {
    std::size_t moves = 0;
    int snapshots = 0;
  };

  void line(Connection& connection, std::string_view text) override {
    if (text != kMoved && text != kSnapshot) return;
    Reader& reader = state_[connection.id()];
    if (text == kSnapshot) {
      if (reader.snapshots++ == 0) ++ready_;
      return;
    }
    if (arrived_.size() == reader.moves) arrived_.emplace_back().reserve(static_cast<std::size_t>(readers_));
    arrived_[reader.moves++].push_back(Clock::now());
    heard_.fetch_add(1, std::memory_order_relaxed);
  }
  void closed(Connection&) override { ++closed_; }
  void read_on() {
    while (!ends_) poller_.poll(*this, 20);
  }

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
