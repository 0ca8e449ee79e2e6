// The current rooms, folded from their facts, and the room that a game name belongs to. A value: the core and the web
// have one each. One thread at a time.
#pragma once

#include <cstddef>
#include <expected>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "server/core/facts.h"
#include "server/core/rooms/rules.h"

namespace fuhyo::core {

struct Room {
  RoomSet told;
  RoomRules rules;
  std::set<std::string> players;  // the keys of rules.players
};

class Rooms {
 public:
  // Facts as they stand; others are passed over. True: a room is another one now.
  bool apply(const Fact& fact);
  // Why a room of that name may not claim these games beside the others, if it may not. At most `most` rooms stand.
  std::expected<void, std::string> check(std::string_view name, const RoomRules& rules, std::size_t most) const;

  const Room* find(std::string_view name) const;
  const Room* claiming(std::string_view game_name) const;  // null: the main room
  const std::map<std::string, Room, std::less<>>& all() const { return by_name_; }

 private:
  std::map<std::string, Room, std::less<>> by_name_;
};

}  // namespace fuhyo::core
