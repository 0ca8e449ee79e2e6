#include "server/core/lobby/lobby.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <ranges>
#include <utility>

#include "engines/shogi/handicap.h"
#include "server/core/admin/restarts.h"
#include "server/core/buoys/buoys.h"
#include "server/core/games/games.h"
#include "server/core/logins/logins.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/rounds/rounds.h"
#include "server/core/sessions/sessions.h"
#include "server/core/tournaments/tournaments.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kShuttingDown =
    "As the service is going to shutdown shortly, starting new games is not allowed now.";

csa::Turn opposite(csa::Turn turn) {
  if (turn == csa::Turn::any) return turn;
  return turn == csa::Turn::black ? csa::Turn::white : csa::Turn::black;
}

bool turns_fit(csa::Turn a, csa::Turn b) { return a == csa::Turn::any || b == csa::Turn::any || a != b; }

}  // namespace

// Floodgate games are paired by rounds alone, a buoy's players wait until it is set, those of an event until their game
// is due, and those of some rooms until the host seats them.
bool Lobby::pairs_directly(const Session& s) const {
  const Room* room = parts_.rooms.known().find(s.room);
  if (room != nullptr && room->rules.pairing == RoomPairing::host) return false;
  if (s.home == kMainRoom && parts_.tournaments.is_of_event(s.wanted)) return false;
  return !s.wanted.is_floodgate() && (!s.wanted.is_buoy() || parts_.buoys.find(s.wanted.text) != nullptr);
}

void Lobby::want(Session& s, const csa::Game& g) {
  if (s.phase != Phase::connected && s.phase != Phase::game_waiting) {
    return send(s.conn, csa::wrong_state(to_string(s.phase), "GAME", "connected or game_waiting"));
  }
  if (!context_.takes_games()) {
    count_refusal(Refusal::stopping);
    return send(s.conn, csa::error(kShuttingDown));
  }
  const auto name = csa::parse_game_name(g.game_name, rules_.max_identifier);
  if (!name) {
    const bool shape = name.error() == csa::BadGameName::shape;
    return send(s.conn, csa::error(fmt::format("bad game name: {}.", g.game_name)) +
                            csa::error(shape ? "game name should consist of three parts like game-1500-60."
                                             : "invalid identifiers are found or too many characters are used."));
  }
  if (name->is_floodgate() && g.turn != csa::Turn::any) {
    return send(s.conn, csa::error(fmt::format("You are not allowed to specify TEBAN {} for the game {}",
                                               static_cast<char>(g.turn), g.game_name)));
  }
  if (shogi::handicap_of(name->text) && g.turn == csa::Turn::any) {
    return send(s.conn, csa::error("Random turn preference is not allowed for handicapped games"));
  }
  if (parts_.logins.reads_along(s, name->text)) {
    count_refusal(Refusal::tls_required);
    return send(s.conn, csa::tls_wanted(name->text, "\n"));
  }
  // A game may ask for an account where the server does not: its first player owns the name from then on.
  if (!s.account && !s.trip_proof.empty() && s.kind != ConnectionKind::builtin &&
      parts_.logins.policy_of(name->text) == AccountPolicy::claim) {
    s.account = parts_.logins.claim(s, s.name, s.trip_proof);
  }
  if (s.kind != ConnectionKind::builtin && !parts_.logins.may_enter(s.name, s.account, name->text)) {
    count_refusal(Refusal::not_admitted);
    return send(s.conn, csa::error(fmt::format("{} is not on the entry list of {}", s.name, name->text)));
  }
  if (!parts_.logins.may_come_by(s.kind, s.account, name->text)) {
    count_refusal(Refusal::not_admitted);
    return send(s.conn, csa::browsers_shut(name->text, "\n"));
  }
  if (s.kind == ConnectionKind::builtin && !parts_.logins.may_enter_builtin(s, name->text)) {
    return send(s.conn, csa::error(fmt::format("{} is none of the built-in players of {}", s.name, name->text)));
  }
  s.wish = g.turn;
  if (name->text != s.wanted.text) s.waits_since.reset();
  wait_for(s, *name, g.turn, g.challenge);
}

