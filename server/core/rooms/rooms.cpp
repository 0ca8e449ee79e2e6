#include "server/core/rooms/rooms.h"

#include <fmt/format.h>
#include <utility>

#include "server/core/rooms/claims.h"

namespace fuhyo::core {

bool Rooms::apply(const Fact& fact) {
  if (const auto* closed = std::get_if<RoomClosed>(&fact)) return by_name_.erase(closed->name) > 0;
  const auto* set = std::get_if<RoomSet>(&fact);
  if (set == nullptr) return false;
  auto rules = read_room(set->settings);
  if (!rules) return by_name_.erase(set->name) > 0;  // written by a newer program: it claims nothing
  std::set<std::string> players;
  for (const std::string& name : rules->players) players.insert(name_key(name));
  by_name_.insert_or_assign(set->name, Room{*set, std::move(*rules), std::move(players)});
  return true;
}

std::expected<void, std::string> Rooms::check(std::string_view name, const RoomRules& rules, std::size_t most) const {
  for (const auto& [other, room] : by_name_) {
    if (other == name || !in_conflict(room.rules.games, rules.games)) continue;
    return std::unexpected(
        fmt::format("games: {} and {} of the room {} would claim the same names, and neither is "
                    "more specific",
                    rules.games, room.rules.games, other));
  }
  if (by_name_.size() >= most && find(name) == nullptr) {
    return std::unexpected(fmt::format("there are {} rooms already", most));
  }
  return {};
}

const Room* Rooms::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second;
}

const Room* Rooms::claiming(std::string_view game_name) const {
  const Room* best = nullptr;
  for (const auto& [name, room] : by_name_) {
    if (!may_claim(room.rules.games, game_name)) continue;
    if (best == nullptr || is_more_specific(room.rules.games, best->rules.games)) best = &room;
  }
  return best;
}

}  // namespace fuhyo::core
