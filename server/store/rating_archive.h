// What ratings read of the archive, and the history that they keep there: rated games that are over, and rates a day.
// On a connection of its own, beside the journal's writer, which it never makes wait for a disk: its few rows are
// synced with the journal's next commit. One thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "server/core/rating/games.h"
#include "server/core/rating/history.h"
#include "server/store/sqlite.h"
#include "server/store/sqlite_options.h"

namespace fuhyo::store {

class RatingArchive {
 public:
  // The file must have been opened by a journal before.
  static std::expected<std::unique_ptr<RatingArchive>, std::string> open(const SqliteOptions& options);

  // Adds the games that have ended since the last call: of the main room, rated, between players with a trip, with a
  // result.
  std::expected<void, std::string> read_new_games(core::rating::Games& games);

  // The newest day before this one that has rates, "2026-11-21"; empty: none has.
  std::expected<std::string, std::string> last_day_before(const std::string& day);
  // The rates of a day in place of those that it had.
  std::expected<void, std::string> write_day(const std::string& day, const core::rating::RatedDay& rates);
  // The rates of a player by day, oldest first, of at most the newest `limit` days.
  struct DayRate {
    std::string day;
    double rate = 0, error = 0;
    bool operator==(const DayRate&) const = default;
  };
  std::expected<std::vector<DayRate>, std::string> days_of(const std::string& player, std::size_t limit);

 private:
  explicit RatingArchive(Database db) : db_(std::move(db)) {}
  SqliteResult<void> read_rows(core::rating::Games& games);
  SqliteResult<void> write_rows(const std::string& day, const core::rating::RatedDay& rates);

  Database db_;
  std::int64_t read_upto_ = 0;             // every game up to here is over and was read
  std::unordered_set<std::int64_t> read_;  // games after it that were read: they ended before an older one
};

}  // namespace fuhyo::store
