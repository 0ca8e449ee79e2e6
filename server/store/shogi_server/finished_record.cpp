#include "server/store/shogi_server/finished_record.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "engines/record/summary.h"
#include "server/core/rating/rated_id.h"
#include "server/core/record_text.h"
#include "server/csa/game_name.h"
#include "server/store/results/record_result.h"
#include "server/store/shogi_server/local_time.h"

namespace fuhyo::store {
namespace {

using core::EndKind;

constexpr std::size_t kLongestIdentifier = 64;  // more than any server allows

std::int32_t number_or(const std::optional<std::string>& text, std::int32_t otherwise) {
  std::int32_t value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc{}) return otherwise;
  return value;
}

// Of "<player>:2781". 0: the record does not say, or he was not rated.
std::int32_t rate_of(const record::Game& game, std::string_view start) {
  const auto said = comment_after(game, start);
  return said ? number_or(said->substr(said->rfind(':') + 1), 0) : 0;
}

// Of kinds that are not known today the result is kept, and the word as the reason.
void set_end_kind(core::GameEnded& ended, std::string_view summary) {
  constexpr EndKind kKinds[] = {EndKind::toryo,           EndKind::abnormal,      EndKind::time_up,
                                EndKind::kachi,           EndKind::illegal_kachi, EndKind::illegal_move,
                                EndKind::oute_kaihimore,  EndKind::uchifuzume,    EndKind::sennichite,
                                EndKind::oute_sennichite, EndKind::max_moves,     EndKind::chudan};
  for (const EndKind kind : kKinds) {
    if (core::summary_type(kind) != summary) continue;
    ended.kind = kind;
    return;
  }
  ended.kind = ended.outcome == core::Outcome::draw ? EndKind::sennichite : EndKind::toryo;
  ended.reason = fmt::format("moved over as '{}'", summary);
}

// Of a record without a summary: by the line that ended it.
std::string_view kind_of_end(const record::Game& game) {
  switch (record::judged_end(game)) {
    case record::EndKind::kachi:
      return core::summary_type(EndKind::kachi);
    case record::EndKind::time_up:
      return core::summary_type(EndKind::time_up);
    case record::EndKind::illegal_move:
      return core::summary_type(EndKind::illegal_move);
    case record::EndKind::sennichite:
      return core::summary_type(EndKind::sennichite);
    case record::EndKind::max_moves:
      return core::summary_type(EndKind::max_moves);
    case record::EndKind::toryo:
      return core::summary_type(EndKind::toryo);
    default:
      return "";
  }
}

// What the Game_ID says of the game: its name and its time.
void set_game_name(core::GameOpened& opened, const std::string& csa_id) {
  opened.csa_id = csa_id;
  opened.game_name = core::game_name_of(csa_id);
  const auto name = csa::parse_game_name(opened.game_name, kLongestIdentifier);
  if (!name) return;
  opened.time = {.total_s = name->total_s,
                 .byoyomi_s = name->byoyomi_s,
                 .increment_s = name->increment_s,
                 .stopwatch_s = name->stopwatch_s};
}

// Its moves, of which the first `preset` are those that it began with, and what the players said.
void take_moves(const record::Game& game, std::size_t preset, core::GameStory& story) {
  record::Setup position = game.start;
  for (const record::RecordedMove& played : game.moves) {
    const std::string move = record::to_csa(position.to_csa(played.move));
    story.moves.push_back(fmt::format("{},T{}", move, played.spent_ms.value_or(0) / 1000));
    position.apply(played.move);
    if (story.moves.size() <= preset) story.opened.preset_moves.push_back(story.moves.back());
  }
  for (const record::Comment& comment : game.comments) {
    if (comment.kind != record::Comment::Kind::program) continue;
    story.notes.push_back({.ply = comment.ply, .kind = core::GameNote::Kind::comment, .text = comment.text});
  }
}

// Of an id, or of the name of a player without a trip.
core::Seat seat(std::string_view id) {
  return {.name = std::string(core::rating::name_of(id)), .id = id.contains('+') ? std::string(id) : ""};
}

std::string final_board(const record::Game& game) {
  const auto position = record::final_setup(game).position();
  return position ? record::csa_board(*position) : "";
}

}  // namespace

std::string paired_at(std::string_view csa_id) {
  constexpr std::string_view kPattern = "yyyy/mm/dd hh:mm:ss";
  std::string_view stamp = csa_id.substr(csa_id.rfind('+') + 1);
  constexpr std::size_t kDigits = 14;
  if (stamp.size() != kDigits || !std::ranges::all_of(stamp, [](char c) { return c >= '0' && c <= '9'; })) return "";
  std::string time;
  for (const char c : kPattern) {
    const bool digit = c >= 'a';
    time += digit ? stamp.front() : c;
    if (digit) stamp.remove_prefix(1);
  }
  return time;
}

