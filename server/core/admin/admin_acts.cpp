// The commands that change something: people, and the course of games.
#include <fmt/format.h>
#include <utility>

#include "engines/shogi/handicap.h"
#include "server/core/admin/admin_commands.h"
#include "server/csa/command.h"

namespace fuhyo::core {
// ---- people ----

AdminResult AdminCommands::kick() {
  const std::string_view name = words.next();
  Session* s = core.sessions.find_name(name);
  if (s == nullptr) return admin_refusal(fmt::format("nobody is connected as {}", name));
  if (caller.conn == s->conn) return admin_refusal("that is you");
  why = words.rest();
  core.context.note(Note::Level::info, fmt::format("{} ({}) is disconnected by {}", s->name, s->peer, caller.who));
  core.sessions.drop(*s, fmt::format("removed by {}", caller.who));
  return admin_done(fmt::format("{} is disconnected", name));
}

AdminResult AdminCommands::forbid() {
  const std::string name(words.next());
  if (!csa::is_identifier(name, core.context.rules.max_identifier)) return admin_refusal("no name was given");
  if (core.context.rules.operators.contains(name))
    return admin_refusal(name + " is an operator: see the configuration");
  if (core.logins.forbidden().contains(name)) return admin_refusal(name + " is forbidden already");
  why = words.rest();
  const NameForbidden fact{.name = name, .by = caller.who, .why = why, .at = core.context.now.wall};
  core.logins.forbid(fact);
  const bool here = core.sessions.find_name(name) != nullptr;
  return admin_done(name + (here ? " is forbidden, and still connected: kick ends that" : " is forbidden"));
}

AdminResult AdminCommands::allow() {
  const std::string name(words.next());
  if (!core.logins.forbidden().contains(name)) return admin_refusal(fmt::format("{} is not forbidden", name));
  core.logins.allow({.name = name, .by = caller.who, .at = core.context.now.wall});
  return admin_done(name + " is allowed");
}

AdminResult AdminCommands::tell() {
  const std::string_view to = words.next();
  const std::string text(words.rest());
  if (text.empty()) return admin_refusal("there is nothing to tell");
  const bool room = to.starts_with("room:");
  if (to != "all" && !room && core.sessions.find_name(to) == nullptr) {
    return admin_refusal(fmt::format("nobody is connected as {}", to));
  }
  std::size_t told = 0, deaf = 0;
  for (const auto& [order, conn] : core.sessions.by_login()) {
    const Session& s = *core.sessions.find(conn);
    if (s.phase == Phase::finished) continue;
    if (to != "all" && (room ? s.room != to.substr(5) : s.name != to)) continue;
    ++(s.x1 ? told : deaf);
    if (s.x1) core.context.send(conn, fmt::format("##[ADMIN] {}: {}\n", caller.who, text));
  }
  return admin_done(fmt::format("told {}; {} in CSA mode cannot be told", told, deaf));
}

// ---- games ----

GameSession* AdminCommands::game(std::string_view word) {
  if (word.starts_with('#')) word.remove_prefix(1);
  if (const auto id = admin_number(word)) return core.games.find(GameId{static_cast<std::uint64_t>(*id)});
  if (const Session* s = core.sessions.find_name(word)) return core.games.find(s->game);
  return core.games.find(word);
}

GameSession* AdminCommands::running(std::string_view word, AdminResult& refusal) {
  GameSession* session = game(word);
  if (session == nullptr) refusal = admin_refusal(fmt::format("there is no game {}", word));
  if (session != nullptr && !session->game.phase().has_started())
    refusal = admin_refusal(fmt::format("game {} is not yet agreed to", word));
  return session != nullptr && session->game.phase().has_started() ? session : nullptr;
}

AdminResult AdminCommands::pause() {
  AdminResult refusal;
  GameSession* session = running(words.next(), refusal);
  if (session == nullptr) return refusal;
  if (session->game.phase().is_paused()) return admin_refusal("it is paused already");
  const std::int64_t flag_us = session->game.clock().flag_us(session->game.to_move());
  if (!session->pending && session->turn.elapsed_us(core.context.now.mono) >= flag_us) {
    return admin_refusal("too late: a flag is falling");
  }
  why = words.rest();
  core.games.pause(*session, caller, why);
  return admin_done(fmt::format("game {} is paused", value(session->game.id())));
}

AdminResult AdminCommands::resume() {
  AdminResult refusal;
  GameSession* session = running(words.next(), refusal);
  if (session == nullptr) return refusal;
  if (session->game.phase().awaits_verdict()) {
    why = words.rest();
    core.games.let_go_on(*session);
    return admin_done(fmt::format("game {} goes on as soon as its players are there", value(session->game.id())));
  }
  if (!session->game.phase().is_paused())
    return admin_refusal(session->game.phase().is_suspended() ? "it waits for its players" : "it is not paused");
  why = words.rest();
  core.games.go_on(*session, caller, why);
  return admin_done(fmt::format("game {} goes on", value(session->game.id())));
}

AdminResult AdminCommands::adjudicate() {
  AdminResult refusal;
  GameSession* session = running(words.next(), refusal);
  if (session == nullptr) return refusal;
  const std::string_view verdict = words.next();
  const auto outcome = admin_verdict(verdict);
  if (!outcome) return admin_refusal("the verdict is one of black, white, draw, void");
  why = words.rest();
  if (why.empty()) return admin_refusal("a verdict needs its reason");
  const std::uint64_t id = value(session->game.id());
  core.games.finish(*session, session->game.adjudicated(*outcome, why));
  return admin_done(fmt::format("game {} is adjudicated: {}", id, verdict));
}

// ---- beginning games ----

std::optional<AdminResult> AdminCommands::cannot_play(const Session& s) const {
  if (s.phase == Phase::game_waiting || (s.phase == Phase::connected && s.x1)) return std::nullopt;
  return admin_refusal(fmt::format("{} is not waiting ({})", s.name, core::to_string(s.phase)));
}

AdminResult AdminCommands::start() {
  const std::string_view black_name = words.next(), white_name = words.next(), game_name = words.next();
  Session* black = core.sessions.find_name(black_name);
  Session* white = core.sessions.find_name(white_name);
  if (black == nullptr) return admin_refusal(fmt::format("nobody is connected as {}", black_name));
  if (white == nullptr) return admin_refusal(fmt::format("nobody is connected as {}", white_name));
  if (black == white) return admin_refusal("a game has two players");
  if (!in_one_house(black->home, white->home)) return admin_refusal("they are in different rooms");
  if (!core.context.takes_games()) return admin_refusal("no new games: the server is going to stop");
  for (const Session* s : {black, white}) {
    if (auto refusal = cannot_play(*s)) return *refusal;
  }
  const auto name = csa::parse_game_name(game_name, core.context.rules.max_identifier);
  if (!name) return admin_refusal(fmt::format("bad game name: {}", game_name));
  std::optional<StartPosition> from;
  if (const std::string_view text = words.rest(); !text.empty()) {
    auto start = core.buoys.start_position(text);
    if (!start) return admin_refusal("no such position: " + start.error());
    from = std::move(*start);
  }
  for (Session* s : {black, white}) {
    core.lobby.leave_queue(*s);
    s->wanted = *name;
    s->turn = s == black ? csa::Turn::black : csa::Turn::white;
    s->room = core.rooms.room_for(*s, name->text);
  }
  GamePlan plan = core.lobby.plan_of(*black);
  if (from) plan.start = std::move(*from);
  const GameSession& session =
      core.games.begin_game(*black, *white, core.games.open_game(*black, *white, std::move(plan)), PairedBy::operators);
  return admin_done(fmt::format("game {}: {}", value(session.game.id()), session.game.opened().csa_id));
}

// ---- going on from a move ----

// A running game by any of its names; one that is over by its number or Game_ID.
std::optional<RecentGame> AdminCommands::played(std::string_view word) {
  if (const GameSession* session = game(word))
    return RecentGame{session->game.opened(), session->game.moves(), session->event};
  if (word.starts_with('#')) word.remove_prefix(1);
  const auto found = std::ranges::find_if(core.restarts.recent(), [word](const RecentGame& recent_) {
    return recent_.opened.csa_id == word || fmt::format("{}", value(recent_.opened.game)) == word;
  });
  return found == core.restarts.recent().end() ? std::nullopt : std::optional(*found);
}

AdminResult AdminCommands::restart() {
  const std::string_view word = words.next();
  const auto old = played(word);
  if (!old) {
    return admin_refusal(
        fmt::format("there is no game {} that runs or is one of the last {}", word, core.context.limits.recent_games));
  }
  const auto moves = admin_number(words.next());
  if (!moves || static_cast<std::size_t>(*moves) > old->moves.size()) {
    return admin_refusal(fmt::format("the move is a number from 0 to {}", old->moves.size()));
  }
  if (core.restarts.all().size() >= core.context.limits.restarts)
    return admin_refusal("too many restarts wait for their players");
  GameSession* session = game(word);
  if (session != nullptr && !session->game.phase().has_started()) return admin_refusal("it is not yet agreed to");
  why = words.rest();
  GameOpened opened = old->opened;
  opened.preset_free = opened.preset_spent ? opened.preset_free : static_cast<std::int32_t>(opened.preset_moves.size());
  opened.preset_spent = true;
  opened.preset_moves.assign(old->moves.begin(), old->moves.begin() + *moves);
  opened.preset_free = std::min(opened.preset_free, static_cast<std::int32_t>(*moves));
  const std::string players = opened.black.name + " and " + opened.white.name;
  const std::string game_name = opened.game_name;
  const GameId former = opened.game;
  core.restarts.add({.opened = std::move(opened), .since = core.context.now.mono, .event = old->event}, former);
  if (session != nullptr) {
    session->event.reset();  // what becomes of it counts as another attempt
    core.games.finish(
        *session, session->game.adjudicated(
                      Outcome::none, fmt::format("restarted from move {}{}{}", *moves, why.empty() ? "" : ": ", why)));
  }
  const std::size_t waiting_before = core.restarts.all().size();
  core.restarts.begin_restarts();
  if (core.restarts.all().size() == waiting_before) {
    return {.ok = true,
            .text = fmt::format("it goes on as soon as {} are there (in CSA mode: logged in again for {})", players,
                                game_name),
            .columns = {},
            .rows = {}};
  }
  return {.ok = true, .text = fmt::format("it goes on from move {}", *moves), .columns = {}, .rows = {}};
}

}  // namespace fuhyo::core
