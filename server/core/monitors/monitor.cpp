// What those who watch a game hear as it goes on, at once or late.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engines/record/csa_move.h"
#include "server/core/comments.h"
#include "server/core/games/games.h"
#include "server/core/monitors/monitors.h"
#include "server/core/record_text.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/sessions/sessions.h"

namespace fuhyo::core {
namespace {

std::string board_prefix(const Game& game) { return fmt::format("##[MONITOR][{}]", game.opened().csa_id); }
std::string record_prefix(const Game& game) { return fmt::format("##[MONITOR2][{}]", game.opened().csa_id); }

// The one line that tells a watcher of the end; shogi-server's result_type.
std::string_view end_line(const GameEnded& ended) {
  switch (ended.kind) {
    case EndKind::toryo:
    case EndKind::abnormal:
      return "%TORYO";
    case EndKind::time_up:
      return "#TIME_UP";
    case EndKind::kachi:
    case EndKind::illegal_kachi:
      return ended.line.empty() ? "#JISHOGI" : "%KACHI";
    case EndKind::illegal_move:
    case EndKind::oute_kaihimore:
    case EndKind::uchifuzume:
      return "#ILLEGAL_MOVE";
    case EndKind::sennichite:
      return "#SENNICHITE";
    case EndKind::oute_sennichite:
      return "#OUTE_SENNICHITE";
    case EndKind::max_moves:
      return "#MAX_MOVES";
    case EndKind::chudan:
      return "#CHUDAN";
    case EndKind::adjudicated:  // as the players hear it
      if (ended.outcome == Outcome::none) return "#CHUDAN";
      return ended.outcome == Outcome::draw ? "#SENNICHITE" : "%TORYO";
  }
  return "";
}

}  // namespace

const WatchedGame* Monitors::find_delayed(GameId id) const {
  const auto found = delayed_games_.find(id);
  return found == delayed_games_.end() ? nullptr : &found->second;
}

// What is shown with a delay is shown as far as it may be seen, whatever has become of its session.
WatchedGame* Monitors::seen_by(const Session& s, std::string_view csa_id) {
  for (auto& [id, late] : delayed_games_) {
    if (late.game.opened().csa_id == csa_id) return &late;
  }
  GameSession* session = parts_.games.find(csa_id);
  return session != nullptr && parts_.rooms.may_see(s, session->game.opened()) ? session : nullptr;
}

csa::Shown Monitors::shown(const Game& game, std::string last_move, std::int32_t plies) const {
  csa::Shown shown{.summary = parts_.games.summary_of(game), .last_move = std::move(last_move), .plies = plies};
  shown.summary.board = record::csa_board(game.position());
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    shown.remaining[side] = game.clock().remaining_s(side) / std::max(1, game.opened().time_of(side).stopwatch_s);
  }
  return shown;
}

csa::Shown Monitors::shown(const Game& game) const {
  return shown(game, game.moves().empty() ? "" : game.moves().back(), game.plies());
}

void Monitors::show(Session& s, const csa::Show& c) {
  const WatchedGame* seen = seen_by(s, c.game_id);
  if (seen == nullptr) return send(s.conn, "##[SHOW] +OK\n");
  send(s.conn, csa::show("##[SHOW]", shown(seen->game)));
}

void Monitors::monitor(Session& s, const csa::Monitor& c) {
  WatchedGame* seen = seen_by(s, c.game_id);
  if (seen == nullptr) return;
  const Game& game = seen->game;
  if (c.on && !s.monitors.contains(game.id()) && s.monitors.size() >= limits_.monitors) {
    return send(s.conn, csa::error(fmt::format("too many games monitored: {}", s.monitors.size())));
  }
  std::vector<ConnId>& watchers = c.record ? seen->watchers.record : seen->watchers.board;
  std::erase(watchers, s.conn);
  if (c.record) std::erase(seen->watchers.comments, s.conn);
  if (!c.on) return;
  watchers.push_back(s.conn);
  if (c.comments) seen->watchers.comments.push_back(s.conn);
  s.monitors.insert(game.id());
  if (c.record) {
    const bool comments = comments_shown(rules_.comments, game.opened(), false);
    send(s.conn, csa::prefixed(record_prefix(game), record_text(game.story(), {.comments = comments})));
  } else {
    send(s.conn, csa::show(board_prefix(game), shown(game)));
  }
}

void Monitors::stop_monitoring(Session& s) {
  const auto forget = [&](Watchers& watchers) {
    std::erase(watchers.board, s.conn);
    std::erase(watchers.record, s.conn);
    std::erase(watchers.comments, s.conn);
  };
  for (const GameId id : std::exchange(s.monitors, {})) {
    if (GameSession* session = parts_.games.find(id)) forget(session->watchers);
    if (const auto late = delayed_games_.find(id); late != delayed_games_.end()) forget(late->second.watchers);
  }
}

void Monitors::show_line(const WatchedGame& story, std::string_view line) {
  const auto& [board, record, comments] = story.watchers;
  if (!board.empty()) {
    const std::int32_t plies = story.game.plies() + (line.starts_with('%') ? 1 : 0);
    const std::string text = csa::show(board_prefix(story.game), shown(story.game, std::string(line), plies));
    for (const ConnId conn : board) send(conn, text);
  }
  if (record.empty()) return;
  std::string lines(line);
  std::ranges::replace(lines, ',', '\n');
  const std::string text = csa::prefixed(record_prefix(story.game), lines);
  for (const ConnId conn : record) send(conn, text);
}

// A move is told without its comment, in the lines of shogi-server; the comment follows for those who asked for it.
void Monitors::show_comment(const WatchedGame& story, const Fact& fact) {
  const auto* made = std::get_if<MoveMade>(&fact);
  if (made != nullptr && !comments_shown(rules_.comments, story.game.opened(), false)) return;
  const auto& watchers = made != nullptr ? story.watchers.comments : story.watchers.record;
  const auto* note = std::get_if<RecordNote>(&fact);
  if (watchers.empty() || (note != nullptr && is_deferred(note->text))) return;
  const std::string lines = made != nullptr ? move_comment(*made) : record_lines(fact);
  if (lines.empty()) return;
  const std::string text = csa::prefixed(record_prefix(story.game), lines);
  for (const ConnId conn : watchers) send(conn, text);
}

void Monitors::show_end(const WatchedGame& story, const GameEnded& ended) {
  const std::string board = csa::prefixed(board_prefix(story.game), end_line(ended));
  const std::string record = csa::prefixed(record_prefix(story.game), end_line(ended));
  for (const ConnId conn : story.watchers.board) send(conn, board);
  for (const ConnId conn : story.watchers.record) send(conn, record);
  for (const auto* watchers : {&story.watchers.board, &story.watchers.record}) {
    for (const ConnId conn : *watchers) {
      if (Session* s = parts_.sessions.find(conn)) s->monitors.erase(story.game.id());
    }
  }
}

}  // namespace fuhyo::core
