// The settings of a division: one row a key, and the checks of their values.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "server/core/civil_time.h"
#include "server/core/tournament/format_rules.h"
#include "server/core/tournament/setting_reader.h"
#include "server/core/tournament/words.h"
#include "server/csa/game_name.h"

namespace fuhyo::core::tournament {
namespace {

constexpr int kMostMoves = 4096, kMostWait = 86'400;

template <class Enum>
std::string choices(Words<Enum> words) {
  std::string text;
  for (const auto& [each, word] : words) text += fmt::format("{}{}", text.empty() ? "" : ", ", word);
  return text;
}

template <class Enum>
std::optional<Enum> word(SettingReader& reader, const Value& value, const std::string& text, Words<Enum> words) {
  auto found = value_of<Enum>(words, text);
  if (!found) reader.complain(value, fmt::format("'{}' is none of {}", text, choices<Enum>(words)));
  return found;
}

template <class Enum>
void set_word(SettingReader& reader, const Value& value, Words<Enum> words, Enum& target) {
  const auto text = one(reader, value);
  if (!text) return;
  if (const auto found = word<Enum>(reader, value, *text, words)) target = *found;
}

void set_number(SettingReader& reader, const Value& value, int least, int most, int& target) {
  if (const auto number = whole(reader, value, least, most)) target = *number;
}
void set_flag(SettingReader& reader, const Value& value, bool& target) {
  if (const auto flag = yes_or_no(reader, value)) target = *flag;
}
void set_points(SettingReader& reader, const Value& value, Points& target) {
  const auto text = one(reader, value);
  if (!text) return;
  if (const auto points = parse_points(*text)) {
    target = *points;
  } else {
    reader.complain(value, fmt::format("'{}' is no number of points: three digits after the point at most", *text));
  }
}

// "900-5F": the last two parts of a game name.
void set_time(SettingReader& reader, const Value& value, TimeRule& target) {
  const auto text = one(reader, value);
  if (!text) return;
  const auto name = csa::parse_game_name("x-" + *text, 1);
  if (!name) {
    return reader.complain(value, fmt::format("'{}' is no time control: 900-10 (15 minutes, then 10 s a move), "
                                              "900-5F (5 s are added before each move)",
                                              *text));
  }
  target.total_s = name->total_s;
  target.byoyomi_s = name->byoyomi_s;
  target.increment_s = name->increment_s;
  target.stopwatch_s = name->stopwatch_s;
}

void set_both_times(SettingReader& reader, const Value& value, DivisionSettings& settings) {
  set_time(reader, value, settings.time[0]);
  set_time(reader, value, settings.time[1]);
}

void set_format(SettingReader& reader, const Value& value, DivisionSettings& settings) {
  std::vector<std::pair<Format, std::string_view>> words;
  for (const auto& [format, rules] : kFormats) words.emplace_back(format, rules->word);
  set_word<Format>(reader, value, words, settings.format);
}

void set_method(SettingReader& reader, const Value& value, DivisionSettings& settings) {
  const auto text = one(reader, value);
  if (!text) return;
  if (const auto method = floodgate::parse_method(*text)) {
    settings.method = *method;
  } else {
    reader.complain(value, fmt::format("'{}' is no method of pairing; matching, swiss, random_pairing, ...", *text));
  }
}

void set_tie_breaks(SettingReader& reader, const Value& value, DivisionSettings& settings) {
  settings.tie_breaks.clear();
  for (const std::string& text : value.items) {
    const auto found = word<TieBreak>(reader, value, text, kTieBreaks);
    if (!found) continue;
    if (std::ranges::find(settings.tie_breaks, *found) != settings.tie_breaks.end()) {
      reader.complain(value, fmt::format("'{}' is there twice", text));
    }
    settings.tie_breaks.push_back(*found);
  }
}

void set_positions(SettingReader& reader, const Value& value, DivisionSettings& settings) {
  settings.positions.clear();
  if (value.items.size() > kMostPositions) {
    return reader.complain(value, fmt::format("more than {} positions", kMostPositions));
  }
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const auto read = read_position_set(value.items[i]);
    if (!read || read->size() != 1) {
      reader.complain(value, fmt::format("position {}: {}", i + 1, read ? "one position, please" : read.error()));
      continue;
    }
    settings.positions.push_back(read->front());
  }
}

// "2026-12-24 10:00", "2026-12-24T10:00:00": seconds since 1970 as clocks show them.
std::optional<std::int64_t> local_time(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00 00:00";
  if (text.size() == kShape.size() + 3 && text.ends_with(":00")) text.remove_suffix(3);
  if (text.size() != kShape.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    const bool fits = kShape[i] == '0' ? digit : text[i] == kShape[i] || (kShape[i] == ' ' && text[i] == 'T');
    if (!fits) return std::nullopt;
  }
  const auto number = [&](std::size_t from, std::size_t size) {
    int value = 0;
    std::from_chars(text.data() + from, text.data() + from + size, value);
    return value;
  };
  const int year = number(0, 4), month = number(5, 2), day = number(8, 2), hour = number(11, 2), minute = number(14, 2);
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59) return std::nullopt;
  const std::int64_t local_s =
      days_from_civil(year, month, day) * 86'400 + std::int64_t{hour} * 3600 + std::int64_t{minute} * 60;
  const CivilTime back = civil(local_s);
  return back.month == month && back.day == day ? std::optional(local_s) : std::nullopt;
}