void Lobby::wait_for(Session& s, const csa::GameName& name, csa::Turn turn, bool challenge) {
  leave_queue(s);
  s.wanted = name;
  s.turn = turn;
  s.room = parts_.rooms.room_for(s, name.text);
  if (parts_.restarts.awaits_restart(s)) {
    s.phase = Phase::game_waiting;
    s.for_restart = true;
    return;
  }
  if (Session* rival = rival_of(s)) return pair(*rival, s);
  if (!challenge) {
    enter_queue(s);
    if (parts_.tournaments.event_ahead(s) != nullptr) return parts_.tournaments.come_to_event(s);
    parts_.rounds.tell_never_paired(s);
    if (cools_down(s)) return cool_down(s);
    return parts_.rounds.seat_late(s);
  }
  send(s.conn, csa::error("can't find rival for " + name.text));
}

void Lobby::stop_waiting(Session& s) {
  if (s.phase != Phase::connected && s.phase != Phase::game_waiting) {
    return send(s.conn, csa::wrong_state(to_string(s.phase), "GAME", "connected or game_waiting"));
  }
  leave_queue(s);
  s.waits_since.reset();
  parts_.tournaments.go_from_event(s);
}

void Lobby::enter_queue(Session& s) {
  s.phase = Phase::game_waiting;
  if (!s.waits_since) s.waits_since = now_.mono;
  ++changes_;
  waiting_[{s.room, s.wanted.text}].by_turn[s.turn].emplace(s.login_order, s.conn);
}

void Lobby::leave_queue(Session& s) {
  if (s.phase != Phase::game_waiting) return;
  s.phase = Phase::connected;
  if (std::exchange(s.for_restart, false)) return;
  ++changes_;
  const auto list = waiting_.find({s.room, s.wanted.text});
  auto& by_turn = list->second.by_turn;
  const auto queue = by_turn.find(s.turn);
  queue->second.erase(s.login_order);
  if (queue->second.empty()) by_turn.erase(queue);
  if (by_turn.empty()) waiting_.erase(list);
}

// The first in login order whose wish fits. `s` itself must not be in the queue.
Session* Lobby::rival_of(const Session& s) {
  if (!context_.starts_games() || !pairs_directly(s) || cools_down(s)) return nullptr;
  const auto list = waiting_.find({s.room, s.wanted.text});
  Session* const rival = list == waiting_.end() ? nullptr : rival_in(list->second, s.turn);
  return rival != nullptr ? rival : server_of(s);
}

Session* Lobby::rival_in(const WaitingList& list, csa::Turn turn) {
  const std::pair<const std::uint64_t, ConnId>* first = nullptr;
  for (const auto& [wish, queue] : list.by_turn) {
    if (!turns_fit(wish, turn)) continue;
    const auto next = std::ranges::find_if(
        queue, [this](const auto& each) { return !cools_down(*parts_.sessions.find(each.second)); });
    if (next != queue.end() && (first == nullptr || next->first < first->first)) first = &*next;
  }
  return first == nullptr ? nullptr : parts_.sessions.find(first->second);
}

bool Lobby::cools_down(const Session& s) const { return parts_.games.conduct().cools_us(s.id, now_.mono) > 0; }

void Lobby::cool_down(Session& s) {
  const std::int64_t wait_us = parts_.games.conduct().cools_us(s.id, now_.mono);
  timers_.set({TimerKey::Kind::cooled, value(s.conn)}, now_.mono + wait_us);
  if (!s.x1) return;
  send(s.conn, fmt::format("##[ADMIN] several of your games were aborted: you are paired with nobody for {} s\n",
                           (wait_us + kSecond - 1) / kSecond));
}

void Lobby::pair_everybody() {
  for (const auto& [order, conn] : std::map(parts_.sessions.by_login())) {
    Session* s = parts_.sessions.find(conn);
    if (s->phase == Phase::game_waiting) wait_for(*s, csa::GameName(s->wanted), s->turn, false);
  }
}

void Lobby::pair(Session& rival, Session& mover) {
  leave_queue(rival);
  if (rival.turn == csa::Turn::any) rival.turn = opposite(mover.turn);
  if (rival.turn == csa::Turn::any) rival.turn = (random() & 1) != 0 ? csa::Turn::black : csa::Turn::white;
  mover.turn = opposite(rival.turn);
  Session& black = rival.turn == csa::Turn::black ? rival : mover;
  Session& white = rival.turn == csa::Turn::black ? mover : rival;
  parts_.games.begin_game(black, white, parts_.games.open_game(black, white, plan_of(black)), PairedBy::lobby);
  if (black.wanted.is_buoy()) parts_.buoys.use_up(black.wanted.text);
}

