#include "server/core/rating/roster.h"

#include <algorithm>

#include "server/core/rating/rated_id.h"

namespace fuhyo::core::rating {

Roster::Roster(const Games& games) {
  std::vector<std::optional<std::string>> rated;
  for (const std::string& id : games.players()) {
    rated.push_back(rated_id(id));
    if (rated.back()) ids_.push_back(*rated.back());
  }
  std::ranges::sort(ids_);
  const auto repeated = std::ranges::unique(ids_);
  ids_.erase(repeated.begin(), repeated.end());
  for (const auto& id : rated) {
    if (id)
      numbers_.emplace_back(static_cast<std::uint32_t>(std::ranges::lower_bound(ids_, *id) - ids_.begin()));
    else
      numbers_.emplace_back(std::nullopt);
  }
}

}  // namespace fuhyo::core::rating