void set_starts(SettingReader& reader, const Value& value, DivisionSettings& settings) {
  std::vector<std::int64_t>& starts = settings.timetable.starts;
  starts.clear();
  for (const std::string& text : value.items) {
    const auto at = local_time(text);
    if (!at) {
      reader.complain(value, fmt::format("'{}' is no time like 2026-12-24 10:00", text));
      continue;
    }
    if (!starts.empty() && *at <= starts.back()) {
      reader.complain(value, fmt::format("{} is not after the start before it", text));
    }
    starts.push_back(*at);
  }
}

void set_least_time(SettingReader& reader, const Value& value, DivisionSettings& settings) {
  const auto seconds = whole(reader, value, 0, 60);
  if (seconds) settings.time[0].least_s = settings.time[1].least_s = *seconds;
}

using Setter = void (*)(SettingReader&, const Value&, DivisionSettings&);
struct Row {
  std::string_view key;
  Setter set;
};

// `time` stands before what changes it.
constexpr Row kRows[] = {
    {"format", set_format},
    {"rounds", [](auto& r, auto& v, auto& t) { set_number(r, v, 1, kMostRounds, t.rounds); }},
    {"cycles", [](auto& r, auto& v, auto& t) { set_number(r, v, 1, 20, t.cycles); }},
    {"games", [](auto& r, auto& v, auto& t) { set_number(r, v, 1, kMostGames, t.games); }},
    {"random-rounds", [](auto& r, auto& v, auto& t) { set_number(r, v, 0, kMostRounds, t.random_rounds); }},
    {"rematches", [](auto& r, auto& v, auto& t) { set_flag(r, v, t.rematches); }},
    {"seeds", [](auto& r, auto& v, auto& t) { set_number(r, v, 1, static_cast<int>(kMostMembers), t.seeds); }},
    {"third-place", [](auto& r, auto& v, auto& t) { set_flag(r, v, t.third_place); }},
    {"stop-when-decided", [](auto& r, auto& v, auto& t) { set_flag(r, v, t.stop_when_decided); }},
    {"method", set_method},
    {"win", [](auto& r, auto& v, auto& t) { set_points(r, v, t.scoring.win); }},
    {"loss", [](auto& r, auto& v, auto& t) { set_points(r, v, t.scoring.loss); }},
    {"draw-black", [](auto& r, auto& v, auto& t) { set_points(r, v, t.scoring.draw_black); }},
    {"draw-white", [](auto& r, auto& v, auto& t) { set_points(r, v, t.scoring.draw_white); }},
    {"forfeit-win", [](auto& r, auto& v, auto& t) { set_points(r, v, t.scoring.forfeit_win); }},
    {"forfeit-loss", [](auto& r, auto& v, auto& t) { set_points(r, v, t.scoring.forfeit_loss); }},
    {"bye", [](auto& r, auto& v, auto& t) { set_points(r, v, t.scoring.bye); }},
    {"absent", [](auto& r, auto& v, auto& t) { set_points(r, v, t.scoring.absent); }},
    {"draws", [](auto& r, auto& v, auto& t) { set_word<DrawRule>(r, v, kDrawRules, t.draws); }},
    {"replays", [](auto& r, auto& v, auto& t) { set_number(r, v, 0, kMostReplays, t.replays); }},
    {"decider", [](auto& r, auto& v, auto& t) { set_word<Decider>(r, v, kDeciders, t.decider); }},
    {"withdrawn", [](auto& r, auto& v, auto& t) { set_word<WithdrawnGames>(r, v, kWithdrawnGames, t.withdrawn); }},
    {"tie-breaks", set_tie_breaks},
    {"time", set_both_times},
    {"time-black", [](auto& r, auto& v, auto& t) { set_time(r, v, t.time[0]); }},
    {"time-white", [](auto& r, auto& v, auto& t) { set_time(r, v, t.time[1]); }},
    {"least-time-per-move", set_least_time},
    {"max-moves", [](auto& r, auto& v, auto& t) { set_number(r, v, 0, kMostMoves, t.max_moves); }},
    {"declaration",
     [](auto& r, auto& v, auto& t) { set_word<shogi::DeclarationRule>(r, v, kDeclarations, t.declaration); }},
    {"rules", [](auto& r, auto& v, auto& t) { set_word<Rulebook>(r, v, kRulebooks, t.rulebook); }},
    {"positions", set_positions},
    {"positions-by", [](auto& r, auto& v, auto& t) { set_word<PositionsBy>(r, v, kPositionsBy, t.positions_by); }},
    {"starts", set_starts},
    {"gap-s", [](auto& r, auto& v, auto& t) { set_number(r, v, 0, kMostWait, t.timetable.gap_s); }},
    {"countdown-s", [](auto& r, auto& v, auto& t) { set_number(r, v, 0, kMostWait, t.timetable.countdown_s); }},
    {"forfeit-s", [](auto& r, auto& v, auto& t) { set_number(r, v, 0, kMostWait, t.timetable.forfeit_s); }},
};

