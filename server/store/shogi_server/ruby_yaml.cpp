#include "server/store/shogi_server/ruby_yaml.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

#include "engines/shogi/number.h"

namespace fuhyo::store {
namespace {

using namespace std::chrono;

// Reads a time from its front, piece by piece; everything fails once something did.
class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : rest_(text) {}

  int digits(std::size_t count) {
    int value = 0;
    const std::string_view part = rest_.substr(0, count);
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    ok_ = ok_ && part.size() == count && error == std::errc{} && end == part.data() + count && part[0] != '-';
    rest_.remove_prefix(std::min(count, rest_.size()));
    return ok_ ? value : 0;
  }
  void literal(char c) {
    if (!take(c)) ok_ = false;
  }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Microseconds after a point; further digits are cut off.
  std::int64_t fraction() {
    if (!take('.')) return 0;
    std::int64_t us = 0, unit = 100'000;
    for (; !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; rest_.remove_prefix(1)) {
      us += (rest_[0] - '0') * unit;
      unit /= 10;
    }
    return us;
  }
  // "Z", "+09:00", "-0330", or nothing, which is UTC.
  std::int64_t offset_s() {
    while (take(' ')) {
    }
    if (rest_.empty() || take('Z')) return 0;
    const bool minus = take('-');
    if (!minus) literal('+');
    const int hours = digits(2);
    take(':');
    const int minutes = digits(2);
    return (minus ? -1 : 1) * (std::int64_t{hours} * 3600 + std::int64_t{minutes} * 60);
  }
  bool done() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

std::optional<core::Wall> parse_time(std::string_view text) {
  TimeReader in(text);
  const year y(in.digits(4));
  in.literal('-');
  const month m(static_cast<unsigned>(in.digits(2)));
  in.literal('-');
  const day d(static_cast<unsigned>(in.digits(2)));
  const year_month_day date{y, m, d};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days_s = duration_cast<seconds>(sys_days(date).time_since_epoch()).count();
  if (in.done()) return core::Wall{days_s * core::kSecond};  // a day
  if (!in.take(' ')) in.literal('T');
  const int hour = in.digits(2);
  in.literal(':');
  const int minute = in.digits(2);
  in.literal(':');
  const int second = in.digits(2);
  const std::int64_t us = in.fraction();
  const std::int64_t offset_s = in.offset_s();
  if (!in.done() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return core::Wall{
      (days_s + std::int64_t{hour} * 3600 + std::int64_t{minute} * 60 + second - offset_s) * core::kSecond + us};
}

// Words that YAML of Ruby takes for truth, nothing or numbers.
bool is_reserved(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kWords = {"true", "false", "yes", "no", "on",
                                                             "off",  "null",  "y",   "n"};
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::ranges::find(kWords, lower) != kWords.end();
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_plain(char c) { return is_letter(c) || (c >= '0' && c <= '9') || std::string_view("+-.@/").contains(c); }

}  // namespace

void fail(const YAML::Node& node, const std::string& text) { throw YamlFault(node.Mark(), text); }

std::string yaml_text(const YAML::Node& node, std::string_view what) {
  if (!node.IsDefined() || !node.IsScalar()) fail(node, fmt::format("{} is no text", what));
  return node.Scalar();
}

double yaml_number(const YAML::Node& node, std::string_view what) {
  const std::string text = yaml_text(node, what);
  const auto value = shogi::number_of<double>(text);
  if (!value || !std::isfinite(*value)) fail(node, fmt::format("{}: '{}' is no number", what, text));
  return *value;
}

std::int64_t yaml_integer(const YAML::Node& node, std::string_view what) {
  const double value = yaml_number(node, what);
  constexpr double kMost = 1e15;
  if (value != std::trunc(value) || std::abs(value) > kMost) fail(node, fmt::format("{} is no whole number", what));
  return static_cast<std::int64_t>(value);
}

core::Wall yaml_time(const YAML::Node& node, std::string_view what) {
  const std::string text = yaml_text(node, what);
  const auto time = parse_time(text);
  if (!time) fail(node, fmt::format("{}: '{}' is no time", what, text));
  return *time;
}

YAML::Node yaml_member(const YAML::Node& map, std::string_view key) {
  if (!map.IsMap()) fail(map, "has no keys");
  for (const auto& entry : map) {
    std::string_view name = entry.first.Scalar();
    if (name.starts_with(':')) name.remove_prefix(1);
    if (name == key) return entry.second;
  }
  return YAML::Node(YAML::NodeType::Undefined);
}

YAML::Node yaml_required(const YAML::Node& map, std::string_view key) {
  const YAML::Node node = yaml_member(map, key);
  if (!node.IsDefined()) fail(map, fmt::format("has no {}", key));
  return node;
}

std::string ruby_float(double value) {
  const double size = std::abs(value);
  if (value == 0) return std::signbit(value) ? "-0.0" : "0.0";
  if (size >= 1e16 || size < 1e-4) {
    // The shortest digits, with a point: Ruby writes 1.0e-05.
    std::array<char, 32> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::scientific).ptr;
    std::string text(digits.data(), end);
    if (!text.contains('.')) text.insert(text.find('e'), ".0");
    return text;
  }
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed).ptr;
  const std::string text(digits.data(), end);
  return text.contains('.') ? text : text + ".0";
}

std::string ruby_time(core::Wall wall, const core::TimeZone& zone) {
  const std::int32_t offset_s = zone.offset_at(wall);
  const sys_time<microseconds> local{microseconds(wall.us) + seconds(offset_s)};
  const year_month_day date(floor<days>(local));
  const hh_mm_ss time(local - floor<days>(local));
  const std::int32_t minutes = std::abs(offset_s) / 60;
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:06}000 {}{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count(), time.subseconds().count(),
                     offset_s < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string ruby_string(std::string_view text) {
  if (!text.empty() && is_letter(text[0]) && std::ranges::all_of(text, is_plain) && !is_reserved(text)) {
    return std::string(text);
  }
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace fuhyo::store
