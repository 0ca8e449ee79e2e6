// parse_schedule(): <game name>.conf, line by line. shogi-server's lines are taken exactly as its regular expressions
// take them (what follows a time is not looked at, "9:5" is 09:05); what it leaves out in silence is warned about here.
#include <algorithm>
#include <array>
#include <concepts>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "engines/shogi/number.h"
#include "server/core/floodgate/schedule.h"

namespace fuhyo::core::floodgate {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";
constexpr std::array<std::string_view, 7> kDays{"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                "Friday", "Saturday", "Sunday"};
constexpr std::int64_t kDay = 86400;
constexpr int kMinutesOfDay = 1440;
constexpr int kMostMoves = 1'000'000;
constexpr int kMostSeconds = 999'999;
constexpr int kMostPlayers = 100'000;
constexpr int kMostGrace_s = 3'600;
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kMostWarnings = 100;  // of one file; nobody reads more

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What is left to read of a line. Each `take` either takes something off its front or leaves it as it is.
class Scanner {
 public:
  explicit Scanner(std::string_view line) : rest_(line) {}

  std::string_view rest() const { return rest_; }
  bool blanks() {
    const std::size_t before = rest_.size();
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
    return rest_.size() != before;
  }
  bool at_end() {  // nothing more, or a comment
    blanks();
    return rest_.empty() || rest_.front() == '#';
  }
  bool literal(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  std::string_view word() { return while_true(is_word, rest_.size()); }
  std::string_view text() {  // up to a blank
    return while_true([](char c) { return !kBlanks.contains(c); }, rest_.size());
  }
  // A number of at most `digits` digits.
  std::optional<int> number(std::size_t digits) { return shogi::number_of<int>(while_true(is_digit, digits)); }
  // "9:5", "09:05": minutes of the day; -1 for a time that no clock shows. `last_hour` is 23, or 24 where 24:00 may
  // stand.
  std::optional<int> time(int last_hour) {
    const std::string_view before = rest_;
    const auto hour = number(2);
    const bool colon = hour && literal(":");
    const auto minute = colon ? number(2) : std::nullopt;
    if (!minute) {
      rest_ = before;
      return std::nullopt;
    }
    const int of_day = *hour * 60 + *minute;
    return *minute < 60 && *hour <= last_hour && of_day <= (last_hour == 24 ? kMinutesOfDay : kMinutesOfDay - 1)
               ? of_day
               : -1;
  }
  // "2026-12-24": days since 1970-01-01; -1 for a day that no calendar has.
  std::optional<std::int64_t> date() {
    const std::string_view before = rest_;
    const auto year = number(4);
    const auto month = year && literal("-") ? number(2) : std::nullopt;
    const auto day = month && literal("-") ? number(2) : std::nullopt;
    if (!day) {
      rest_ = before;
      return std::nullopt;
    }
    if (*year < 1970 || *month < 1 || *month > 12 || *day < 1) return -1;
    const std::int64_t days = days_from_civil(*year, *month, *day);
    const CivilTime back = civil(days * kDay);
    return back.month == *month && back.day == *day ? days : -1;
  }

 private:
  std::string_view while_true(auto predicate, std::size_t most) {
    std::size_t size = 0;
    while (size < std::min(most, rest_.size()) && predicate(rest_[size])) ++size;
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::string_view rest_;
};

std::optional<int> weekday(std::string_view name) {
  const auto found =
      std::ranges::find_if(kDays, [name](std::string_view day) { return name == day || name == day.substr(0, 3); });
  if (found == kDays.end()) return std::nullopt;
  return static_cast<int>(found - kDays.begin()) + 1;
}

class Parser {
 public:
  explicit Parser(const GroupSettings& defaults) { file_.settings = defaults; }

  ScheduleFile parse(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      if (++number_ > kMostScheduleLines) {
        warn(fmt::format("only the first {} lines are read", kMostScheduleLines));
        break;
      }
      line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(file_);
  }

 private:
  void warn(std::string text) {
    if (file_.warnings.size() < kMostWarnings) file_.warnings.push_back({number_, std::move(text)});
  }
  // What of a line is read is complete; the rest is for nobody.
  void end(Scanner& in) {
    if (!in.at_end()) warn(fmt::format("left out what follows: '{}'", in.rest()));
  }

  void line(std::string_view text) {
    Scanner in(text);
    if (in.at_end()) return;
    if (const auto days = in.date()) return date(in, *days);
    const std::string_view first = in.word();
    const bool more = in.blanks();
    if (first == "set") return set(in);
    if (first == "every") return every(in);
    if (first == "until") return until(in);
    const auto minute = more ? in.time(23) : std::nullopt;
    if (first.empty() || !minute) {
      return warn(fmt::format("left out, not understood: '{}'", text.substr(0, text.find_last_not_of(kBlanks) + 1)));
    }
    const auto day = weekday(first);
    if (!day) return warn(fmt::format("left out: '{}' is no day of the week (Sun, Sunday)", first));
    if (*minute < 0) return warn("left out: no such time of the day");
    file_.schedule.weekly.push_back({*day, *minute});
    end(in);
  }

  void date(Scanner& in, std::int64_t days) {
    const auto minute = in.blanks() ? in.time(23) : std::nullopt;
    if (!minute) return warn("left out: a date takes a time, as in '2026-12-24 19:00'");
    if (days < 0) return warn("left out: no such day");
    if (*minute < 0) return warn("left out: no such time of the day");
    file_.schedule.dates.push_back(days * kDay + std::int64_t{*minute} * 60);
    end(in);
  }

  void until(Scanner& in) {
    const auto days = in.date();
    if (!days) return warn("left out: 'until' takes a date, as in 'until 2026-12-31' or 'until 2026-12-31 22:00'");
    if (*days < 0) return warn("left out: no such day");
    const auto minute = in.blanks() ? in.time(23) : std::nullopt;
    if (minute && *minute < 0) return warn("left out: no such time of the day");
    file_.schedule.until = *days * kDay + (minute ? std::int64_t{*minute} * 60 : kDay - 1);
    end(in);
  }

  void every(Scanner& in) {
    constexpr std::string_view kHow = "left out: as in 'every 30 min', 'every 2 hours', 'every 30 min 08:00-22:00'";
    const auto count = in.number(5);
    in.blanks();
    const std::string_view unit = in.word();
    const bool hours = unit == "hour" || unit == "hours";
    if (!count || (!hours && unit != "min" && unit != "minute" && unit != "minutes")) return warn(std::string(kHow));
    Schedule::Every line{*count * (hours ? 60 : 1)};
    if (line.minutes < 1 || line.minutes > kMinutesOfDay) {
      return warn("left out: rounds may be 1 minute to 24 hours apart");
    }
    if (in.at_end()) return file_.schedule.every.push_back(line);
    const auto from = in.time(23);
    const auto to = from && in.literal("-") ? in.time(24) : std::nullopt;
    if (!to) return warn(std::string(kHow));
    if (*from < 0 || *to < 0) return warn("left out: no such time of the day");
    line.from = *from;
    line.to = *to;
    file_.schedule.every.push_back(line);
    end(in);
  }

  void set(Scanner& in) {
    const std::string_view name = in.word();
    in.blanks();
    GroupSettings& s = file_.settings;
    if (name == "sacrifice")
      s.round.sacrifice = in.text();
    else if (name == "pairing_factory")
      pairing_factory(in);
    else if (name == "max_moves")
      whole(in, name, kMostMoves, s.max_moves);
    else if (name == "least_time_per_move")
      whole(in, name, kMostSeconds, s.least_time_per_move_s);
    else if (name == "resume")
      resume(in);
    else if (name == "loss_grace")
      whole(in, name, kMostGrace_s, s.grace_s);
    else if (name == "min_players")
      whole(in, name, kMostPlayers, s.min_players);
    else if (name == "buoy_set")
      buoy_set(in);
    else if (name == "both_colours")
      yes_or_no(in, name, s.round.both_colours);
    else if (name == "fill_with_builtin")
      yes_or_no(in, name, s.fill_with_builtin);
    else
      warn(fmt::format("left out: there is nothing called '{}' to set", name));
  }

  void pairing_factory(Scanner& in) {
    const std::string_view name = in.word();
    const auto method = parse_method(name);
    if (!method) {
      return warn(fmt::format("left out: no pairing is called '{}'; it stays {}", name,
                              to_string(file_.settings.round.method)));
    }
    file_.settings.round.method = *method;
  }
  void resume(Scanner& in) {
    const auto rule = resume_rule_of(in.word());
    if (!rule) return warn("left out: resume takes position, adjudicate or abort");
    file_.settings.resume = *rule;
  }
  template <std::integral Int>
  void whole(Scanner& in, std::string_view name, int most, Int& value) {
    const auto number = in.number(std::numeric_limits<std::size_t>::max());
    if (!number || *number > most) return warn(fmt::format("left out: {} takes a number from 0 to {}", name, most));
    value = static_cast<Int>(*number);
  }
  void yes_or_no(Scanner& in, std::string_view name, bool& value) {
    const std::string_view word = in.word();
    if (word != "yes" && word != "no") return warn(fmt::format("left out: {} takes yes or no", name));
    value = word == "yes";
    end(in);
  }
  void buoy_set(Scanner& in) {
    const std::string_view name = in.text();
    if (name.size() > kLongestName) return warn(fmt::format("left out: a name has at most {} bytes", kLongestName));
    file_.settings.buoy_set = name;
    end(in);
  }

  ScheduleFile file_;
  std::size_t number_ = 0;
};

}  // namespace

ScheduleFile parse_schedule(std::string_view text, const GroupSettings& defaults) {
  return Parser(defaults).parse(text);
}

}  // namespace fuhyo::core::floodgate