// A setting is for all formats, or for those that list it.
bool knows(const FormatRules& rules, std::string_view key) {
  return rules.takes(key) ||
         std::ranges::none_of(kFormats, [key](const FormatEntry& each) { return each.rules->takes(key); });
}

void judge_numbers(SettingReader& reader, const DivisionSettings& settings, int line) {
  const FormatRules& rules = rules_of(settings);
  const bool counted = rules.takes("rounds") && !rules.endless;
  if (counted && settings.rounds == 0) reader.complain(line, fmt::format("{}: how many rounds?", rules.word));
  if (rules.takes("random-rounds") && settings.random_rounds > settings.rounds) {
    reader.complain(line, "random-rounds: more than there are rounds");
  }
  if (!rules.eliminates && settings.draws == DrawRule::replay && settings.replays == 0) {
    reader.complain(line, "draws are replayed: how often? (replays)");
  }
  if (settings.time[0].unlimited() || settings.time[1].unlimited()) {
    reader.complain(line, "there is no time control (time): a game could last for ever");
  }
  const std::size_t starts = settings.timetable.starts.size();
  if (counted && starts > static_cast<std::size_t>(settings.rounds)) reader.complain(line, "more starts than rounds");
}

void judge_scoring(SettingReader& reader, const Scoring& scoring, int line) {
  if (scoring.win <= scoring.loss) reader.complain(line, "a win must be worth more than a loss");
  for (const Points draw : {scoring.draw_black, scoring.draw_white}) {
    if (draw > scoring.win || draw < scoring.loss) {
      return reader.complain(line, "a draw must be worth no more than a win, and no less than a loss");
    }
  }
}

}  // namespace

void read_division_settings(SettingReader& reader, const std::string& place, int level, LayeredSettings& layered) {
  const auto both_draws = reader.take(place, "draw");
  if (both_draws) {
    set_points(reader, *both_draws, layered.settings.scoring.draw_black);
    layered.settings.scoring.draw_white = layered.settings.scoring.draw_black;
  }
  for (const Row& row : kRows) {
    const auto value = reader.take(place, row.key);
    if (!value) continue;
    row.set(reader, *value, layered.settings);
    layered.set_at[std::string(row.key)] = {level, value->line};
    if (row.key == "format") layered.format_level = level;
    if (row.key == "tie-breaks") layered.has_tie_breaks = true;
  }
}

void check_division_settings(SettingReader& reader, const LayeredSettings& layered, int line) {
  const DivisionSettings& settings = layered.settings;
  const FormatRules& rules = rules_of(settings);
  for (const Row& row : kRows) {
    const auto found = layered.set_at.find(row.key);
    if (found == layered.set_at.end() || knows(rules, row.key) || found->second.first < layered.format_level) continue;
    reader.complain(found->second.second, fmt::format("{}: means nothing in the format '{}'", row.key, rules.word));
  }
  judge_numbers(reader, settings, line);
  judge_scoring(reader, settings.scoring, line);
  const auto& by = settings.tie_breaks;
  const bool reached = std::ranges::find(by, TieBreak::reached) != by.end();
  if (rules.eliminates && !by.empty() && by.front() != TieBreak::reached) {
    reader.complain(line, "tie-breaks: those of a knock-out begin with 'reached'");
  } else if (!rules.eliminates && reached) {
    reader.complain(line, "tie-breaks: 'reached' is of knock-outs only");
  }
}

}  // namespace fuhyo::core::tournament
