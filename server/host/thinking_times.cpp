#include "server/host/thinking_times.h"

#include <algorithm>
#include <fmt/format.h>

namespace fuhyo::host {
namespace {

// The smallest value that `percent` of all do not exceed. 0: there are none.
std::int64_t percentile(std::vector<std::int64_t> values, std::size_t percent) {
  if (values.empty()) return 0;
  const std::size_t rank = (values.size() * percent + 99) / 100;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::ranges::nth_element(values, at);
  return *at;
}

}  // namespace

void ThinkingTimes::add(const Bridge::Thought& thought) {
  if (newest_.size() < kKept) newest_.emplace_back();
  newest_[moves_++ % kKept] = thought;
}

void ThinkingTimes::clear() {
  moves_ = 0;
  newest_.clear();
}

ThinkingTimes::Summary ThinkingTimes::summary() const {
  std::vector<std::int64_t> thought, charged;
  Summary summary{.moves = moves_};
  for (const Bridge::Thought& each : newest_) {
    thought.push_back(each.thought_ms);
    if (each.charged_ms >= 0) charged.push_back(each.charged_ms);
    summary.waited_most_ms = std::max(summary.waited_most_ms, each.waited_ms);
  }
  summary.thought_p50_ms = percentile(thought, 50);
  summary.thought_p99_ms = percentile(std::move(thought), 99);
  summary.charged_p50_ms = percentile(charged, 50);
  summary.charged_p99_ms = percentile(std::move(charged), 99);
  return summary;
}

std::string to_text(const ThinkingTimes::Summary& summary) {
  return fmt::format("{} moves, thought {} ms (p99 {} ms), charged {} ms (p99 {} ms), waited at most {} ms",
                     summary.moves, summary.thought_p50_ms, summary.thought_p99_ms, summary.charged_p50_ms,
                     summary.charged_p99_ms, summary.waited_most_ms);
}

}  // namespace fuhyo::host
