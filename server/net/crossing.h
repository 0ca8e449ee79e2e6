// A queue of values from one thread to another one, which counts how much of each connection is in it. Both threads;
// private to this room.
#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/core/ids.h"

namespace fuhyo::net {

template <class Item>
class Crossing {
 public:
  // More than this, of one connection or of all of them, is too much: it crosses, and no more of it should follow.
  Crossing(std::size_t each, std::size_t all) : each_(each), all_(all) {}

  struct Put {
    bool wake = false;      // nothing was on its way: the other side is to be told
    bool too_much = false;  // of this connection; Taken names it, too
  };
  Put put(core::ConnId conn, Item item, std::size_t weight) {
    const std::lock_guard lock(mutex_);
    Put result{.wake = items_.empty()};
    items_.push_back(std::move(item));
    total_ += weight;
    const std::size_t own = weights_[conn] += weight;
    result.too_much = own > each_ || total_ > all_;
    if (result.too_much) too_much_.push_back(conn);
    return result;
  }

  struct Taken {
    std::vector<Item> items;             // in order
    std::vector<core::ConnId> too_much;  // may be named more than once
  };
  // Everything: nothing is on its way any more.
  Taken take() {
    const std::lock_guard lock(mutex_);
    weights_.clear();
    total_ = 0;
    return {std::exchange(items_, {}), std::exchange(too_much_, {})};
  }

 private:
  const std::size_t each_, all_;
  std::mutex mutex_;
  std::vector<Item> items_;
  std::unordered_map<core::ConnId, std::size_t> weights_;
  std::vector<core::ConnId> too_much_;
  std::size_t total_ = 0;
};

}  // namespace fuhyo::net
