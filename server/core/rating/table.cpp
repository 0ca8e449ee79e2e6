#include "server/core/rating/table.h"

#include "server/core/rating/rated_id.h"

namespace fuhyo::core {

const PlayerRating* PlayerRatings::find(std::string_view id) const {
  if (const auto exact = players.find(id); exact != players.end()) return &exact->second;
  const auto rated = rating::rated_id(id);
  if (!rated) return nullptr;
  const auto found = players.find(*rated);
  return found == players.end() ? nullptr : &found->second;
}

}  // namespace fuhyo::core
