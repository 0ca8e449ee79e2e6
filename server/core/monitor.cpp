// Who watches which game: %%SHOW, %%MONITORON and %%MONITOR2ON, and what they hear as the game goes on.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engines/record/csa_move.h"
#include "server/core/record_text.h"
#include "server/core/state.h"

namespace fuhyo::core {
namespace {

std::string board_prefix(const Room& room) { return fmt::format("##[MONITOR][{}]", room.game.opened().csa_id); }
std::string record_prefix(const Room& room) { return fmt::format("##[MONITOR2][{}]", room.game.opened().csa_id); }

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
      return "%KACHI";
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

Room* Server::State::find(std::string_view csa_id) {
  const auto it = std::ranges::find_if(rooms, [&](const auto& r) { return r.second.game.opened().csa_id == csa_id; });
  return it == rooms.end() ? nullptr : &it->second;
}

csa::Shown Server::State::shown(const Room& room, std::string last_move, std::int32_t plies) const {
  csa::Shown shown{.summary = summary_of(room), .last_move = std::move(last_move), .plies = plies};
  shown.summary.board = record::csa_board(room.game.position());
  const std::int32_t unit_s = std::max(1, room.game.opened().time.stopwatch_s);
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    shown.remaining[side] = room.game.clock().remaining_s(side) / unit_s;
  }
  return shown;
}

void Server::State::show(Session& s, const csa::Show& c) {
  const Room* room = find(c.game_id);
  if (room == nullptr) return send(s.conn, "##[SHOW] +OK\n");
  const std::string last = room->game.moves().empty() ? "" : room->game.moves().back();
  send(s.conn, csa::show("##[SHOW]", shown(*room, last, room->game.plies())));
}

void Server::State::monitor(Session& s, const csa::Monitor& c) {
  Room* room = find(c.game_id);
  if (room == nullptr) return;
  if (c.on && !s.monitors.contains(room->game.id()) && s.monitors.size() >= limits.monitors) {
    return send(s.conn, csa::error(fmt::format("too many games monitored: {}", s.monitors.size())));
  }
  std::vector<ConnId>& watchers = c.record ? room->watch_record : room->watch_board;
  std::erase(watchers, s.conn);
  if (!c.on) return;
  watchers.push_back(s.conn);
  s.monitors.insert(room->game.id());
  if (c.record) {
    send(s.conn, csa::prefixed(record_prefix(*room), record_head(room->game.opened()) + room->record));
  } else {
    const std::string last = room->game.moves().empty() ? "" : room->game.moves().back();
    send(s.conn, csa::show(board_prefix(*room), shown(*room, last, room->game.plies())));
  }
}

void Server::State::stop_monitoring(Session& s) {
  for (const GameId id : std::exchange(s.monitors, {})) {
    if (Room* room = find(id)) {
      std::erase(room->watch_board, s.conn);
      std::erase(room->watch_record, s.conn);
    }
  }
}

void Server::State::show_line(Room& room, std::string_view line) {
  if (!room.watch_board.empty()) {
    const std::int32_t plies = room.game.plies() + (line.starts_with('%') ? 1 : 0);
    const std::string text = csa::show(board_prefix(room), shown(room, std::string(line), plies));
    for (const ConnId conn : room.watch_board) send(conn, text);
  }
  if (room.watch_record.empty()) return;
  std::string lines(line);
  std::ranges::replace(lines, ',', '\n');
  const std::string text = csa::prefixed(record_prefix(room), lines);
  for (const ConnId conn : room.watch_record) send(conn, text);
}

// A comment of the record, to those who follow the record.
void Server::State::show_comment(Room& room, const std::string& lines) {
  room.record += lines;
  for (const ConnId conn : room.watch_record) send(conn, csa::prefixed(record_prefix(room), lines));
}

void Server::State::show_end(Room& room, const GameEnded& ended) {
  const std::string board = csa::prefixed(board_prefix(room), end_line(ended));
  const std::string record = csa::prefixed(record_prefix(room), end_line(ended));
  for (const ConnId conn : room.watch_board) send(conn, board);
  for (const ConnId conn : room.watch_record) send(conn, record);
  for (const auto* watchers : {&room.watch_board, &room.watch_record}) {
    for (const ConnId conn : *watchers) {
      if (Session* s = find(conn)) s->monitors.erase(room.game.id());
    }
  }
}

}  // namespace fuhyo::core