// Those who wait for it are paired at once: in login order, the one who set it last.
void Lobby::start_waiting_for(const std::string& buoy, const Session& setter) {
  while (context_.starts_games() && parts_.buoys.find(buoy) != nullptr) {
    bool paired = false;
    for (const ConnId conn : waiting_for(parts_.rooms.room_for(setter, buoy), buoy)) {
      Session& candidate = *parts_.sessions.find(conn);
      if (conn == setter.conn) continue;
      leave_queue(candidate);
      Session* rival = rival_of(candidate);
      if (rival == nullptr) {
        enter_queue(candidate);
        continue;
      }
      pair(*rival, candidate);
      paired = true;
      break;
    }
    if (!paired) return;
  }
}

// By the settings of the server, and what its room says instead of them.
GamePlan Lobby::plan_of(const Session& s) const {
  const Room* room = parts_.rooms.known().find(s.room);
  const RoomRules said = room == nullptr ? default_rules(s.room) : room->rules;
  GamePlan plan{.start = {},
                .max_moves = said.max_moves.value_or(rules_.max_moves),
                .least_time_per_move_s = said.least_time_s.value_or(rules_.least_time_per_move_s),
                .resume = said.resume.value_or(rules_.resume),
                .grace_s = said.grace_s.value_or(rules_.grace_s),
                .time = {said.time_of(shogi::BLACK), said.time_of(shogi::WHITE)},
                .showing = said.showing,
                .comments = said.comments,
                .rated = said.rated,
                .stays = said.after_game == AfterGame::stay,
                .declaration = said.declaration.value_or(shogi::DeclarationRule::POINTS_27),
                .rulebook = said.rulebook};
  const csa::GameName& name = s.wanted;
  if (const BuoySet* buoy = parts_.buoys.find(name.text)) {
    plan.start.sfen = buoy->start_sfen;
    plan.start.moves = buoy->moves;
  } else if (auto start = parts_.rooms.room_start(said); start) {
    plan.start = std::move(*start);
  } else {
    const auto handicap = shogi::handicap_of(name.text);
    plan.start.sfen = handicap ? handicap->sfen : shogi::Position::kStartSfen;
  }
  return plan;
}

void Lobby::cooled(ConnId conn) {
  Session* s = parts_.sessions.find(conn);
  if (s != nullptr && s->phase == Phase::game_waiting) wait_for(*s, csa::GameName(s->wanted), s->turn, false);
}

std::size_t Lobby::waiting_in(std::string_view room) const {
  std::size_t waits = 0;
  for (auto list = waiting_.lower_bound({std::string(room), {}}); list != waiting_.end() && list->first.first == room;
       ++list) {
    for (const auto& [turn, queue] : list->second.by_turn) waits += queue.size();
  }
  return waits;
}

std::vector<ConnId> Lobby::waiting_for(const std::string& room, const std::string& game_name) const {
  std::map<std::uint64_t, ConnId> by_order;
  if (const auto list = waiting_.find({room, game_name}); list != waiting_.end()) {
    for (const auto& [turn, queue] : list->second.by_turn) by_order.insert(queue.begin(), queue.end());
  }
  const auto conns = std::views::values(by_order);
  return {conns.begin(), conns.end()};
}

std::vector<Waiter> Lobby::waiters() const {
  std::vector<Waiter> waiters;
  for (const auto& [key, list] : waiting_) {
    const auto& [room_name, game_name] = key;
    const Room* room = parts_.rooms.known().find(room_name);
    if (room_name == kDemoRoom || (room != nullptr && room->rules.hidden())) continue;
    for (const auto& [turn, queue] : list.by_turn) {
      for (const auto& [order, conn] : queue) {
        const Session& s = *parts_.sessions.find(conn);
        waiters.push_back({.room = room_name,
                           .game_name = game_name,
                           .name = s.name,
                           .id = s.has_trip ? s.id : "",
                           .builtin = s.kind == ConnectionKind::builtin});
      }
    }
  }
  return waiters;
}

}  // namespace fuhyo::core
