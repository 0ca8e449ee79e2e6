// A player who waits for a game. A value.
#pragma once

#include <string>

namespace fuhyo::core {

struct Waiter {
  std::string room, game_name;
  std::string name, id;  // as in Seat
  bool builtin = false;
  bool operator==(const Waiter&) const = default;
};

}  // namespace fuhyo::core
