#include "server/app/serve/move_delays.h"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

namespace fuhyo::app {

// 0 to 7 have a bucket each; from 8 on the three bits behind the highest one choose among eight.
std::size_t DelayHistogram::bucket_of(std::uint64_t us) {
  if (us < 8) return us;
  const auto shift = static_cast<std::size_t>(std::bit_width(us)) - 4;
  return std::min(8 * (shift + 1) + static_cast<std::size_t>(us >> shift) - 8, 8 * kOctaves - 1);
}

std::int64_t DelayHistogram::end_of(std::size_t bucket) {
  if (bucket < 8) return static_cast<std::int64_t>(bucket);
  const std::size_t shift = bucket / 8 - 1;
  return (static_cast<std::int64_t>(bucket % 8 + 9) << shift) - 1;
}

void DelayHistogram::add(std::int64_t us) {
  us = std::max<std::int64_t>(us, 0);
  counts_[bucket_of(static_cast<std::uint64_t>(us))].fetch_add(1, std::memory_order_relaxed);
  std::int64_t most = max_.load(std::memory_order_relaxed);
  while (us > most && !max_.compare_exchange_weak(most, us, std::memory_order_relaxed)) {
  }
}

DelayHistogram::Summary DelayHistogram::summary() const {
  std::array<std::uint64_t, 8 * kOctaves> counts{};
  Summary summary{.max_us = max_.load(std::memory_order_relaxed)};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    summary.count += counts[i] = counts_[i].load(std::memory_order_relaxed);
  }
  const auto percentile = [&](std::uint64_t percent) -> std::int64_t {
    const std::uint64_t rank = (summary.count * percent + 99) / 100;
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      below += counts[i];
      // The last bucket has no end.
      if (below >= rank && i + 1 < counts.size()) return std::min(end_of(i), summary.max_us);
    }
    return summary.max_us;
  };
  if (summary.count == 0) return summary;
  summary.p50_us = percentile(50);
  summary.p90_us = percentile(90);
  summary.p99_us = percentile(99);
  return summary;
}

void MoveDelays::decided(const core::MoveStamp& move) {
  const std::lock_guard lock(mutex_);
  newest_.insert_or_assign(move.game, Newest{.arrived = move.arrived, .share_us = {}});
}

void MoveDelays::handed_over(const core::MoveStamp& move, Way way, core::Instant clock_began) {
  const core::Instant at = clock_();
  const std::int64_t share_us = at - move.arrived;
  all_.add(share_us);
  (way == Way::builtin ? builtin_ : socket_).add(share_us);
  const std::int64_t on_clock_us = at - std::max(clock_began, move.arrived);
  on_clock_.add(on_clock_us);
  const std::lock_guard lock(mutex_);
  (way == Way::builtin ? shares_.builtin : shares_.socket).add(share_us);
  shares_.on_clock.add(on_clock_us);
  const auto newest = newest_.find(move.game);
  if (newest != newest_.end() && newest->second.arrived == move.arrived) newest->second.share_us = share_us;
}

std::optional<std::int64_t> MoveDelays::ended(core::GameId game, bool time_up) {
  const std::lock_guard lock(mutex_);
  const auto newest = newest_.find(game);
  if (newest == newest_.end()) return std::nullopt;
  const Newest last = newest->second;
  newest_.erase(newest);
  if (!time_up) return std::nullopt;
  const std::int64_t share_us = last.share_us.value_or(clock_() - last.arrived);
  lost_.add(share_us);
  return share_us;
}

MoveDelays::Shares MoveDelays::shares() const {
  const std::lock_guard lock(mutex_);
  return shares_;
}

core::AdminResult MoveDelays::table() const {
  core::AdminResult result{.ok = true,
                           .text = "from the arrival of a move to its hand-over to the opponent's connection",
                           .columns = {"what", "moves", "p50_us", "p90_us", "p99_us", "max_us"},
                           .rows = {}};
  const auto row = [&](std::string_view what, const DelayHistogram& histogram) {
    const DelayHistogram::Summary s = histogram.summary();
    result.rows.push_back({std::string(what), std::to_string(s.count), std::to_string(s.p50_us),
                           std::to_string(s.p90_us), std::to_string(s.p99_us), std::to_string(s.max_us)});
  };
  row("all", all_);
  row("socket", socket_);
  row("built-in", builtin_);
  row("on the clock", on_clock_);
  row("before time ran out", lost_);
  return result;
}

}  // namespace fuhyo::app
