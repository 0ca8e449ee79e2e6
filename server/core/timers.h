// Deadlines by key, soonest first. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/core/ids.h"

namespace fuhyo::core {

struct TimerKey {
  enum class Kind : std::uint8_t {
    login,
    agree,
    flag,
    throttle,
    round,
    absence,
    window,
    refusal,
    web_refusal,
    cooled,
    delays,
    event
  } kind{};
  std::uint64_t id =
      0;  // of the connection, the game, the group, the event or (absence) the seat; of delays there is one
  auto operator<=>(const TimerKey&) const = default;
};

class Timers {
 public:
  void set(TimerKey key, Instant when) {
    when_.insert_or_assign(key, when);
    queue_.emplace_back(when, key);
    std::ranges::push_heap(queue_, std::greater{});
    if (queue_.size() < 2 * when_.size() + kMostStale) return;
    queue_.clear();
    for (const auto& [each, at] : when_) queue_.emplace_back(at, each);
    std::ranges::make_heap(queue_, std::greater{});
  }
  void cancel(TimerKey key) { when_.erase(key); }
  std::optional<Instant> when(TimerKey key) const {
    const auto it = when_.find(key);
    return it == when_.end() ? std::nullopt : std::optional(it->second);
  }
  // All but those of a kind.
  void postpone(std::int64_t us, TimerKey::Kind except) {
    for (const auto& [key, when] : std::unordered_map(when_)) {
      if (key.kind != except) set(key, when + us);
    }
  }
  std::optional<Instant> soonest() {
    while (!queue_.empty() && is_stale(queue_.front())) {
      std::ranges::pop_heap(queue_, std::greater{});
      queue_.pop_back();
    }
    return queue_.empty() ? std::nullopt : std::optional(queue_.front().first);
  }
  // Takes out the soonest deadline that is not after `now`.
  std::optional<TimerKey> due(Instant now) {
    const auto first = soonest();
    if (!first || *first > now) return std::nullopt;
    const TimerKey key = queue_.front().second;
    cancel(key);
    return key;
  }

 private:
  using Entry = std::pair<Instant, TimerKey>;
  struct Hash {
    std::size_t operator()(const TimerKey& key) const {
      return std::hash<std::uint64_t>{}(key.id * 16 + static_cast<std::uint64_t>(key.kind));
    }
  };
  // Each move sets the flag of its game anew: stale entries go when they come to the front, or are half of the queue.
  static constexpr std::size_t kMostStale = 64;
  bool is_stale(const Entry& entry) const {
    const auto it = when_.find(entry.second);
    return it == when_.end() || it->second != entry.first;
  }

  std::unordered_map<TimerKey, Instant, Hash> when_;
  std::vector<Entry> queue_;  // a heap; also of what was cancelled or set anew
};

}  // namespace fuhyo::core
