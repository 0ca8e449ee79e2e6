// The readers of the event stream, and what waits for each of them, bounded. On the web thread; private to this room.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/net/feed.h"

namespace fuhyo::net {

class EventReader {
 public:
  EventReader(const boost::asio::any_io_executor& executor, GameFilter filter, std::size_t max_bytes)
      : wake(executor), filter_(std::move(filter)), max_bytes_(max_bytes) {}

  const GameFilter& filter() const { return filter_; }

  void offer(const FeedEvent& event) {
    if (needs_snapshot_ || !passes(filter_, event.game)) return;
    if (bytes_ + event.text->plain().size() > max_bytes_) {
      demand_snapshot();
    } else {
      bytes_ += event.text->plain().size();
      queue_.push_back(event.text);
    }
    wake.cancel();
  }
  // What was missed is not sent any more: one snapshot says it all.
  void demand_snapshot() {
    queue_.clear();
    bytes_ = 0;
    needs_snapshot_ = true;
  }
  bool take_snapshot_demand() { return std::exchange(needs_snapshot_, false); }

  bool idle() const { return queue_.empty() && !needs_snapshot_ && !gone; }
  // Takes up to `max` events to be written together.
  std::vector<Text> take(std::size_t max) {
    std::vector<Text> result;
    while (!queue_.empty() && result.size() < max) {
      bytes_ -= queue_.front()->plain().size();
      result.push_back(std::move(queue_.front()));
      queue_.pop_front();
    }
    return result;
  }

  boost::asio::steady_timer wake;  // cancelled when there is something to do
  bool gone = false;               // the peer closed

 private:
  GameFilter filter_;
  std::deque<Text> queue_;
  std::size_t max_bytes_, bytes_ = 0;
  bool needs_snapshot_ = false;
};

// Those whose streams are open, by the games that they ask for: an event costs nothing for those who did not ask for
// it.
class EventReaders {
 public:
  // Keeps the reader among them as long as it lives.
  class Listed {
   public:
    Listed(EventReaders& readers, EventReader& reader) : readers_(readers), reader_(reader) { readers_.add(reader_); }
    ~Listed() { readers_.remove(reader_); }
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;

   private:
    EventReaders& readers_;
    EventReader& reader_;
  };

  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }

  void offer(const FeedEvent& event) {
    for (EventReader* reader : of_every_game_) reader->offer(event);
    const auto asked = by_game_.find(event.game);
    if (asked == by_game_.end()) return;
    for (EventReader* reader : asked->second) reader->offer(event);
  }
  // What they know is not so any more.
  void demand_snapshots() {
    for (EventReader* reader : all_) {
      reader->demand_snapshot();
      reader->wake.cancel();
    }
  }

 private:
  void add(EventReader& reader) {
    all_.insert(&reader);
    if (reader.filter().empty()) of_every_game_.insert(&reader);
    for (const core::GameId game : reader.filter()) by_game_[game].insert(&reader);
  }
  void remove(EventReader& reader) {
    all_.erase(&reader);
    of_every_game_.erase(&reader);
    for (const core::GameId game : reader.filter()) {
      const auto asked = by_game_.find(game);
      asked->second.erase(&reader);
      if (asked->second.empty()) by_game_.erase(asked);
    }
  }

  std::set<EventReader*> all_, of_every_game_;
  std::map<core::GameId, std::set<EventReader*>> by_game_;
};

}  // namespace fuhyo::net
