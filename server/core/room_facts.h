// The facts of what games to come begin by: rooms, buoys, sets of positions, rounds of floodgate. Values; see facts.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/core/ids.h"

namespace fuhyo::core {

// A buoy: a start position under a game name, good for `count` more games. A later one of the same name replaces it.
struct BuoySet {
  std::string name;   // a game name, "buoy_foo-1500-0"
  std::string owner;  // player name of who set it
  std::int32_t count = 0;
  std::string start_sfen;
  std::vector<std::string> moves;  // "+7776FU,T1"
  std::string set;                 // the set that it belongs to; empty: none
  std::string title, comment;
  Wall at;
  bool operator==(const BuoySet&) const = default;
};

struct BuoyDeleted {  // used up, or taken away
  std::string name;
  std::string by;  // player name; empty: its last game began
  Wall at;
  bool operator==(const BuoyDeleted&) const = default;
};

// A set of start positions was loaded (or, with an empty text, taken away): rounds draw from it in turn.
struct PositionSetLoaded {
  std::string name;
  std::string by;
  std::string text;  // what read_position_set() reads
  Wall at;
  bool operator==(const PositionSetLoaded&) const = default;
};

// A floodgate round was paired.
struct RoundHeld {
  std::string group;  // game name
  std::int64_t number = 0;
  std::vector<std::string> games;  // "<black id> <white id>"
  std::vector<std::string> sat_out;
  Wall at;
  bool operator==(const RoundHeld&) const = default;
};

// The second game of two who play both colours, which is still to come.
struct OwedGame {
  std::string black, white;  // ids
  std::int64_t round = 0;    // that it is of
  bool operator==(const OwedGame&) const = default;
};

// The games and players that the rounds of a group still owe; stored whenever that changes.
struct RoundOwes {
  std::string group;  // game name
  std::vector<OwedGame> games;
  std::vector<std::string> players;  // ids of those whom the newest round has given no game
  Wall at;
  bool operator==(const RoundOwes&) const = default;
};

// A room as it is from now on, for games to come.
struct RoomSet {
  std::string name;
  std::vector<std::string> settings;  // "games=club-*": what read_room() reads
  bool of_file = false;               // a file of the host sets it, and commands cannot change it
  std::string by, why;
  Wall at;
  bool operator==(const RoomSet&) const = default;
};

struct RoomClosed {  // its games go on
  std::string name;
  std::string by, why;
  Wall at;
  bool operator==(const RoomClosed&) const = default;
};

}  // namespace fuhyo::core
