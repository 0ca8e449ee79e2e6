#include "server/core/admin/restarts.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/sessions/sessions.h"
#include "server/core/tournaments/tournaments.h"

namespace fuhyo::core {
namespace {

bool is_seat_of(const Session& s, const Seat& seat) {
  return s.name == seat.name && (seat.id.empty() ? !s.has_trip : s.id == seat.id);
}

bool is_for(const Session& s, const GameOpened& opened) {
  return in_one_house(s.room, opened.room) && (is_seat_of(s, opened.black) || is_seat_of(s, opened.white));
}

}  // namespace

void Restarts::remember(const GameSession& session) {
  recent_.push_back({.opened = session.game.opened(), .moves = session.game.moves(), .event = session.event});
  if (recent_.size() > limits_.recent_games) recent_.pop_front();
}

bool Restarts::awaits_restart(const Session& s) const {
  return std::ranges::any_of(restarts_, [&](const Restart& restart) {
    return is_for(s, restart.opened) && s.wanted.text == restart.opened.game_name;
  });
}

void Restarts::begin_restarts() {
  if (restarts_.empty()) return;  // asked after every input
  std::erase_if(restarts_, [this](const Restart& restart) {
    if (now_.mono - restart.since < limits_.restart_us) return false;
    note(Note::Level::warning,
         fmt::format("the restart of {} is given up: its players did not come", restart.opened.game_name));
    if (restart.event) parts_.tournaments.give_up_restart(*restart.event);
    return true;
  });
  if (!context_.starts_games()) return;
  const auto ready = [this](const GameOpened& opened, const Seat& seat) -> Session* {
    Session* s = parts_.sessions.find_name(seat.name);
    if (s == nullptr || !is_seat_of(*s, seat) || !in_one_house(s->room, opened.room)) return nullptr;
    const bool waits = s->phase == Phase::game_waiting && s->wanted.text == opened.game_name;
    return waits || (s->x1 && s->phase == Phase::connected) ? s : nullptr;
  };
  for (auto it = restarts_.begin(); it != restarts_.end();) {
    Session* black = ready(it->opened, it->opened.black);
    Session* white = ready(it->opened, it->opened.white);
    if (black == nullptr || white == nullptr) {
      ++it;
      continue;
    }
    const Restart restart = std::move(*it);
    it = restarts_.erase(it);
    for (Session* s : {black, white}) {
      parts_.lobby.leave_queue(*s);
      s->wanted = *csa::parse_game_name(restart.opened.game_name, rules_.max_identifier);
      s->turn = s == black ? csa::Turn::black : csa::Turn::white;
      s->room = restart.opened.room;
    }
    GameOpened opened = restart.opened;
    const GameOpened fresh = parts_.games.open_game(*black, *white, parts_.lobby.plan_of(*black));
    opened.game = fresh.game;
    opened.csa_id = fresh.csa_id;
    opened.at = fresh.at;
    opened.local_time = fresh.local_time;
    RunningEvent* event = restart.event ? parts_.tournaments.event_of(black->wanted) : nullptr;
    if (event != nullptr) {
      parts_.tournaments.begin_event_game(*event, restart.event->key, *black, *white, std::move(opened));
    } else {
      parts_.games.begin_game(*black, *white, std::move(opened), PairedBy::restart);
    }
  }
}

void Restarts::add(Restart restart, GameId former) {
  if (restart.event) parts_.tournaments.hold_for_restart(*restart.event, former);
  restarts_.push_back(std::move(restart));
}

void Restarts::forget_event(std::string_view event) {
  for (RecentGame& game : recent_) {
    if (game.event && game.event->event == event) game.event.reset();
  }
}

}  // namespace fuhyo::core
