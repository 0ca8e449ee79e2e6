#include "server/core/server.h"

#include <algorithm>
#include <utility>

#include "server/core/admin/admin.h"
#include "server/core/admin/restarts.h"
#include "server/core/buoys/buoys.h"
#include "server/core/commands/commands.h"
#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/logins/logins.h"
#include "server/core/logins/password_checks.h"
#include "server/core/logins/web_logins.h"
#include "server/core/monitors/monitors.h"
#include "server/core/part.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/rounds/rounds.h"
#include "server/core/sessions/sessions.h"
#include "server/core/tournaments/tournaments.h"

namespace fuhyo::core {

// The parts, and which of them hears of what.
struct Server::State {
  State(const Limits& limits, Rules rules, const Recovery& recovered);

  void keep(const Journaled& row);
  void appended();
  void begin(Now now, Effects& out);
  void apply(const Input& input, Now now, Effects& out);
  void complete();

  void on(const Opened& e) { sessions.on(e); }
  void on(const ClientLine& e) { sessions.on(e); }
  void on(const BadInput& e) { sessions.on(e); }
  void on(const Closed& e) { sessions.on(e); }
  void on(const PasswordChecked& e) { password_checks.on(e); }
  void on(const WebLogin& e) { web_logins.on(e); }
  void on(const PasswordChosen& e) { web_logins.on(e); }
  void on(const ChatAnswered& e) { commands.on(e); }
  void on(const Serves& e) { lobby.on(e); }
  void on(const Awaits& e) { lobby.on(e); }
  void on(const RoomsRead& e) { rooms.on(e); }
  void on(const SetRead& e) { buoys.on(e); }
  void on(const GroupChanged& e) { rounds.on(e); }
  void on(const TournamentRead& e) { tournaments.on(e); }
  void on(const ReadPassed& e) { games.on(e); }
  void on(const Drain& e) { games.on(e); }
  void on(const AdminLine& e) { admin.on(e); }
  void on(const AccountsRead& e) { admin.on(e); }
  void on(const HostDone& e) { admin.on(e); }
  void on(const HostCounter& e) { admin.on(e); }
  void on(const StopFile& e) { admin.on(e); }
  void on(const Durable& e);
  void on(const StoreLost& e);
  void on(const StoreBack& e);
  void on(const RatingsChanged& e) { context.ratings = e.ratings; }
  void on(const Stop& e);
  void on(const Stalled& e);
  void on(const Woke& e);
  void due(const TimerKey& key);

