// What ratings read of the archive, and the history that they keep there: rated games that are over, and rates a day.
// On a connection of its own, beside the journal's writer, which it never makes wait for a disk. One thread at a time.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <vector>

#include "server/core/rating/games.h"
#include "server/core/rating/history.h"

namespace fuhyo::store {

class RatingArchive {
 public:
  virtual ~RatingArchive() = default;

  // Adds the games that have ended since the last call: of the main room, rated, between players with a trip, with a
  // result.
  virtual std::expected<void, std::string> read_new_games(core::rating::Games& games) = 0;

  // The newest day before this one that has rates, "2026-11-21"; empty: none has.
  virtual std::expected<std::string, std::string> last_day_before(const std::string& day) = 0;
  // The rates of a day in place of those that it had.
  virtual std::expected<void, std::string> write_day(const std::string& day, const core::rating::RatedDay& rates) = 0;
  // The rates of a player by day, oldest first, of at most the newest `limit` days.
  struct DayRate {
    std::string day;
    double rate = 0, error = 0;
    bool operator==(const DayRate&) const = default;
  };
  virtual std::expected<std::vector<DayRate>, std::string> days_of(const std::string& player, std::size_t limit) = 0;
};

}  // namespace fuhyo::store
