// Deadlines by key, soonest first. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

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
    cancel(key);
    when_.emplace(key, when);
    queue_.emplace(when, key);
  }
  void cancel(TimerKey key) {
    const auto it = when_.find(key);
    if (it == when_.end()) return;
    queue_.erase({it->second, key});
    when_.erase(it);
  }
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
  std::optional<Instant> soonest() const {
    return queue_.empty() ? std::nullopt : std::optional(queue_.begin()->first);
  }
  // Takes out the soonest deadline that is not after `now`.
  std::optional<TimerKey> due(Instant now) {
    if (queue_.empty() || queue_.begin()->first > now) return std::nullopt;
    const TimerKey key = queue_.begin()->second;
    cancel(key);
    return key;
  }

 private:
  struct Hash {
    std::size_t operator()(const TimerKey& key) const {
      return std::hash<std::uint64_t>{}(key.id * 16 + static_cast<std::uint64_t>(key.kind));
    }
  };
  std::unordered_map<TimerKey, Instant, Hash> when_;
  std::set<std::pair<Instant, TimerKey>> queue_;
};

}  // namespace fuhyo::core
