// Games that go on from one of their moves: a new game of the same players, whose first moves and clocks are those of
// the old one. CSA-mode players had to go when the old game ended; the new one waits until both are there again.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/admin/desk.h"

namespace fuhyo::core {
namespace {

bool is_seat_of(const Session& s, const Seat& seat) {
  return s.name == seat.name && (seat.id.empty() ? !s.has_trip : s.id == seat.id);
}

bool is_for(const Session& s, const GameOpened& opened) {
  return in_one_house(s.room, opened.room) && (is_seat_of(s, opened.black) || is_seat_of(s, opened.white));
}

}  // namespace

void Server::State::remember(const Table& table) {
  recent.push_back({.opened = table.game.opened(), .moves = table.game.moves(), .event = table.event});
  if (recent.size() > limits.recent_games) recent.pop_front();
}

bool Server::State::awaits_restart(const Session& s) const {
  return std::ranges::any_of(restarts, [&](const Restart& restart) {
    return is_for(s, restart.opened) && s.wanted.text == restart.opened.game_name;
  });
}

void Server::State::begin_restarts() {
  std::erase_if(restarts, [this](const Restart& restart) {
    if (now.mono - restart.since < limits.restart_us) return false;
    note(Note::Level::warning,
         fmt::format("the restart of {} is given up: its players did not come", restart.opened.game_name));
    give_up_restart(restart);
    return true;
  });
  if (draining || stopped || store_away) return;
  const auto ready = [this](const GameOpened& opened, const Seat& seat) -> Session* {
    Session* s = find_name(seat.name);
    if (s == nullptr || !is_seat_of(*s, seat) || !in_one_house(s->room, opened.room)) return nullptr;
    const bool waits = s->phase == Phase::game_waiting && s->wanted.text == opened.game_name;
    return waits || (s->x1 && s->phase == Phase::connected) ? s : nullptr;
  };
  for (auto it = restarts.begin(); it != restarts.end();) {
    Session* black = ready(it->opened, it->opened.black);
    Session* white = ready(it->opened, it->opened.white);
    if (black == nullptr || white == nullptr) {
      ++it;
      continue;
    }
    const Restart restart = std::move(*it);
    it = restarts.erase(it);
    for (Session* s : {black, white}) {
      leave_queue(*s);
      s->wanted = *csa::parse_game_name(restart.opened.game_name, rules.max_identifier);
      s->turn = s == black ? csa::Turn::black : csa::Turn::white;
      s->room = restart.opened.room;
    }
    GameOpened opened = restart.opened;
    const GameOpened fresh = open_game(*black, *white, plan_of(*black));
    opened.game = fresh.game;
    opened.csa_id = fresh.csa_id;
    opened.at = fresh.at;
    opened.local_time = fresh.local_time;
    RunningEvent* event = restart.event ? event_of(black->wanted) : nullptr;
    if (event != nullptr) {
      begin_event_game(*event, restart.event->key, *black, *white, std::move(opened));
    } else {
      begin_game(*black, *white, std::move(opened), PairedBy::restart);
    }
  }
}

// Nobody is seated for a game of an event that is to go on from one of its moves.
void Server::State::hold_for_restart(const Restart& restart, GameId former) {
  if (!restart.event) return;
  if (const auto event = events.find(restart.event->event); event != events.end()) {
    event->second.games[restart.event->key] = former;
  }
}

void Server::State::give_up_restart(const Restart& restart) {
  if (!restart.event) return;
  events_stir = true;
  if (const auto event = events.find(restart.event->event); event != events.end()) {
    event->second.games.erase(restart.event->key);
  }
}

// A running game by any of its names; one that is over by its number or Game_ID.
std::optional<RecentGame> Server::State::Desk::played(std::string_view word) {
  if (const Table* table = game(word)) return RecentGame{table->game.opened(), table->game.moves(), table->event};
  if (word.starts_with('#')) word.remove_prefix(1);
  const auto found = std::ranges::find_if(core.recent, [word](const RecentGame& recent) {
    return recent.opened.csa_id == word || fmt::format("{}", value(recent.opened.game)) == word;
  });
  return found == core.recent.end() ? std::nullopt : std::optional(*found);
}

AdminResult Server::State::Desk::restart() {
  const std::string_view word = words.next();
  const auto old = played(word);
  if (!old) {
    return admin_refusal(
        fmt::format("there is no game {} that runs or is one of the last {}", word, core.limits.recent_games));
  }
  const auto moves = admin_number(words.next());
  if (!moves || static_cast<std::size_t>(*moves) > old->moves.size()) {
    return admin_refusal(fmt::format("the move is a number from 0 to {}", old->moves.size()));
  }
  if (core.restarts.size() >= core.limits.restarts) return admin_refusal("too many restarts wait for their players");
  Table* table = game(word);
  if (table != nullptr && !table->started) return admin_refusal("it is not yet agreed to");
  why = words.rest();
  GameOpened opened = old->opened;
  opened.preset_free = opened.preset_spent ? opened.preset_free : static_cast<std::int32_t>(opened.preset_moves.size());
  opened.preset_spent = true;
  opened.preset_moves.assign(old->moves.begin(), old->moves.begin() + *moves);
  opened.preset_free = std::min(opened.preset_free, static_cast<std::int32_t>(*moves));
  const std::string players = opened.black.name + " and " + opened.white.name;
  const std::string game_name = opened.game_name;
  const GameId former = opened.game;
  core.restarts.push_back({.opened = std::move(opened), .since = core.now.mono, .event = old->event});
  core.hold_for_restart(core.restarts.back(), former);
  if (table != nullptr) {
    table->event.reset();  // what becomes of it counts as another attempt
    core.finish(*table, table->game.adjudicated(Outcome::none, fmt::format("restarted from move {}{}{}", *moves,
                                                                           why.empty() ? "" : ": ", why)));
  }
  const std::size_t waiting_before = core.restarts.size();
  core.begin_restarts();
  if (core.restarts.size() == waiting_before) {
    return {.ok = true,
            .text = fmt::format("it goes on as soon as {} are there (in CSA mode: logged in again for {})", players,
                                game_name),
            .columns = {},
            .rows = {}};
  }
  return {.ok = true, .text = fmt::format("it goes on from move {}", *moves), .columns = {}, .rows = {}};
}

}  // namespace fuhyo::core
