#include "server/core/commentary/budget.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/shogi/number.h"

namespace fuhyo::core {
namespace {

constexpr std::int64_t kMinute_us = 60 * kSecond, kDay_us = 86'400 * kSecond;

}  // namespace

Wall Budget::next(Wall now) {
  if (const std::int64_t today = now.us / kDay_us; today != day_) {
    day_ = today;
    calls_of_day_ = tokens_ = 0;
  }
  // A clock that was set back keeps nobody waiting.
  std::erase_if(calls_, [now](Wall call) { return call > now || call.us + kMinute_us <= now.us; });
  if (calls_of_day_ >= limits_.calls_a_day || tokens_ >= limits_.tokens_a_day) return Wall{(day_ + 1) * kDay_us};
  if (calls_.size() < static_cast<std::size_t>(limits_.calls_a_minute)) return now;
  return Wall{calls_.front().us + kMinute_us};
}

void Budget::call(Wall now) {
  calls_.push_back(now);
  ++calls_of_day_;
}

std::string Budget::text() const { return fmt::format("{} {} {}", day_, calls_of_day_, tokens_); }

void Budget::go_on(std::string_view text) {
  std::int64_t read[3] = {};
  for (std::int64_t& each : read) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto number = shogi::take_number<std::int64_t>(text);
    if (!number || *number < 0) return;
    each = *number;
  }
  day_ = read[0];
  calls_of_day_ = read[1];
  tokens_ = read[2];
}

}  // namespace fuhyo::core
