// Which rooms there are, who is in which, and who may see what happens there. %%ROOM.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/core/buoys/start_position.h"
#include "server/core/part.h"
#include "server/core/rooms/rooms.h"
#include "server/core/sessions/session.h"

namespace fuhyo::core {

class RoomKeeping : Part {
 public:
  explicit RoomKeeping(const Parts& parts) : Part(parts) {}

  void keep(const Fact& fact) { rooms_.apply(fact); }
  void on(const RoomsRead& e);

  const Rooms& known() const { return rooms_; }
  std::string room_for(const Session& s, std::string_view game_name) const;
  std::string room_of(std::string_view game_name) const;  // that claims it, or the main one
  std::optional<StartPosition> room_start(const RoomRules& room) const;
  // What its games would lack: "there is no set 'tsec': load-positions". Empty: nothing.
  std::string lacks(const RoomRules& room) const;
  bool may_see(const Session& s, const GameOpened& opened) const;
  bool may_see(const Session& s, const Session& other) const;  // that the other is in a game
  void set_room(RoomSet fact);
  void close_room(RoomClosed fact);
  void wait_again(const std::vector<ConnId>& conns);
  void room_command(Session& s, const ClientLine& e, const csa::RoomCommand& c);
  // Its games, as far as `viewer` may see them (null: all), and who waits.
  std::pair<std::size_t, std::size_t> crowd_of(std::string_view room, const Session* viewer = nullptr) const;

 private:
  bool may_see(const Session& s, const Room& room) const;
  // Appends the fact, and moves those who wait to the rooms that claim their games then.
  void change_rooms(const std::string& name, const Fact& fact);
  void list_rooms(Session& s);
  void show_room(Session& s, std::string_view name);
  void join_room(Session& s, std::string_view name);

  Rooms rooms_;
};

}  // namespace fuhyo::core