std::string game_id_of(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.ends_with(".csa")) return "";
  name.remove_suffix(4);
  return std::ranges::count(name, '+') >= 4 ? std::string(name) : "";
}

std::expected<FinishedGame, std::string> finished_game(const record::Game& game, const std::string& csa_id,
                                                       const core::TimeZone& zone) {
  RecordResult result = result_of(game);
  if (result.outcome == core::Outcome::none) return std::unexpected(std::string(kNoResult));
  if (result.ended.empty()) result.ended = paired_at(csa_id);
  const auto ended = parse_local_time(result.ended, zone);
  if (!ended) return std::unexpected("does not say when it ended");
  core::GameStory story;
  core::GameOpened& opened = story.opened;
  opened.room = "main";
  set_game_name(opened, csa_id);
  opened.black = {.name = game.black, .id = result.black_id};
  opened.white = {.name = game.white, .id = result.white_id};
  opened.rated = !result.black_id.empty() && !result.white_id.empty();
  opened.black_rate = rate_of(game, "black_rate:");
  opened.white_rate = rate_of(game, "white_rate:");
  opened.max_moves = number_or(comment_after(game, "Max_Moves:"), game.max_moves.value_or(0));
  opened.time.least_s = number_or(comment_after(game, "Least_Time_Per_Move:"), 0);
  opened.start_sfen = game.start.sfen();
  const std::string_view start = game.start_time.empty() ? result.ended : game.start_time;
  opened.at = parse_local_time(start, zone).value_or(*ended);
  opened.local_time = format_local_time(opened.at, zone);
  const std::int32_t preset = number_or(comment_after(game, "buoy game starting with "), 0);
  story.started = opened.at;
  take_moves(game, static_cast<std::size_t>(std::max(preset, 0)), story);
  core::GameEnded& end = story.ended.emplace();
  end.outcome = result.outcome;
  end.plies = result.plies;
  set_end_kind(end, result.kind.empty() ? kind_of_end(game) : std::string_view(result.kind));
  if (const auto line = comment_after(game, "ILLEGAL_MOVE(")) end.line = line->substr(0, line->find(')'));
  end.final_board = final_board(game);
  end.at = *ended;
  end.local_time = format_local_time(*ended, zone);
  return core::finished_game(std::move(story));
}

std::expected<FinishedGame, std::string> finished_game(const ResultLine& line, const core::TimeZone& zone) {
  const auto ended = parse_local_time(line.ended, zone);
  if (!ended) return std::unexpected(fmt::format("'{}' is no time like 2026/01/31 12:34:56", line.ended));
  FinishedGame finished;
  core::GameOpened& opened = finished.opened;
  opened.room = "main";
  opened.black = seat(line.black);
  opened.white = seat(line.white);
  opened.rated = !opened.black.id.empty() && !opened.white.id.empty();
  std::string csa_id = game_id_of(line.record);
  if (csa_id.empty()) {
    std::string stamp(line.ended);
    std::erase_if(stamp, [](char c) { return c < '0' || c > '9'; });
    csa_id = fmt::format("list+unknown-0-0+{}+{}+{}", opened.black.name, opened.white.name, stamp);
  }
  set_game_name(opened, csa_id);
  opened.start_sfen = record::Setup::standard().sfen();
  opened.at = finished.started = *ended;
  opened.local_time = format_local_time(*ended, zone);
  finished.ended = {.outcome = line.outcome, .plies = line.plies.value_or(0)};
  finished.ended.reason = "moved over without its record";
  set_end_kind(finished.ended, line.kind);
  finished.ended.at = *ended;
  finished.ended.local_time = opened.local_time;
  return finished;
}

std::expected<FinishedGame, std::string> finished_game(const core::PastGame& game, const core::TimeZone& zone) {
  const std::string paired = paired_at(game.csa_id);
  const auto time = parse_local_time(paired, zone);
  if (!time) return std::unexpected(fmt::format("{} does not end in the time of the game", game.csa_id));
  FinishedGame finished;
  core::GameOpened& opened = finished.opened;
  opened.room = "main";
  set_game_name(opened, game.csa_id);
  opened.black = seat(game.black_id);
  opened.white = seat(game.white_id);
  opened.rated = !opened.black.id.empty() && !opened.white.id.empty();
  opened.start_sfen = record::Setup::standard().sfen();
  opened.at = finished.started = *time;
  opened.local_time = paired;
  finished.ended = {.outcome = game.outcome};
  set_end_kind(finished.ended, "");
  finished.ended.reason = "moved over without its record";
  finished.ended.at = *time;
  finished.ended.local_time = paired;
  return finished;
}

}  // namespace fuhyo::store
