// Passes table entries on between nodes: those of one search, to all others of the same search that have the same keys,
// never back. Pure: no clock of its own; one thread at a time. Times are monotonic milliseconds.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engines/members/member.h"

namespace fuhyo::cluster {

class Exchange {
 public:
  struct Node {
    members::Member* member;
    std::int64_t search = 0;  // its number; 0: none
  };
  struct Counts {
    std::int64_t batches = 0, bytes = 0;  // taken, and passed on
    std::int64_t stale = 0;               // batches of another search
    std::int64_t flooded = 0;             // batches beyond the limit of bytes
  };

  // In lockstep all wait (members::Member::waits()) but one at a time, which searches a slice; then what it has sent is
  // passed on, and it is another one's turn. Equal nodes that went on together would search the same all the time.
  explicit Exchange(std::int64_t bytes_per_second, bool lockstep = false)
      : bytes_per_second_(bytes_per_second), lockstep_(lockstep) {}

  // Takes what nodes have sent. Who has begun a search after others gets what they sent last. The same nodes in the
  // same order every time.
  void pass_on(std::span<const Node> nodes, std::int64_t now);
  // A line of our own to all nodes of its search, whatever their keys.
  static void send(std::span<const Node> nodes, std::int64_t search, std::string line);
  Counts take_counts() { return std::exchange(counts_, {}); }

 private:
  struct Seat {
    std::int64_t search = 0;
    bool told = false;  // what was sent before it began
    std::int64_t second_begun = 0, bytes = 0;
    std::int64_t turns = 0;  // in lockstep
  };
  struct Kept {
    std::int64_t search;
    std::uint64_t keys;
    members::SharedLine line;
  };

  void give_turn(std::span<const Node> nodes);
  void tell(Seat& seat, const Node& node) const;
  bool floods(Seat& seat, std::size_t bytes, std::int64_t now) const;
  void pass(std::span<const Node> nodes, std::size_t from, members::SharedLine line);

  const std::int64_t bytes_per_second_;
  const bool lockstep_;
  std::vector<Seat> seats_;
  std::deque<Kept> kept_;
  Counts counts_;
};

}  // namespace fuhyo::cluster
