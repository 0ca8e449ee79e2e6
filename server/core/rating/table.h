// The ratings that the server knows at a time: what %%RATING lists, what record files state, what pairing goes by.
// Computed or read outside of the core and handed to it whole, as a value. Pure; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "server/core/ids.h"

namespace fuhyo::core {

// Group of the players who have games and no rating yet; their rate is 0 (shogi-server's players.yaml).
constexpr std::int32_t kUnratedGroup = 999;

struct PlayerRating {
  std::string name;          // the id without its trip
  double rate = 0;           // points; shogi-server's are whole numbers
  std::int32_t group = 0;    // rates of different groups say nothing about each other; 0 is the largest group
  double win = 0, loss = 0;  // games, weighted by their age; a draw is half of each
  Wall last_modified;        // end of the newest game that counted
  bool operator==(const PlayerRating&) const = default;
};

struct PlayerRatings {
  std::map<std::string, PlayerRating, std::less<>> players;  // by id, as rated_id() makes it

  // The player with this id (name+trip, as logged in); null if there is none. "name@place+trip" is "name+trip".
  const PlayerRating* find(std::string_view id) const;
  bool operator==(const PlayerRatings&) const = default;
};

}  // namespace fuhyo::core
