// The durability gate: holds what was decided until the journal says that what it depends on is durable, then releases
// it per connection in order. Pure; owned by the core's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/core/effects.h"

namespace fuhyo::core {

class Outbox {
 public:
  // `durable`: the newest seq that is durable already (Recovery::last).
  explicit Outbox(Seq durable = {}) : durable_(durable) {}

  // Bytes that may leave for one connection now, and whether it is to be closed once they are written.
  struct Ready {
    ConnId conn{};
    std::string bytes;
    bool close = false;
    std::string why;                     // of the close
    std::optional<MoveStamp> move = {};  // that the bytes tell of: the oldest
  };

  void push(Send send);
  void push(Close close);
  // Everything up to `seq` is durable. Monotone; older values are ignored.
  void durable(Seq seq);
  // What became free since the last call: one entry a connection, everything of it joined into one write.
  std::vector<Ready> take();
  // The connection is gone: what it had queued is dropped.
  void forget(ConnId conn);
  // Bytes that wait for the journal, or behind such ones, beside the longest message of them: one long answer is no
  // reason to give a client up.
  std::size_t held(ConnId conn) const;

 private:
  struct Item {
    Seq after{};
    std::string text;  // bytes to send; of a close, why
    bool close = false;
    bool held = false;  // it was not free at once
    std::optional<MoveStamp> move;
  };
  struct Queue {
    std::vector<Item> items;
    std::size_t held = 0, longest = 0;  // bytes of those not free at once, and of the longest of them
    bool dirty = false;                 // listed in dirty_
    bool gated = false;                 // listed in gated_
  };
  void list(ConnId conn, Queue& queue);

  std::unordered_map<ConnId, Queue> queues_;
  std::vector<ConnId> dirty_;  // have something that is free
  std::vector<ConnId> gated_;  // begin with a gated item; looked at when durable() advances
  Seq durable_;
};

}  // namespace fuhyo::core
