#include "server/store/results/collector.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

#include "engines/record/record_format.h"
#include "server/store/results/list.h"
#include "server/store/results/pgn_tags.h"
#include "server/store/results/record_result.h"
#include "server/store/shogi_server/local_time.h"

namespace fuhyo::store {
namespace {

using core::rating::Score;

Score score_of(core::Outcome outcome) {
  if (outcome == core::Outcome::draw) return Score::draw;
  return outcome == core::Outcome::black_wins ? Score::black_wins : Score::white_wins;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The Game_ID that a record file of a server is called after, "event+game+black+white+20260131123456.csa"; empty for
// any other name.
std::string_view game_id(std::string_view path) {
  std::string_view name = file_name(path);
  if (!name.ends_with(".csa")) return "";
  name.remove_suffix(4);
  return std::ranges::count(name, '+') >= 4 ? name : "";
}

std::optional<core::Outcome> outcome_of_pgn(std::string_view result) {
  if (result == "1-0") return core::Outcome::black_wins;
  if (result == "0-1") return core::Outcome::white_wins;
  if (result == "1/2-1/2") return core::Outcome::draw;
  return std::nullopt;
}

std::string tag(const PgnGame& game, std::string_view name) {
  const auto found = game.tags.find(name);
  return found == game.tags.end() ? "" : found->second;
}

std::string text_of(const PgnGame& game) {
  std::string text;
  for (const auto& [name, value] : game.tags) text += fmt::format("[{} {}]\n", name, value);
  return text + game.moves;
}

// "2026.01.31" and "12:34:56" as shogi-server writes times; without an hour it is noon.
std::string pgn_time(const PgnGame& game) {
  std::string date = tag(game, "Date");
  std::ranges::replace(date, '.', '/');
  const std::string time = tag(game, "Time");
  return fmt::format("{} {}", date, time.empty() ? "12:00:00" : time);
}

}  // namespace

bool ResultCollector::seen(std::string key) {
  const bool fresh = seen_.insert(std::move(key)).second;
  if (!fresh) ++repeated_;
  return !fresh;
}

core::Wall ResultCollector::time_of(std::string_view local_time) {
  if (const auto wall = parse_local_time(local_time, zone_)) return *wall;
  ++without_time_;
  return {};
}

void ResultCollector::add_file(std::string_view bytes, const std::string& file) {
  const std::string_view name = file_name(file), start = strip(bytes.substr(0, 4096));
  if (name.ends_with(".pgn")) return add_pgn(bytes, file);
  if (name.starts_with("00LIST")) return add_list(bytes, file);
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && record::format_by_extension(name.substr(dot + 1)))
    return add_record(bytes, file);
  if (start.starts_with('[')) return add_pgn(bytes, file);
  if (std::ranges::count(start.substr(0, start.find('\n')), '\t') >= 6) return add_list(bytes, file);
  add_record(bytes, file);
}

void ResultCollector::add_list(std::string_view text, const std::string& file) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = strip(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty()) continue;
    if (std::string fault = add_line(line); !fault.empty()) faults_.push_back({file, number, std::move(fault)});
  }
}

// An error text, or the game is taken.
std::string ResultCollector::add_line(std::string_view line) {
  const auto result = parse_result_line(line);
  if (!result) return result.error();
  const auto ended = parse_local_time(result->ended, zone_);
  if (!ended) return fmt::format("'{}' is no time like 2026/01/31 12:34:56", result->ended);
  const std::string_view id = game_id(result->record);
  if (seen(std::string(id.empty() ? line : id))) return "";
  const core::rating::PlayerIndex black = games_.player(result->black), white = games_.player(result->white);
  games_.add({.black = black,
              .white = white,
              .score = score_of(result->outcome),
              .abnormal = result->kind == "abnormal",
              .plies = result->plies.value_or(0),
              .ended = *ended});
  return "";
}

void ResultCollector::add_record(std::string_view bytes, const std::string& file) {
  const auto read = record::read_records(bytes, file_name(file));
  if (!read) {
    faults_.push_back({file, static_cast<std::size_t>(read.error().line), read.error().text});
    return;
  }
  for (const record::ReadRecord& each : *read) {
    const RecordResult result = result_of(each.file.game);
    const std::string& black_name = result.black_id.empty() ? result.black : result.black_id;
    const std::string& white_name = result.white_id.empty() ? result.white : result.white_id;
    if (result.outcome == core::Outcome::none) {
      ++without_result_;
    } else if (black_name.empty() || white_name.empty()) {
      faults_.push_back({file, 0, "does not name both players"});
    } else if (const auto id = game_id(file); id.empty() || read->size() > 1 || !seen(std::string(id))) {
      const core::rating::PlayerIndex black = games_.player(black_name), white = games_.player(white_name);
      games_.add({.black = black,
                  .white = white,
                  .score = score_of(result.outcome),
                  .abnormal = result.kind == "abnormal",
                  .plies = result.plies,
                  .ended = time_of(result.ended)});
    }
  }
}

void ResultCollector::add_pgn(std::string_view text, const std::string& file) {
  std::map<std::string, std::size_t> times;  // that a game stands in this file
  for (const PgnGame& game : read_pgn_tags(text, file, faults_)) {
    const std::string first = tag(game, "White"), second = tag(game, "Black");
    const auto outcome = outcome_of_pgn(tag(game, "Result"));
    if (!outcome) {
      ++without_result_;
    } else if (first.empty() || second.empty()) {
      faults_.push_back({file, game.line, "does not name both players"});
    } else if (std::string all = text_of(game); !seen(fmt::format("{}\n{}", all, ++times[all]))) {
      const core::rating::PlayerIndex black = games_.player(first), white = games_.player(second);
      games_.add({.black = black, .white = white, .score = score_of(*outcome), .ended = time_of(pgn_time(game))});
    }
  }
}

}  // namespace fuhyo::store
