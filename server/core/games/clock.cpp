#include "server/core/games/clock.h"

#include <algorithm>
#include <fmt/format.h>

namespace fuhyo::core {

std::int32_t Clock::charge_s(shogi::Color side, std::int64_t elapsed_us) const {
  const TimeRule& rule = rules_[side];
  constexpr std::int64_t kMost = INT32_MAX / 2;
  const std::int64_t whole_s = std::min(std::max<std::int64_t>(elapsed_us, 0) / kSecond, kMost);
  std::int64_t t = std::max<std::int64_t>(whole_s, rule.least_s);
  if (rule.stopwatch_s > 0) t = t / rule.stopwatch_s * rule.stopwatch_s;
  return static_cast<std::int32_t>(t);
}

std::int32_t Clock::allowance_s(shogi::Color side) const {
  return remaining_s_[side] + rules_[side].byoyomi_s + rules_[side].increment_s;
}

bool Clock::is_late(shogi::Color side, std::int32_t charge_s) const {
  return !rules_[side].unlimited() && charge_s >= allowance_s(side);
}

std::int64_t Clock::flag_us(shogi::Color side) const {
  const TimeRule& rule = rules_[side];
  if (rule.unlimited()) return kNever;
  std::int64_t t = allowance_s(side);
  if (rule.stopwatch_s > 0) t = (t + rule.stopwatch_s - 1) / rule.stopwatch_s * rule.stopwatch_s;
  if (is_late(side, charge_s(side, 0))) return 0;  // the least time alone is too much
  return t * kSecond;
}

void Clock::spend(shogi::Color side, std::int32_t charge_s) {
  remaining_s_[side] = std::max(0, remaining_s_[side] + rules_[side].increment_s - charge_s);
}

std::string describe_lateness(std::int64_t elapsed_us, std::int64_t flag_us) {
  const double late_s = static_cast<double>(std::max<std::int64_t>(elapsed_us - flag_us, 0)) / 1e6;
  return fmt::format("late by {:.{}f} s", late_s, late_s < 0.1 ? 3 : 1);
}

}  // namespace fuhyo::core
