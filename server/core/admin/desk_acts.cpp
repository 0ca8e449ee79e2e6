// The commands that change something: people, and the course of games.
#include <fmt/format.h>
#include <utility>

#include "engines/shogi/handicap.h"
#include "server/core/admin/desk.h"
#include "server/csa/command.h"

namespace fuhyo::core {
// ---- people ----

AdminResult Server::State::Desk::kick() {
  const std::string_view name = words.next();
  Session* s = core.find_name(name);
  if (s == nullptr) return admin_refusal(fmt::format("nobody is connected as {}", name));
  if (asker.conn == s->conn) return admin_refusal("that is you");
  why = words.rest();
  core.note(Note::Level::info, fmt::format("{} ({}) is disconnected by {}", s->name, s->peer, asker.who));
  core.drop(*s, fmt::format("removed by {}", asker.who));
  return admin_done(fmt::format("{} is disconnected", name));
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
  return admin_done(name + (here ? " is forbidden, and still connected: kick ends that" : " is forbidden"));
}

AdminResult Server::State::Desk::allow() {
  const std::string name(words.next());
  if (core.forbidden.erase(name) == 0) return admin_refusal(fmt::format("{} is not forbidden", name));
  core.append(NameAllowed{.name = name, .by = asker.who, .at = core.now.wall});
  return admin_done(name + " is allowed");
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
  return admin_done(fmt::format("told {}; {} in CSA mode cannot be told", told, deaf));
}

// ---- games ----

Table* Server::State::Desk::game(std::string_view word) {
  if (word.starts_with('#')) word.remove_prefix(1);
  if (const auto id = admin_number(word)) return core.find(GameId{static_cast<std::uint64_t>(*id)});
  if (const Session* s = core.find_name(word)) return core.find(s->game);
  for (auto& [id, table] : core.tables) {
    if (table.game.opened().csa_id == word) return &table;
  }
  return nullptr;
}

Table* Server::State::Desk::running(std::string_view word, AdminResult& refusal) {
  Table* table = game(word);
  if (table == nullptr) refusal = admin_refusal(fmt::format("there is no game {}", word));
  if (table != nullptr && !table->started) refusal = admin_refusal(fmt::format("game {} is not yet agreed to", word));
  return table != nullptr && table->started ? table : nullptr;
}

AdminResult Server::State::Desk::pause() {
  AdminResult refusal;
  Table* table = running(words.next(), refusal);
  if (table == nullptr) return refusal;
  if (table->paused) return admin_refusal("it is paused already");
  const std::int64_t flag_us = table->game.clock().flag_us(table->game.to_move());
  if (!table->pending && table->turn.elapsed_us(core.now.mono) >= flag_us) {
    return admin_refusal("too late: a flag is falling");
  }
  why = words.rest();
  core.pause(*table, asker, why);
  return admin_done(fmt::format("game {} is paused", value(table->game.id())));
}

AdminResult Server::State::Desk::resume() {
  AdminResult refusal;
  Table* table = running(words.next(), refusal);
  if (table == nullptr) return refusal;
  if (table->awaits_verdict) {
    why = words.rest();
    core.let_go_on(*table);
    return admin_done(fmt::format("game {} goes on as soon as its players are there", value(table->game.id())));
  }
  if (!table->paused) return admin_refusal(table->suspended ? "it waits for its players" : "it is not paused");
  why = words.rest();
  core.go_on(*table, asker, why);
  return admin_done(fmt::format("game {} goes on", value(table->game.id())));
}

AdminResult Server::State::Desk::adjudicate() {
  AdminResult refusal;
  Table* table = running(words.next(), refusal);
  if (table == nullptr) return refusal;
  const std::string_view verdict = words.next();
  const auto outcome = admin_verdict(verdict);
  if (!outcome) return admin_refusal("the verdict is one of black, white, draw, void");
  why = words.rest();
  if (why.empty()) return admin_refusal("a verdict needs its reason");
  const std::uint64_t id = value(table->game.id());
  core.finish(*table, table->game.adjudicated(*outcome, why));
  return admin_done(fmt::format("game {} is adjudicated: {}", id, verdict));
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
  if (!in_one_house(black->home, white->home)) return admin_refusal("they are in different rooms");
  if (core.draining || core.stopped) return admin_refusal("no new games: the server is going to stop");
  if (core.store_away) return admin_refusal("no new games: the store is away");
  for (const Session* s : {black, white}) {
    if (auto refusal = cannot_play(*s)) return *refusal;
  }
  const auto name = csa::parse_game_name(game_name, core.rules.max_identifier);
  if (!name) return admin_refusal(fmt::format("bad game name: {}", game_name));
  std::optional<StartPosition> from;
  if (const std::string_view text = words.rest(); !text.empty()) {
    auto start = core.start_position(text);
    if (!start) return admin_refusal("no such position: " + start.error());
    from = std::move(*start);
  }
  for (Session* s : {black, white}) {
    core.leave_queue(*s);
    s->wanted = *name;
    s->turn = s == black ? csa::Turn::black : csa::Turn::white;
    s->room = core.room_for(*s, name->text);
  }
  GamePlan plan = core.plan_of(*black);
  if (from) plan.start = std::move(*from);
  const Table& table =
      core.begin_game(*black, *white, core.open_game(*black, *white, std::move(plan)), PairedBy::operators);
  return admin_done(fmt::format("game {}: {}", value(table.game.id()), table.game.opened().csa_id));
}

}  // namespace fuhyo::core
