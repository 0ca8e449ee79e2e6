#include "server/app/relay/watched_record.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "engines/record/csa_format.h"
#include "engines/record/csa_setup.h"
#include "engines/shogi/number.h"
#include "server/core/games/game.h"
#include "server/core/record_text.h"
#include "server/core/tournament/event.h"
#include "server/csa/game_name.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kLongestIdentifier = 64;  // more than any server allows
constexpr std::string_view kTimePattern = "yyyy/mm/dd hh:mm:ss";

bool is_move_line(std::string_view line) { return line.size() > 1 && (line[0] == '+' || line[0] == '-'); }

// What follows `key`, if the line begins with it.
std::optional<std::string_view> behind(std::string_view line, std::string_view key) {
  if (!line.starts_with(key)) return std::nullopt;
  return line.substr(key.size());
}

template <class T>
void set_number(T& into, std::string_view digits) {
  into = shogi::number_of<T>(digits).value_or(into);
}

core::TimeRule time_by_name(std::string_view game_name) {
  const auto name = csa::parse_game_name(game_name, kLongestIdentifier);
  if (!name) return {};
  return core::time_rule(*name);
}

// "$TIME+:600+0+5", where the colours have clocks of their own.
void take_own_time(core::TimeRule& rule, std::string_view text) {
  const auto time = record::parse_time(text);
  if (!time) return;
  const auto seconds = [](std::int64_t ms) { return static_cast<std::int32_t>(ms / 1000); };
  rule.total_s = seconds(time->total_ms);
  rule.byoyomi_s = seconds(time->byoyomi_ms);
  rule.increment_s = seconds(time->increment_ms);
}

class Head {
 public:
  explicit Head(const std::string& csa_id) {
    opened_.csa_id = csa_id;
    opened_.game_name = core::game_name_of(csa_id);
    opened_.time = time_by_name(opened_.game_name);
    opened_.rated = false;
    opened_.comments = core::Comments::live;  // the other server has decided who may read them
  }

  // False: the head ends before this line.
  bool take_line(std::string_view line) {
    if (preset_ > 0) return take_preset(line);
    if (line == "+" || line == "-") {
      turn_ = line == "+" ? shogi::BLACK : shogi::WHITE;
    } else if (is_move_line(line) || line.starts_with("'*")) {
      return false;
    } else if (line.starts_with('P')) {
      const std::size_t end = line.find_last_not_of(' ');
      if (auto defect = setup_.line(line.substr(0, end + 1)); defect && fault_.empty()) fault_ = std::move(*defect);
    } else {
      take_key(line);
    }
    return true;
  }

  std::expected<core::GameOpened, std::string> finish() {
    if (!fault_.empty()) return std::unexpected(fault_);
    if (!setup_.any()) return std::unexpected("it has no start position");
    const auto setup = setup_.finish(turn_);
    if (!setup) return std::unexpected(setup.error());
    auto position = setup->position();
    if (!position) return std::unexpected("its start position is not one of a game");
    opened_.start_sfen = position->sfen();
    for (const std::string& move : opened_.preset_moves) {
      if (!core::play(*position, move))
        return std::unexpected(fmt::format("it begins with {}, which is illegal", move));
    }
    if (opened_.black.name.empty() || opened_.white.name.empty()) return std::unexpected("it names no players");
    return std::move(opened_);
  }

 private:
  // A move and its time on a line each.
  bool take_preset(std::string_view line) {
    if (is_move_line(line)) {
      opened_.preset_moves.push_back(fmt::format("{},T1", line));
    } else if (line.starts_with('T') && !opened_.preset_moves.empty()) {
      std::string& move = opened_.preset_moves.back();
      move = fmt::format("{},{}", move.substr(0, move.find(',')), line);
      --preset_;
    }
    return true;
  }

  void take_key(std::string_view line) {
    if (const auto name = behind(line, "N+")) opened_.black.name = *name;
    if (const auto name = behind(line, "N-")) opened_.white.name = *name;
    if (const auto number = behind(line, "'Max_Moves:")) set_number(opened_.max_moves, *number);
    if (const auto number = behind(line, "'Least_Time_Per_Move:")) set_number(opened_.time.least_s, *number);
    if (const auto time = behind(line, "$TIME+:")) take_own_time(opened_.time, *time);
    if (const auto time = behind(line, "$TIME-:")) {
      take_own_time(opened_.white_time.emplace(), *time);
      opened_.white_time->least_s = opened_.time.least_s;
    }
    if (const auto time = behind(line, "$START_TIME:"); time && time->size() == kTimePattern.size()) {
      opened_.local_time = *time;
    }
    if (const auto word = behind(line, "'Declaration:")) {
      opened_.declaration = core::tournament::parse_declaration(*word).value_or(opened_.declaration);
    }
    if (const auto word = behind(line, "'Rules:")) {
      opened_.rulebook = core::tournament::parse_rulebook(*word).value_or(opened_.rulebook);
    }
    if (const auto ids = behind(line, "'rating:")) take_ids(*ids);
    const auto rate = [&](std::int32_t& into) { set_number(into, line.substr(line.rfind(':') + 1)); };
    if (line.starts_with("'black_rate:")) rate(opened_.black_rate);
    if (line.starts_with("'white_rate:")) rate(opened_.white_rate);
    if (auto count = behind(line, "'buoy game starting with ")) {
      preset_ = shogi::take_number<std::size_t>(*count).value_or(0);
    }
  }

  void take_ids(std::string_view ids) {
    const std::size_t colon = ids.find(':');
    if (colon == std::string_view::npos) return;
    opened_.black.id = ids.substr(0, colon);
    opened_.white.id = ids.substr(colon + 1);
    opened_.rated = true;
  }

  core::GameOpened opened_;
  record::CsaSetupReader setup_;
  shogi::Color turn_ = shogi::BLACK;
  std::size_t preset_ = 0;  // moves of a buoy that are to come
  std::string fault_;
};

}  // namespace

WatchedLines read_watched_lines(std::span<const std::string> lines) {
  WatchedLines read;
  for (const std::string_view line : lines) {
    if (is_move_line(line)) {
      read.moves.push_back({.csa = std::string(line)});
    } else if (line.starts_with("'*")) {
      (read.moves.empty() ? read.comments : read.moves.back().comments).emplace_back(line.substr(2));
    } else if (line.starts_with('T')) {
      const auto spent_s = shogi::number_of<std::int32_t>(line.substr(1));
      if (!read.end.empty()) {
        read.spent_s = spent_s;
      } else if (!read.moves.empty()) {
        read.moves.back().spent_s = spent_s.value_or(0);
      }
    } else if (line.starts_with('%') || line.starts_with('#')) {
      read.end = line;
    }
  }
  return read;
}

std::expected<WatchedRecord, std::string> read_watched_record(std::span<const std::string> lines,
                                                              const std::string& csa_id) {
  Head head(csa_id);
  std::size_t at = 0;
  while (at < lines.size() && head.take_line(lines[at])) ++at;
  auto opened = head.finish();
  if (!opened) return std::unexpected(std::move(opened.error()));
  return WatchedRecord{std::move(*opened), read_watched_lines(lines.subspan(at))};
}

}  // namespace fuhyo::app
