#include "engines/match/time_control.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "engines/usi/text.h"

namespace fuhyo::match {
namespace {

constexpr std::int64_t kMost = 1'000'000'000'000;  // 30 years in milliseconds; and more nodes than anybody waits for

using Failure = std::unexpected<std::string>;

std::expected<std::int64_t, std::string> positive(std::string_view key, std::string_view text) {
  const auto value = usi::to_integer(text);
  // An increment, a main time or byoyomi of nothing is what some write for "none".
  const std::int64_t least = key == "time" || key == "inc" || key == "byoyomi" ? 0 : 1;
  if (value && *value >= least && *value <= kMost) return *value;
  return Failure(fmt::format("{}={}: a whole number from {} to {} is expected", key, text, least, kMost));
}

template <class T>
std::expected<void, std::string> set(std::optional<T>& field, std::string_view key, std::string_view value) {
  if (field) return Failure(fmt::format("'{}' is given twice", key));
  const auto parsed = positive(key, value);
  if (!parsed) return Failure(parsed.error());
  if (*parsed > std::numeric_limits<T>::max()) return Failure(fmt::format("{}={} is too much", key, value));
  field = static_cast<T>(*parsed);
  return {};
}

std::expected<void, std::string> take_word(TimeControl& control, std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::string_view key = word.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
  if (key == "time") return set(control.time_ms, key, value);
  if (key == "inc") return set(control.inc_ms, key, value);
  if (key == "byoyomi") return set(control.byoyomi_ms, key, value);
  if (key == "movetime") return set(control.movetime_ms, key, value);
  if (key == "nodes") return set(control.nodes, key, value);
  if (key == "depth") return set(control.depth, key, value);
  return Failure(
      fmt::format("'{}' is no time control: time, inc, byoyomi, movetime, nodes and depth are, or 2+0.1", word));
}

std::optional<std::int64_t> seconds_as_ms(std::string_view text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (!(seconds >= 0) || seconds > 1e9) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(seconds * 1000));
}

// "60", "2+0.1".
std::optional<TimeControl> seconds_and_increment(std::string_view text) {
  const std::size_t plus = text.find('+');
  const auto main = seconds_as_ms(text.substr(0, plus));
  if (!main) return std::nullopt;
  TimeControl control{.time_ms = main};
  if (plus == std::string_view::npos) return control;
  control.inc_ms = seconds_as_ms(text.substr(plus + 1));
  return control.inc_ms ? std::optional(control) : std::nullopt;
}

std::expected<TimeControl, std::string> checked(const TimeControl& control) {
  if (control.inc_ms && control.byoyomi_ms) return Failure("increment and byoyomi exclude each other");
  if (control.movetime_ms && control.has_clock()) return Failure("movetime and a clock exclude each other");
  const std::int64_t sum = control.time_ms.value_or(0) + control.inc_ms.value_or(0) + control.byoyomi_ms.value_or(0);
  if (control.has_clock() && sum == 0) return Failure("a clock without any time");
  return control;
}

}  // namespace

std::expected<TimeControl, std::string> parse_time_control(std::string_view text) {
  if (const auto short_form = seconds_and_increment(text)) return checked(*short_form);
  TimeControl control;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    if (auto taken = take_word(control, rest.substr(0, comma)); !taken) return Failure(taken.error());
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return checked(control);
}

std::string to_text(const TimeControl& control) {
  std::string out;
  const auto add = [&](std::string_view key, const auto& value) {
    if (value) out += fmt::format("{}{}={}", out.empty() ? "" : ",", key, *value);
  };
  add("time", control.time_ms);
  add("inc", control.inc_ms);
  add("byoyomi", control.byoyomi_ms);
  add("movetime", control.movetime_ms);
  add("nodes", control.nodes);
  add("depth", control.depth);
  return out;
}

std::optional<std::int64_t> Clock::budget_us() const {
  if (control_.movetime_ms) return *control_.movetime_ms * 1000;
  if (!control_.has_clock()) return std::nullopt;
  return left_us_ + (control_.inc_ms.value_or(0) + control_.byoyomi_ms.value_or(0)) * 1000;
}

std::optional<std::int64_t> Clock::spend(std::int64_t spent_us) {
  const auto budget = budget_us();
  if (!budget) return std::nullopt;
  left_us_ = std::max<std::int64_t>(left_us_ + control_.inc_ms.value_or(0) * 1000 - spent_us, 0);
  return spent_us - *budget;
}

usi::GoLimits go_limits(const std::array<TimeControl, 2>& controls, const std::array<Clock, 2>& clocks,
                        shogi::Color mover) {
  const TimeControl& own = controls[mover];
  usi::GoLimits limits{.movetime_ms = own.movetime_ms, .nodes = own.nodes, .depth = own.depth};
  if (!own.has_clock()) return limits;
  limits.timed = true;
  limits.byoyomi_ms = own.byoyomi_ms.value_or(0);
  for (const shogi::Color color : {shogi::BLACK, shogi::WHITE}) {
    limits.time_ms[color] = clocks[color].left_ms();
    limits.inc_ms[color] = controls[color].inc_ms.value_or(0);
  }
  return limits;
}

}  // namespace fuhyo::match
