#include "server/core/rating/games.h"

namespace fuhyo::core::rating {

PlayerIndex Games::player(std::string_view id) {
  if (const auto found = numbers_.find(id); found != numbers_.end()) return found->second;
  const auto number = static_cast<PlayerIndex>(players_.size());
  players_.emplace_back(id);
  numbers_.emplace(id, number);
  return number;
}

}  // namespace fuhyo::core::rating
