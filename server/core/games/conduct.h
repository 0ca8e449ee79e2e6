// What ratings do not show about players: games that they aborted, games that they left, rated games against somebody
// of the same network. In memory since the start, bounded. Who has aborted several games recently cools down: nobody is
// paired with him for a while. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "server/core/ids.h"

namespace fuhyo::core {

struct ConductLimits {
  // A refused pairing, or two, is a change of mind; the third within this time is a choice of opponents or colours.
  std::size_t free_aborts = 2;
  std::int64_t counted_us = 600 * kSecond;
  // How long nobody is paired with him after that, and after each further one: longer than it takes others to be
  // paired.
  std::int64_t cool_down_us = 60 * kSecond;
  std::size_t players = 10'000;  // who has done nothing for longest is forgotten first
};

class Conduct {
 public:
  explicit Conduct(const ConductLimits& limits) : limits_(limits) {}

  struct Player {
    std::size_t aborted = 0;       // games that he aborted
    std::size_t abandoned = 0;     // games lost by leaving
    std::size_t same_network = 0;  // rated games against a player of the same network
    std::deque<Instant> late;      // the newest aborted ones, as many as a cool-down takes
    Instant last;
  };

  // `id`: the name with its trip, or the name alone.
  void aborted(std::string_view id, Instant now);
  void abandoned(std::string_view id, Instant now);
  void met_neighbour(std::string_view id, Instant now);

  // How long nobody is paired with him; 0: he may be.
  std::int64_t cools_us(std::string_view id, Instant now) const;

  const std::map<std::string, Player, std::less<>>& players() const { return players_; }

 private:
  Player& touch(std::string_view id, Instant now);

  ConductLimits limits_;
  std::map<std::string, Player, std::less<>> players_;
};

}  // namespace fuhyo::core
