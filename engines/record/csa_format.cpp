#include "engines/record/csa_format.h"

#include <array>
#include <cstddef>
#include <utility>

namespace fuhyo::record {
namespace {

constexpr std::array<std::string_view, 5> kVersions = {"", "V2", "V2.1", "V2.2", "V3.0"};

// In the order of EndKind, without none and other.
constexpr std::array<std::pair<std::string_view, EndKind>, 15> kEnds = {{
    {"TORYO", EndKind::toryo},
    {"CHUDAN", EndKind::chudan},
    {"SENNICHITE", EndKind::sennichite},
    {"TIME_UP", EndKind::time_up},
    {"ILLEGAL_MOVE", EndKind::illegal_move},
    {"+ILLEGAL_ACTION", EndKind::black_illegal},
    {"-ILLEGAL_ACTION", EndKind::white_illegal},
    {"JISHOGI", EndKind::jishogi},
    {"KACHI", EndKind::kachi},
    {"HIKIWAKE", EndKind::hikiwake},
    {"MATTA", EndKind::matta},
    {"TSUMI", EndKind::tsumi},
    {"FUZUMI", EndKind::fuzumi},
    {"ERROR", EndKind::error},
    {"MAX_MOVES", EndKind::max_moves},
}};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number before `stop` (or the end), which is taken off `text` together with it. At most nine digits.
std::optional<std::int64_t> take_number(std::string_view& text, char stop) {
  constexpr std::size_t kMaxDigits = 9;
  std::int64_t value = 0;
  std::size_t i = 0;
  for (; i < text.size() && is_digit(text[i]); ++i) value = i < kMaxDigits ? value * 10 + (text[i] - '0') : 0;
  if (i == 0 || i > kMaxDigits) return std::nullopt;
  if (stop != '\0' && (i == text.size() || text[i] != stop)) return std::nullopt;
  text.remove_prefix(stop != '\0' ? i + 1 : i);
  return value;
}

// Seconds up to `stop`, taken off with it.
std::optional<std::int64_t> take_seconds(std::string_view& text, char stop) {
  const std::size_t end = text.find(stop);
  if (end == std::string_view::npos) return std::nullopt;
  const auto seconds = parse_seconds(text.substr(0, end));
  text.remove_prefix(end + 1);
  return seconds;
}

std::string two_digits(std::int64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); }

}  // namespace

std::string_view to_string(CsaVersion version) { return kVersions[static_cast<std::size_t>(version)]; }

std::optional<CsaVersion> csa_version(std::string_view line) {
  for (std::size_t i = 1; i < kVersions.size(); ++i) {
    if (line == kVersions[i]) return static_cast<CsaVersion>(i);
  }
  if (line == "V3") return CsaVersion::v3_0;
  return std::nullopt;
}

std::string_view csa_end_name(EndKind kind) {
  for (const auto& [name, value] : kEnds) {
    if (value == kind) return name;
  }
  return "";
}

EndKind csa_end_kind(std::string_view name) {
  for (const auto& [known, value] : kEnds) {
    if (known == name) return value;
  }
  return EndKind::other;
}

std::optional<std::int64_t> parse_seconds(std::string_view text) {
  const auto seconds = take_number(text, '\0');
  if (!seconds) return std::nullopt;
  std::int64_t ms = *seconds * 1000;
  if (text.empty()) return ms;
  if (text[0] != '.') return std::nullopt;
  std::int64_t unit = 100;
  for (const char c : text.substr(1)) {
    if (!is_digit(c)) return std::nullopt;
    ms += (c - '0') * unit;
    unit /= 10;
  }
  return ms;
}

std::string format_seconds(std::int64_t ms) {
  std::string out = std::to_string(ms / 1000);
  const std::int64_t fraction = ms % 1000;
  if (fraction == 0) return out;
  std::string digits = std::to_string(1000 + fraction);
  digits[0] = '.';
  while (digits.back() == '0') digits.pop_back();
  return out + digits;
}

std::optional<TimeControl> parse_time_limit(std::string_view text) {
  const auto hours = take_number(text, ':');
  const auto minutes = hours ? take_number(text, '+') : std::nullopt;
  const auto byoyomi = minutes ? take_number(text, '\0') : std::nullopt;
  if (!byoyomi || !text.empty()) return std::nullopt;
  constexpr std::int64_t kMost_ms = 999'999'999'000;  // nine digits of seconds, as everywhere: it must be writable
  const std::int64_t total_ms = (*hours * 60 + *minutes) * 60'000;
  if (total_ms > kMost_ms) return std::nullopt;
  return TimeControl{.total_ms = total_ms, .byoyomi_ms = *byoyomi * 1000};
}

std::optional<TimeControl> parse_time(std::string_view text) {
  const auto total = take_seconds(text, '+');
  const auto byoyomi = total ? take_seconds(text, '+') : std::nullopt;
  const auto increment = byoyomi ? parse_seconds(text) : std::nullopt;
  if (!increment) return std::nullopt;
  return TimeControl{.total_ms = *total, .byoyomi_ms = *byoyomi, .increment_ms = *increment};
}

std::optional<std::string> format_time_limit(const TimeControl& time) {
  if (time.increment_ms != 0 || time.total_ms % 60'000 != 0 || time.byoyomi_ms % 1000 != 0) return std::nullopt;
  const std::int64_t minutes = time.total_ms / 60'000;
  return two_digits(minutes / 60) + ":" + two_digits(minutes % 60) + "+" + two_digits(time.byoyomi_ms / 1000);
}

std::string format_time(const TimeControl& time) {
  return format_seconds(time.total_ms) + "+" + format_seconds(time.byoyomi_ms) + "+" +
         format_seconds(time.increment_ms);
}

}  // namespace fuhyo::record
