// The commands that change something: people, and the course of games.
#include <fmt/format.h>
#include <utility>

#include "engines/shogi/handicap.h"
#include "server/core/admin/desk.h"
#include "server/csa/command.h"

namespace fuhyo::core {
namespace {

AdminResult done(std::string text) { return {.ok = true, .text = std::move(text), .columns = {}, .rows = {}}; }

std::optional<Outcome> outcome_of(std::string_view word) {
  if (word == "black") return Outcome::black_wins;
  if (word == "white") return Outcome::white_wins;
  if (word == "draw") return Outcome::draw;
  if (word == "void") return Outcome::none;
  return std::nullopt;
}

}  // namespace

// ---- people ----

AdminResult Server::State::Desk::kick() {
  const std::string_view name = words.next();
  Session* s = core.find_name(name);
  if (s == nullptr) return admin_refusal(fmt::format("nobody is connected as {}", name));
  if (asker.conn == s->conn) return admin_refusal("that is you");
  why = words.rest();
  core.note(Note::Level::info, fmt::format("{} ({}) is disconnected by {}", s->name, s->peer, asker.who));
  core.drop(*s, fmt::format("removed by {}", asker.who));
  return done(fmt::format("{} is disconnected", name));
}

AdminResult Server::State::Desk::forbid() {
  const std::string name(words.next());
  if (!csa::is_identifier(name, core.rules.max_identifier)) return admin_refusal("no name was given");
  if (core.rules.operators.contains(name)) return admin_refusal(name + " is an operator: see the configuration");
  if (core.forbidden.contains(name)) return admin_refusal(name + " is forbidden already");
  why = words.rest();
  const NameForbidden fact{.name = name, .by = asker.who, .why = why, .at = core.now.wall};
  core.append(fact);
  core.forbidden.emplace(name, fact);
  const bool here = core.find_name(name) != nullptr;
  return done(name + (here ? " is forbidden, and still connected: kick ends that" : " is forbidden"));
}

AdminResult Server::State::Desk::allow() {
  const std::string name(words.next());
  if (core.forbidden.erase(name) == 0) return admin_refusal(fmt::format("{} is not forbidden", name));
  core.append(NameAllowed{.name = name, .by = asker.who, .at = core.now.wall});
  return done(name + " is allowed");
}

AdminResult Server::State::Desk::tell() {
  const std::string_view to = words.next();
  const std::string text(words.rest());
  if (text.empty()) return admin_refusal("there is nothing to tell");
  const bool room = to.starts_with("room:");
  if (to != "all" && !room && core.find_name(to) == nullptr) {
    return admin_refusal(fmt::format("nobody is connected as {}", to));
  }
  std::size_t told = 0, deaf = 0;
  for (const auto& [order, conn] : core.by_login) {
    const Session& s = *core.find(conn);
    if (s.phase == Phase::finished) continue;
    if (to != "all" && (room ? s.room != to.substr(5) : s.name != to)) continue;
    ++(s.x1 ? told : deaf);
    if (s.x1) core.send(conn, fmt::format("##[ADMIN] {}: {}\n", asker.who, text));
  }
  return done(fmt::format("told {}; {} in CSA mode cannot be told", told, deaf));
}

// ---- games ----

Room* Server::State::Desk::game(std::string_view word) {
  if (word.starts_with('#')) word.remove_prefix(1);
  if (const auto id = admin_number(word)) return core.find(GameId{static_cast<std::uint64_t>(*id)});
  if (const Session* s = core.find_name(word)) return core.find(s->game);
  for (auto& [id, room] : core.rooms) {
    if (room.game.opened().csa_id == word) return &room;
  }
  return nullptr;
}

Room* Server::State::Desk::running(std::string_view word, AdminResult& refusal) {
  Room* room = game(word);
  if (room == nullptr) refusal = admin_refusal(fmt::format("there is no game {}", word));
  if (room != nullptr && !room->started) refusal = admin_refusal(fmt::format("game {} is not yet agreed to", word));
  return room != nullptr && room->started ? room : nullptr;
}

AdminResult Server::State::Desk::pause() {
  AdminResult refusal;
  Room* room = running(words.next(), refusal);
  if (room == nullptr) return refusal;
  if (room->paused) return admin_refusal("it is paused already");
  const std::int64_t flag_us = room->game.clock().flag_us(room->game.to_move());
  if (!room->pending && room->turn.elapsed_us(core.now.mono) >= flag_us) {
    return admin_refusal("too late: a flag is falling");
  }
  why = words.rest();
  core.pause(*room, asker, why);
  return done(fmt::format("game {} is paused", value(room->game.id())));
}

AdminResult Server::State::Desk::resume() {
  AdminResult refusal;
  Room* room = running(words.next(), refusal);
  if (room == nullptr) return refusal;
  if (room->awaits_verdict) {
    why = words.rest();
    core.let_go_on(*room);
    return done(fmt::format("game {} goes on as soon as its players are there", value(room->game.id())));
  }
  if (!room->paused) return admin_refusal(room->suspended ? "it waits for its players" : "it is not paused");
  why = words.rest();
  core.go_on(*room, asker, why);
  return done(fmt::format("game {} goes on", value(room->game.id())));
}

AdminResult Server::State::Desk::adjudicate() {
  AdminResult refusal;
  Room* room = running(words.next(), refusal);
  if (room == nullptr) return refusal;
  const std::string_view verdict = words.next();
  const auto outcome = outcome_of(verdict);
  if (!outcome) return admin_refusal("the verdict is one of black, white, draw, void");
  why = words.rest();
  if (why.empty()) return admin_refusal("a verdict needs its reason");
  const std::uint64_t id = value(room->game.id());
  core.finish(*room, room->game.adjudicated(*outcome, why));
  return done(fmt::format("game {} is adjudicated: {}", id, verdict));
}

// ---- beginning games ----

std::optional<AdminResult> Server::State::Desk::cannot_play(const Session& s) const {
  if (s.phase == Phase::game_waiting || (s.phase == Phase::connected && s.x1)) return std::nullopt;
  return admin_refusal(fmt::format("{} is not waiting ({})", s.name, core::to_string(s.phase)));
}

AdminResult Server::State::Desk::start() {
  const std::string_view black_name = words.next(), white_name = words.next(), game_name = words.next();
  Session* black = core.find_name(black_name);
  Session* white = core.find_name(white_name);
  if (black == nullptr) return admin_refusal(fmt::format("nobody is connected as {}", black_name));
  if (white == nullptr) return admin_refusal(fmt::format("nobody is connected as {}", white_name));
  if (black == white) return admin_refusal("a game has two players");
  if (black->room != white->room) return admin_refusal("they are in different rooms");
  if (core.draining || core.stopped) return admin_refusal("no new games: the server is going to stop");
  if (core.store_away) return admin_refusal("no new games: the store is away");
  for (const Session* s : {black, white}) {
    if (auto refusal = cannot_play(*s)) return *refusal;
  }
  const auto name = csa::parse_game_name(game_name, core.rules.max_identifier);
  if (!name) return admin_refusal(fmt::format("bad game name: {}", game_name));
  GamePlan plan = core.plan_of(*name);
  if (const std::string_view text = words.rest(); !text.empty()) {
    auto start = core.start_position(text);
    if (!start) return admin_refusal("no such position: " + start.error());
    plan.start = std::move(*start);
  }
  for (Session* s : {black, white}) {
    core.leave_queue(*s);
    s->wanted = *name;
    s->turn = s == black ? csa::Turn::black : csa::Turn::white;
  }
  const Room& room = core.begin_game(*black, *white, core.open_game(*black, *white, std::move(plan)));
  return done(fmt::format("game {}: {}", value(room.game.id()), room.game.opened().csa_id));
}

}  // namespace fuhyo::core
