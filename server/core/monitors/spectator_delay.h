// How far behind a game its spectators see it, so that nobody can help a player by watching along. Values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/ids.h"

namespace fuhyo::core {

// One of the three at most; none: spectators see what happens as soon as it is durable.
struct SpectatorDelay {
  static constexpr std::int32_t kMostSeconds = 3600, kMostMoves = 100;

  std::int32_t seconds = 0;  // each fact is shown so long after it happened, the end as well
  std::int32_t moves = 0;    // the game is shown so many moves behind; once it is over, all of it
  bool hidden = false;       // until it is over, not even that there is a game
  bool operator==(const SpectatorDelay&) const = default;
};

// Of the games of a name; the first rule that fits a game name counts, as with EntryRule.
struct DelayRule {
  std::string games;  // a game name; * stands for any characters
  SpectatorDelay delay;
  bool operator==(const DelayRule&) const = default;
};
using DelayRules = std::vector<DelayRule>;
constexpr std::size_t kMostDelayRules = 64;  // each is a condition of every query of the archive

struct GameOpened;
SpectatorDelay delay_of(const DelayRules& rules, std::string_view game_name);
SpectatorDelay delay_of(const DelayRules& rules, const GameOpened& opened);  // what its room said comes first

// Until when spectators have seen how some games ended; the first entry that fits a game counts.
struct EndsSeen {
  std::string games;  // a game name; * stands for any characters
  Wall until;
  std::string room = {};         // instead of a name: all games of a room
  std::vector<GameId> ids = {};  // ... or these
  bool operator==(const EndsSeen&) const = default;
};
// As it is at `now`; empty: they have seen all that there are.
std::vector<EndsSeen> ends_seen(const DelayRules& rules, Wall now);

}  // namespace fuhyo::core
