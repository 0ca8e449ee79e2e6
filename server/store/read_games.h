// How games are gone through.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>

namespace fuhyo::store {

// The oldest game that is not over, or the next one: all before it are.
constexpr const char* kOldestLiveGame =
    "SELECT coalesce((SELECT min(game) FROM live), (SELECT last_game + 1 FROM used))";

// "WITH RECURSIVE name(n, nth) ..": the different names of games, each found by a look into their index, numbered from
// 1 on; the last one is NULL. At most so many.
inline std::string each_game_name(std::int64_t most = INT64_MAX) {
  return "WITH RECURSIVE name(n, nth) AS (SELECT min(game_name), CAST(1 AS bigint) FROM game UNION ALL"
         " SELECT (SELECT min(game_name) FROM game WHERE game_name > name.n), nth + 1 FROM name"
         " WHERE n IS NOT NULL AND nth < " +
         std::to_string(most) + ")";
}

// Which games ratings have read already: games end in another order than they begin. A value.
class ReadGames {
 public:
  // Every game up to here is over and was read.
  std::int64_t upto() const { return upto_; }
  // False: it was read before.
  bool take(std::int64_t game) { return later_.insert(game).second; }
  // Below the oldest game that is not over nothing is missing.
  void oldest_live(std::int64_t game) {
    upto_ = std::max(upto_, game - 1);
    std::erase_if(later_, [this](std::int64_t other) { return other <= upto_; });
  }

 private:
  std::int64_t upto_ = 0;
  std::unordered_set<std::int64_t> later_;  // games after it that were read: they ended before an older one
};

}  // namespace fuhyo::store
