// Built-in players that come when they are asked for: besides what they wait for themselves, they play games whose
// names fit what they serve, with whoever waits for one, challenges, or would sit out a round.
#include <algorithm>

#include "server/core/state.h"

namespace fuhyo::core {
namespace {

bool is_free(const Session& s) {
  return s.door == Door::builtin && !s.serves.empty() &&
         (s.phase == Phase::connected || (s.phase == Phase::game_waiting && !s.for_restart));
}

bool serves(const Session& s, std::string_view game_name) {
  return std::ranges::any_of(s.serves, [&](const std::string& pattern) { return fits(pattern, game_name); });
}

}  // namespace

void Server::State::on(const Serves& e) {
  Session* s = find(e.conn);
  if (s == nullptr || s->door != Door::builtin) return;
  s->serves = e.games;
  if (store_away || draining || stopped || !is_free(*s)) return;
  for (auto& [name, group] : groups) {
    if (seat_return(name, group)) return;
  }
  for (const auto& [order, conn] : by_login) {
    Session& guest = sessions.at(conn);
    if (guest.phase != Phase::game_waiting || guest.for_restart || !is_served(guest, *s)) continue;
    leave_queue(guest);
    take_over_wish(*s, guest);
    return pair(*s, guest);
  }
}

void Server::State::on(const Awaits& e) {
  Session* s = find(e.conn);
  if (s == nullptr || s->door != Door::builtin) return;
  const auto name = csa::parse_game_name(e.game, rules.max_identifier);
  s->awaits = name ? std::optional(*name) : std::nullopt;
  if (s->phase != Phase::before_login) come_to_event(*s);
}

bool Server::State::is_served(const Session& guest, const Session& by) const {
  const std::string& game = guest.wanted.text;
  return guest.door == Door::csa && guest.room == room_for(by, game) && may_enter_builtin(by, game) && is_free(by) &&
         pairs_directly(guest) && !cools_down(guest) && serves(by, game);
}

// The first in login order that would play with `guest`, now waiting for the same game.
Session* Server::State::server_of(const Session& guest) {
  for (const auto& [order, conn] : by_login) {
    Session& each = sessions.at(conn);
    if (!is_served(guest, each)) continue;
    take_over_wish(each, guest);
    return &each;
  }
  return nullptr;
}

void Server::State::take_over_wish(Session& player, const Session& guest) {
  leave_queue(player);
  player.room = guest.room;
  player.wanted = guest.wanted;
  player.turn = csa::Turn::any;
}

// A free one that serves the group, or the one with that id, now waiting for its round; null: there is none.
Session* Server::State::filler_of(const csa::GameName& group, std::string_view id) {
  for (const auto& [order, conn] : by_login) {
    Session& each = sessions.at(conn);
    const std::string room = rounds_room(group.text);
    const bool may = room_for(each, group.text) == room && may_enter_builtin(each, group.text);
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
