// Built-in players that come when they are asked for: besides what they wait for themselves, they play games whose
// names fit what they serve, with those who wait for one, challenge, or would sit out a round.
#include <algorithm>

#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/logins/logins.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/rounds/rounds.h"
#include "server/core/sessions/sessions.h"
#include "server/core/tournaments/tournaments.h"

namespace fuhyo::core {
namespace {

bool is_free(const Session& s) {
  return s.kind == ConnectionKind::builtin && !s.serves.empty() &&
         (s.phase == Phase::connected || (s.phase == Phase::game_waiting && !s.for_restart));
}

bool serves(const Session& s, std::string_view game_name) {
  return std::ranges::any_of(s.serves, [&](const std::string& pattern) { return fits(pattern, game_name); });
}

}  // namespace

void Lobby::on(const Serves& e) {
  Session* s = parts_.sessions.find(e.conn);
  if (s == nullptr || s->kind != ConnectionKind::builtin) return;
  s->serves = e.games;
  if (!context_.starts_games() || !is_free(*s)) return;
  if (parts_.rounds.seat_return()) return;
  for (const auto& [order, conn] : parts_.sessions.by_login()) {
    Session& guest = parts_.sessions.all().at(conn);
    if (guest.phase != Phase::game_waiting || guest.for_restart || !is_served(guest, *s)) continue;
    leave_queue(guest);
    take_over_wish(*s, guest);
    return pair(*s, guest);
  }
}

void Lobby::on(const Awaits& e) {
  Session* s = parts_.sessions.find(e.conn);
  if (s == nullptr || s->kind != ConnectionKind::builtin) return;
  const auto name = csa::parse_game_name(e.game, rules_.max_identifier);
  s->awaits = name ? std::optional(*name) : std::nullopt;
  if (s->phase != Phase::before_login) parts_.tournaments.come_to_event(*s);
}

bool Lobby::is_served(const Session& guest, const Session& by) const {
  const std::string& game = guest.wanted.text;
  return guest.kind != ConnectionKind::builtin && guest.room == parts_.rooms.room_for(by, game) &&
         parts_.logins.may_enter_builtin(by, game) && is_free(by) && pairs_directly(guest) && !cools_down(guest) &&
         serves(by, game);
}

// The first in login order that would play with `guest`, now waiting for the same game.
Session* Lobby::server_of(const Session& guest) {
  for (const auto& [order, conn] : parts_.sessions.by_login()) {
    Session& each = parts_.sessions.all().at(conn);
    if (!is_served(guest, each)) continue;
    take_over_wish(each, guest);
    return &each;
  }
  return nullptr;
}

void Lobby::take_over_wish(Session& player, const Session& guest) {
  leave_queue(player);
  player.room = guest.room;
  player.wanted = guest.wanted;
  player.turn = csa::Turn::any;
}

// A free one that serves the group, or the one with that id, now waiting for its round; null: there is none.
Session* Lobby::filler_of(const csa::GameName& group, std::string_view id) {
  for (const auto& [order, conn] : parts_.sessions.by_login()) {
    Session& each = parts_.sessions.all().at(conn);
    const std::string room = parts_.rooms.room_of(group.text);
    const bool may =
        parts_.rooms.room_for(each, group.text) == room && parts_.logins.may_enter_builtin(each, group.text);
    if (!may || (!id.empty() && each.id != id) || !each.has_trip || !is_free(each) || !serves(each, group.text))
      continue;
    leave_queue(each);
    each.room = room;
    each.wanted = group;
    each.turn = csa::Turn::any;
    enter_queue(each);
    return &each;
  }
  return nullptr;
}

}  // namespace fuhyo::core
