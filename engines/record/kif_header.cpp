#include "engines/record/kif_header.h"

#include <array>
#include <charconv>
#include <utility>

#include "engines/record/csa_format.h"
#include "engines/record/kif_setup.h"
#include "engines/record/kif_text.h"

namespace fuhyo::record {
namespace {

constexpr std::int64_t kMost_ms = 999'999'999'000;  // nine digits of seconds, as in CSA files
constexpr std::string_view kTime = "持ち時間", kBlackTime = "先手の持ち時間", kWhiteTime = "後手の持ち時間",
                           kByoyomi = "秒読み";
constexpr std::string_view kMaxMoves = "最大手数";

// Fields that are text; the first key of a field is the one that is written.
constexpr std::array<std::pair<std::string_view, std::string Game::*>, 10> kTexts = {{
    {"開始日時", &Game::start_time},
    {"終了日時", &Game::end_time},
    {"棋戦", &Game::event},
    {"場所", &Game::site},
    {"戦型", &Game::opening},
    {"備考", &Game::note},
    {"先手", &Game::black},
    {"下手", &Game::black},
    {"後手", &Game::white},
    {"上手", &Game::white},
}};

// A number with decimals in front of one of the units, in ASCII or wide digits.
std::optional<std::int64_t> take_unit(std::string_view& text, std::string_view unit, std::int64_t unit_s) {
  std::string_view rest = text;
  const auto whole = take_number(rest);
  if (!whole) return std::nullopt;
  std::string digits = std::to_string(*whole);
  if (take(rest, ".")) {
    digits += '.';
    while (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') {
      digits += rest[0];
      rest.remove_prefix(1);
    }
  }
  const auto value = parse_seconds(digits);
  if (!value || !take(rest, unit) || *value > kMost_ms / unit_s) return std::nullopt;
  text = rest;
  return *value * unit_s;
}

// "1時間30分5秒", any of them; at least one.
std::optional<std::int64_t> take_duration(std::string_view& text) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 3> kUnits = {{{"時間", 3600}, {"分", 60}, {"秒", 1}}};
  std::optional<std::int64_t> total_ms;
  for (const auto& [unit, unit_s] : kUnits) {
    if (const auto part = take_unit(text, unit, unit_s)) total_ms = total_ms.value_or(0) + *part;
  }
  if (total_ms && *total_ms > kMost_ms) return std::nullopt;
  return total_ms;
}

std::string format_duration(std::int64_t ms) {
  const std::int64_t minutes = ms / 60'000;
  std::string out;
  if (minutes >= 60) out += std::to_string(minutes / 60) + "時間";
  if (minutes % 60 != 0) out += std::to_string(minutes % 60) + "分";
  if (ms % 60'000 != 0) out += format_seconds(ms % 60'000) + "秒";
  return out.empty() ? "0秒" : out;
}

// "秒読み：60秒", on a line of its own, of both sides; "60" means seconds.
bool set_byoyomi(Game& game, std::string_view key, std::string_view value) {
  if (key != kByoyomi) return false;
  std::string_view rest = value;
  auto byoyomi_ms = take_duration(rest);
  if (!byoyomi_ms) {
    const auto seconds = take_number(rest);
    if (!seconds) return false;
    byoyomi_ms = std::int64_t{*seconds} * 1000;
  }
  if (!rest.empty()) return false;
  for (auto* time : {&game.black_time, &game.white_time}) {
    if (!*time) time->emplace();
    (*time)->byoyomi_ms = *byoyomi_ms;
  }
  return true;
}

bool set_time(Game& game, std::string_view key, std::string_view value) {
  if (key != kTime && key != kBlackTime && key != kWhiteTime) return false;
  const auto time = parse_kif_time(value);
  if (!time) return false;
  for (auto* field : {&game.black_time, &game.white_time}) {
    if (key == (field == &game.black_time ? kWhiteTime : kBlackTime)) continue;
    const std::int64_t said_before_ms = *field ? (*field)->byoyomi_ms : 0;
    *field = time;
    if (time->byoyomi_ms == 0) (*field)->byoyomi_ms = said_before_ms;
  }
  return true;
}

bool set_max_moves(Game& game, std::string_view key, std::string_view value) {
  if (key != kMaxMoves) return false;
  const auto moves = take_number(value);
  if (!moves || !value.empty()) return false;
  game.max_moves = *moves;
  return true;
}

}  // namespace

void set_header(Game& game, std::string_view key, std::string_view value) {
  for (const auto& [name, field] : kTexts) {
    if (key != name) continue;
    game.*field = value;
    return;
  }
  if (set_time(game, key, value) || set_byoyomi(game, key, value) || set_max_moves(game, key, value)) return;
  game.headers.push_back({std::string(key), std::string(value)});
}

std::vector<Header> headers_of(const Game& game) {
  const bool handicap = is_handicap(game.start);
  std::vector<Header> headers;
  for (const auto& [name, field] : kTexts) {
    if (field == &Game::black) break;
    if (!(game.*field).empty()) headers.push_back({std::string(name), game.*field});
  }
  if (game.black_time && game.black_time == game.white_time) {
    headers.push_back({std::string(kTime), format_kif_time(*game.black_time)});
  } else {
    if (game.black_time) headers.push_back({std::string(kBlackTime), format_kif_time(*game.black_time)});
    if (game.white_time) headers.push_back({std::string(kWhiteTime), format_kif_time(*game.white_time)});
  }
  if (game.max_moves) headers.push_back({std::string(kMaxMoves), std::to_string(*game.max_moves)});
  headers.insert(headers.end(), game.headers.begin(), game.headers.end());
  headers.push_back({std::string(side_name(shogi::BLACK, handicap)), game.black});
  headers.push_back({std::string(side_name(shogi::WHITE, handicap)), game.white});
  return headers;
}

std::optional<TimeControl> parse_kif_time(std::string_view text) {
  take(text, "各");
  const auto total = take_duration(text);
  if (!total) return std::nullopt;
  TimeControl time{.total_ms = *total};
  while (!text.empty()) {
    if (!take(text, "＋") && !take(text, "+")) return std::nullopt;
    const bool increment = take(text, "1手") || take(text, "１手");
    if (!increment) take(text, "秒読み");
    const auto part = take_duration(text);
    if (!part || (increment && !take(text, "加算"))) return std::nullopt;
    std::int64_t& field = increment ? time.increment_ms : time.byoyomi_ms;
    if (field != 0) return std::nullopt;
    field = *part;
  }
  return time;
}

std::string format_kif_time(const TimeControl& time) {
  std::string out = format_duration(time.total_ms);
  if (time.byoyomi_ms != 0) out += "＋秒読み" + format_duration(time.byoyomi_ms);
  if (time.increment_ms != 0) out += "＋1手" + format_duration(time.increment_ms) + "加算";
  return out;
}

std::optional<std::int64_t> parse_spent(std::string_view text) {
  std::int64_t total_ms = 0;
  int parts = 0;
  for (bool more = true; more; ++parts) {
    const std::size_t colon = text.find(':');
    more = colon != std::string_view::npos;
    const auto part = parse_seconds(trimmed(text.substr(0, colon)));
    if (!part || parts == 3) return std::nullopt;
    total_ms = total_ms * 60 + *part;
    if (more) text.remove_prefix(colon + 1);
  }
  if (parts < 2 || total_ms > kMost_ms) return std::nullopt;
  return total_ms;
}

}  // namespace fuhyo::record