  std::vector<Journaled> interrupted;  // facts of games that a crash cut off; used up by begin()
  bool drained = false;
  Context context;
  Parts parts;
  Sessions sessions;
  Logins logins;
  PasswordChecks password_checks;
  WebLogins web_logins;
  Commands commands;
  Lobby lobby;
  RoomKeeping rooms;
  Buoys buoys;
  Rounds rounds;
  Tournaments tournaments;
  Games games;
  Monitors monitors;
  Restarts restarts;
  Admin admin;
};

Server::Server(const Limits& limits, Rules rules, const Recovery& recovered)
    : state_(std::make_unique<State>(limits, std::move(rules), recovered)) {}
Server::~Server() = default;

void Server::begin(Now now, Effects& out) { state_->begin(now, out); }
void Server::apply(const Input& input, Now now, Effects& out) { state_->apply(input, now, out); }
void Server::change_rules(Rules rules) { state_->logins.change_rules(std::move(rules)); }
const std::string& Server::store_fault() const { return state_->context.store_fault; }
std::size_t Server::sessions() const { return state_->sessions.all().size(); }
Figures Server::figures() const { return figures_of(state_->parts); }
std::uint64_t Server::digest() const { return state_->context.digest(); }
std::vector<Waiter> Server::lobby() const { return state_->lobby.waiters(); }
std::uint64_t Server::lobby_changes() const { return state_->lobby.changes(); }

std::size_t Server::games(std::string_view room) const {
  return static_cast<std::size_t>(std::ranges::count_if(std::as_const(state_->games).all(), [room](const auto& entry) {
    return entry.second.game.phase().has_started() && !entry.second.game.phase().is_suspended() &&
           in_one_house(entry.second.game.opened().room, room);
  }));
}

Server::State::State(const Limits& limits, Rules rules, const Recovery& recovered)
    : interrupted(recovered.live),
      context(limits, std::move(rules), recovered, [this] { appended(); }),
      parts{context, sessions, logins,      password_checks, web_logins, commands, lobby, rooms,
            buoys,   rounds,   tournaments, games,           monitors,   restarts, admin},
      sessions(parts),
      logins(parts),
      password_checks(parts),
      web_logins(parts),
      commands(parts),
      lobby(parts),
      rooms(parts),
      buoys(parts),
      rounds(parts, recovered.past),
      tournaments(parts),
      games(parts, recovered),
      monitors(parts),
      restarts(parts),
      admin(parts) {
  for (const Journaled& row : recovered.keyed_facts) keep(row);
}

// What stood at the start.
void Server::State::keep(const Journaled& row) {
  logins.keep(row.fact);
  rooms.keep(row.fact);
  buoys.keep(row.fact);
  rounds.keep(row.fact);
  tournaments.keep(row);
}

// Spectators see what is told to the journal.
void Server::State::appended() {
  tournaments.see(context.last_appended().fact);
  monitors.take();
}

void Server::State::begin(Now now, Effects& out) {
  context.begin(now, out);
  const std::string& fingerprint = context.rules.key_fingerprint;
  if (!fingerprint.empty() && fingerprint != logins.key_fingerprint()) {
    context.append(KeyKept{.fingerprint = fingerprint, .at = now.wall});
  }
  const std::vector<Journaled> rows = std::exchange(interrupted, {});
  monitors.begin(rows);
  tournaments.begin(rows);
  games.rebuild_games(rows);
  complete();
}

void Server::State::apply(const Input& input, Now now, Effects& out) {
  context.begin(now, out);
  std::visit([this](const auto& e) { on(e); }, input);
  context.digest(input.index());
  context.digest(static_cast<std::uint64_t>(now.mono.us));
  complete();
}

void Server::State::complete() {
  restarts.begin_restarts();
  tournaments.run();
  const auto runs = [](const auto& entry) { return !entry.second.game.phase().is_suspended(); };
  if (context.draining && !drained && context.newest == context.durable &&
      std::ranges::none_of(std::as_const(games).all(), runs)) {
    drained = true;
    context.put(Drained{});
  }
  context.complete();
}

// ---- the store ----

void Server::State::on(const Durable& e) {
  context.durable = std::max(context.durable, e.upto);
  games.durable();
}

void Server::State::on(const StoreLost& e) {
  context.store_fault = e.why.empty() ? "no reason is given" : e.why;
  context.note(Note::Level::warning, "the store is away, games stand still: " + e.why);
}

void Server::State::on(const StoreBack&) {
  context.store_fault.clear();
  context.note(Note::Level::info, "the store is back");
  tournaments.wait_anew();  // nobody could come to his game meanwhile
  lobby.pair_everybody();
}

// ---- time ----

void Server::State::on(const Stop& e) {
  games.on(e);
  drained = false;
}

// What the core could not hear cannot be held against anybody. Rounds go by the wall clock.
void Server::State::on(const Stalled& e) {
  context.timers.postpone(e.to - e.from, TimerKey::Kind::round);
  tournaments.spare(e.to - e.from);
  games.on(e);
}

void Server::State::on(const Woke&) {
  while (const auto key = context.timers.due(context.now.mono)) due(*key);
}

void Server::State::due(const TimerKey& key) {
  switch (key.kind) {
    case TimerKey::Kind::flag:
      return games.look_at_flag(GameId{key.id});
    case TimerKey::Kind::agree:
      return games.agree_due(GameId{key.id});
    case TimerKey::Kind::absence:
      return games.absence_due(key.id);
    case TimerKey::Kind::window:
      return games.window_due(GameId{key.id});
    case TimerKey::Kind::login:
      return sessions.login_due(ConnId{key.id});
    case TimerKey::Kind::throttle:
      return sessions.answer_held(ConnId{key.id});
    case TimerKey::Kind::refusal:
      return logins.refusal_due(ConnId{key.id});
    case TimerKey::Kind::web_refusal:
      return web_logins.refusal_due(key.id);
    case TimerKey::Kind::cooled:
      return lobby.cooled(ConnId{key.id});
    case TimerKey::Kind::round:
      return rounds.round_timer(key.id);
    case TimerKey::Kind::event:
      return tournaments.event_timer(key.id);
    case TimerKey::Kind::delays:
      return monitors.delays_due();
  }
}

}  // namespace fuhyo::core
