// The players of a list of games by their rated ids: several ids may be one player, and some are nobody. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/core/rating/games.h"

namespace fuhyo::core::rating {

class Roster {
 public:
  explicit Roster(const Games& games);
  // The number of the player who is listed so, counted in the order of rated ids; nothing: not to be rated.
  std::optional<std::uint32_t> rated(PlayerIndex listed) const { return numbers_[listed]; }
  const std::vector<std::string>& ids() const { return ids_; }  // ascending

 private:
  std::vector<std::string> ids_;
  std::vector<std::optional<std::uint32_t>> numbers_;
};

}  // namespace fuhyo::core::rating
