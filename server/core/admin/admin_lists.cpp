// The commands that only look.
#include <fmt/format.h>
#include <made/admin_answers.h>

#include "server/core/admin/admin_commands.h"
#include "server/core/counted.h"

namespace fuhyo::core {
namespace {

GameState state_of(const GameSession& session) {
  if (!session.game.phase().has_started()) return GameState::agreeing;
  if (session.game.phase().awaits_verdict()) return GameState::awaits_a_verdict;
  if (session.game.phase().is_suspended()) return GameState::suspended;
  if (session.game.phase().is_paused()) return GameState::paused;
  return session.pending ? GameState::saving : GameState::running;
}

std::string clock_text(const GameSession& session, shogi::Color side) {
  if (session.game.opened().time_of(side).unlimited()) return "-";
  return fmt::format("{}", session.game.clock().remaining_s(side));
}

std::string number(std::size_t n) { return fmt::format("{}", n); }

}  // namespace

AdminResult AdminCommands::help() {
  std::string_view word = words.next();
  const bool japanese = word == "ja";
  if (japanese) word = words.next();
  AdminResult result{.ok = true, .text = {}, .columns = {"command", "what it does"}, .rows = {}};
  for (const AdminVerb& verb : admin_verbs()) {
    if ((!word.empty() && verb.verb != word) || caller.role < verb.least) continue;
    result.rows.push_back({std::string(verb.verb), std::string(japanese ? verb.japanese : verb.english)});
    if (word.empty()) continue;
    result.columns.emplace_back("example");
    result.rows[0].emplace_back(verb.example);
    if (!verb.synopsis.empty()) result.rows[0][0] += fmt::format(" {}", verb.synopsis);
    if (!verb.synopsis.starts_with("GAME ")) return result;
    result.text = japanese ? "GAME は games に出る番号、Game_ID、または対局者の名前"
                           : "GAME is a number of games, a Game_ID, or the name of one of its players";
  }
  if (result.rows.empty()) return admin_refusal(fmt::format("no such command: {}", word));
  if (word.empty())
    result.text = japanese ? "help ja COMMAND: 書き方と例" : "help COMMAND: how it is written, with an example";
  return result;
}

AdminResult AdminCommands::sessions() {
  const std::string_view room = words.next();
  AdminResult result{.ok = true,
                     .text = {},
                     .columns = {"name", "state", "mode", "room", "game", "turn", "address", "role", "never paired"},
                     .rows = {}};
  for (const auto& [order, conn] : core.sessions.by_login()) {
    const Session& s = *core.sessions.find(conn);
    if (s.phase == Phase::finished || (!room.empty() && s.room != room)) continue;
    const GameSession* playing = core.games.find(s.game);
    const bool waits = s.phase == Phase::game_waiting;
    result.rows.push_back({s.name, std::string(core::to_string(s.phase)), s.x1 ? "x1" : "CSA", s.room,
                           playing != nullptr ? fmt::format("#{} {}", value(s.game), s.wanted.text)
                           : waits            ? s.wanted.text
                                              : std::string(),
                           waits ? std::string(1, static_cast<char>(s.turn)) : std::string(), s.peer,
                           std::string(core::to_string(s.role)), core.rounds.never_paired(s)});
  }
  result.text = fmt::format("{} connected", result.rows.size());
  return result;
}

AdminResult AdminCommands::games() {
  const std::string_view wanted = words.next();
  AdminResult result{
      .ok = true,
      .text = {},
      .columns = {"game", "state", "room", "black", "white", "moves", "to_move", "black_s", "white_s", "game_id"},
      .rows = {}};
  for (const auto& [id, session] : core.games.all()) {
    const GameOpened& opened = session.game.opened();
    if (!wanted.empty() && opened.room != wanted) continue;
    result.rows.push_back({fmt::format("{}", value(id)), std::string(core::to_string(state_of(session))), opened.room,
                           opened.black.name, opened.white.name, fmt::format("{}", session.game.plies()),
                           session.game.to_move() == shogi::BLACK ? "black" : "white",
                           clock_text(session, shogi::BLACK), clock_text(session, shogi::WHITE), opened.csa_id});
  }
  for (const Restart& restart : core.restarts.all()) {
    const GameOpened& opened = restart.opened;
    if (!wanted.empty() && opened.room != wanted) continue;
    result.rows.push_back({"-", std::string(core::to_string(GameState::awaits_players)), opened.room, opened.black.name,
                           opened.white.name, number(opened.preset_moves.size()), "", "", "", opened.game_name});
  }
  result.text = counted(result.rows.size(), "game");
  return result;
}

AdminResult AdminCommands::conduct() {
  const std::string pattern(words.next());
  AdminResult result{
      .ok = true, .text = {}, .columns = {"player", "aborted", "left", "same_network", "unpaired_s"}, .rows = {}};
  std::size_t found = 0;
  for (const auto& [id, player] : core.games.conduct().players()) {
    const std::string_view name = std::string_view(id).substr(0, id.find('+'));
    if (!admin_finds(pattern, name) || ++found > kMostListed) continue;
    const std::int64_t cools_us = core.games.conduct().cools_us(id, core.context.now.mono);
    result.rows.push_back({id, number(player.aborted), number(player.abandoned), number(player.same_network),
                           cools_us == 0 ? "" : fmt::format("{}", (cools_us + kSecond - 1) / kSecond)});
  }
  result.text = admin_listed(counted(found, "player") + " since the start", found);
  return result;
}

AdminResult AdminCommands::forbidden() {
  AdminResult result{.ok = true, .text = {}, .columns = {"name", "by", "why"}, .rows = {}};
  for (const auto& [name, fact] : core.logins.forbidden()) result.rows.push_back({name, fact.by, fact.why});
  result.text = counted(result.rows.size(), "forbidden name");
  return result;
}

AdminResult AdminCommands::counters() {
  const Figures f = figures_of(core);
  AdminResult result{.ok = true, .text = {}, .columns = {"counter", "value"}, .rows = {}};
  const auto row = [&](std::string_view name, std::string text) {
    result.rows.push_back({std::string(name), std::move(text)});
  };
  row("connections", number(f.all_sessions()));
  row("connections before login", number(core.sessions.before_login()));
  row("players waiting", number(f.sessions[static_cast<std::size_t>(SessionState::waiting)]));
  row("games to agree to", number(f.games_agreeing));
  row("games running", number(f.games_running));
  row("games paused", number(f.games_paused));
  row("games suspended", number(f.games_suspended));
  row("restarts waiting", number(core.restarts.all().size()));
  row("games ever", number(core.games.last_game()));
  row("logins since start", number(core.sessions.logins()));
  row("lines waiting for their turn", number(f.lines));
  row("journal, newest row", number(value(core.context.newest)));
  row("journal, newest durable row", number(value(core.context.durable)));
  row("store", core.context.store_is_away() ? "away: " + core.context.store_fault : "works");
  row("new games", core.context.draining ? "no: draining" : core.context.stopped ? "no: the file STOP" : "yes");
  for (const auto& [name, text] : core.admin.host_counters()) row(name, text);
  return result;
}

AdminResult AdminCommands::limits() {
  const Limits& l = core.context.limits;
  AdminResult result{.ok = true, .text = {}, .columns = {"limit", "value"}, .rows = {}};
  const auto row = [&](std::string_view name, auto value_of) {
    result.rows.push_back({std::string(name), fmt::format("{}", value_of)});
  };
  row("line before login, bytes", l.line_before_login);
  row("line, bytes", l.line);
  row("login, s", l.login_us / kSecond);
  row("agree, s", l.agree_us / kSecond);
  row("lines ahead of their turn", l.queued_lines);
  row("unread output, bytes", l.output_bytes);
  row("connections", l.sessions);
  row("connections before login", l.unauthenticated);
  row("connections before login of an address", l.unauthenticated_per_address);
  row("connections of an address", l.sessions_per_address);
  row("wrong logins of a connection", l.login_tries);
  row("commands a second", l.commands_per_s);
  row("commands at once", l.commands_burst);
  row("bytes of an answer for the price of a command", l.answer_bytes);
  row("moves of a game", l.plies);
  row("max_moves", core.context.rules.max_moves);
  row("least time per move, s", core.context.rules.least_time_per_move_s);
  row("rooms", l.rooms);
  row("events", l.events);
  row("games that can be restarted", l.recent_games);
  row("restarts waiting", l.restarts);
  row("restart waits, s", l.restart_us / kSecond);
  return result;
}

AdminResult AdminCommands::operators() {
  AdminResult result{.ok = true, .text = {}, .columns = {"name", "role", "connected"}, .rows = {}};
  for (const auto& [name, role] : core.context.rules.operators) {
    const Session* s = core.sessions.find_name(name);
    result.rows.push_back({name, std::string(core::to_string(role)), s == nullptr ? "" : s->peer});
  }
  result.text = counted(result.rows.size(), "operator");
  return result;
}

}  // namespace fuhyo::core
