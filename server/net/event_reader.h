// One reader of the event stream: what waits for it, bounded. On the web thread; private to this room.
#pragma once

#include <cstddef>
#include <deque>
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

}  // namespace fuhyo::net
