// What those who watch a game hear as it goes on, at once or late.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engines/record/csa_move.h"
#include "server/core/games/games.h"
#include "server/core/monitors/monitors.h"
#include "server/core/record_text.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/sessions/sessions.h"

namespace fuhyo::core {
namespace {

std::string board_prefix(const Scene& scene) { return fmt::format("##[MONITOR][{}]", scene.game.opened().csa_id); }
std::string record_prefix(const Scene& scene) { return fmt::format("##[MONITOR2][{}]", scene.game.opened().csa_id); }

Scene of(Table& table) { return {table.game, table.record, table.watchers}; }

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

const DelayedGame* Monitors::find_delayed(GameId id) const {
  const auto found = delayed_games_.find(id);
  return found == delayed_games_.end() ? nullptr : &found->second;
}

// What is shown with a delay is shown as far as it may be seen, whatever has become of its table.
std::optional<Scene> Monitors::scene_of(const Session& s, std::string_view csa_id) {
  for (auto& [id, late] : delayed_games_) {
    if (late.game.opened().csa_id == csa_id) return Scene{late.game, late.record, late.watchers};
  }
  Table* table = parts_.games.find(csa_id);
  return table == nullptr || !parts_.rooms.may_see(s, table->game.opened()) ? std::nullopt : std::optional(of(*table));
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
  const auto scene = scene_of(s, c.game_id);
  if (!scene) return send(s.conn, "##[SHOW] +OK\n");
  send(s.conn, csa::show("##[SHOW]", shown(scene->game)));
}

void Monitors::monitor(Session& s, const csa::Monitor& c) {
  const auto scene = scene_of(s, c.game_id);
  if (!scene) return;
  if (c.on && !s.monitors.contains(scene->game.id()) && s.monitors.size() >= limits_.monitors) {
    return send(s.conn, csa::error(fmt::format("too many games monitored: {}", s.monitors.size())));
  }
  std::vector<ConnId>& watchers = c.record ? scene->watchers.record : scene->watchers.board;
  std::erase(watchers, s.conn);
  if (!c.on) return;
  watchers.push_back(s.conn);
  s.monitors.insert(scene->game.id());
  if (c.record) {
    const GameOpened& opened = scene->game.opened();
    const std::string& text = scene->record.text(comments_shown(rules_.comments, opened, false));
    send(s.conn, csa::prefixed(record_prefix(*scene), record_head(opened) + text));
  } else {
    send(s.conn, csa::show(board_prefix(*scene), shown(scene->game)));
  }
}

void Monitors::stop_monitoring(Session& s) {
  const auto forget = [&](Watchers& watchers) {
    std::erase(watchers.board, s.conn);
    std::erase(watchers.record, s.conn);
  };
  for (const GameId id : std::exchange(s.monitors, {})) {
    if (Table* table = parts_.games.find(id)) forget(table->watchers);
    if (const auto late = delayed_games_.find(id); late != delayed_games_.end()) forget(late->second.watchers);
  }
}

// Nobody watches the table itself of a game that is shown with a delay.
void Monitors::show_line(Table& table, std::string_view line) { tell_line(of(table), line); }

// A comment of the server's own, to those who follow the record.
void Monitors::show_comment(Table& table, const std::string& lines) {
  table.record.add_said_by_server(lines);
  tell_comment(of(table), lines);
}

void Monitors::show_end(Table& table, const GameEnded& ended) { tell_end(of(table), ended); }

void Monitors::tell_line(const Scene& scene, std::string_view line) {
  if (!scene.watchers.board.empty()) {
    const std::int32_t plies = scene.game.plies() + (line.starts_with('%') ? 1 : 0);
    const std::string text = csa::show(board_prefix(scene), shown(scene.game, std::string(line), plies));
    for (const ConnId conn : scene.watchers.board) send(conn, text);
  }
  if (scene.watchers.record.empty()) return;
  std::string lines(line);
  std::ranges::replace(lines, ',', '\n');
  const std::string text = csa::prefixed(record_prefix(scene), lines);
  for (const ConnId conn : scene.watchers.record) send(conn, text);
}

void Monitors::tell_comment(const Scene& scene, const std::string& lines) {
  for (const ConnId conn : scene.watchers.record) send(conn, csa::prefixed(record_prefix(scene), lines));
}

void Monitors::tell_end(const Scene& scene, const GameEnded& ended) {
  const std::string board = csa::prefixed(board_prefix(scene), end_line(ended));
  const std::string record = csa::prefixed(record_prefix(scene), end_line(ended));
  for (const ConnId conn : scene.watchers.board) send(conn, board);
  for (const ConnId conn : scene.watchers.record) send(conn, record);
  for (const auto* watchers : {&scene.watchers.board, &scene.watchers.record}) {
    for (const ConnId conn : *watchers) {
      if (Session* s = parts_.sessions.find(conn)) s->monitors.erase(scene.game.id());
    }
  }
}

}  // namespace fuhyo::core
