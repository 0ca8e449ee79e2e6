// Ratings of a SQLite file. Their few rows are synced with the journal's next commit.
#pragma once

#include <memory>
#include <utility>

#include "server/store/rating_archive.h"
#include "server/store/read_games.h"
#include "server/store/sqlite/database.h"
#include "server/store/sqlite/options.h"

namespace fuhyo::store {

class SqliteRatingArchive : public RatingArchive {
 public:
  static std::expected<std::unique_ptr<RatingArchive>, std::string> open(const SqliteOptions& options);

  std::expected<void, std::string> read_new_games(core::rating::Games& games) override;
  std::expected<std::string, std::string> last_day_before(const std::string& day) override;
  std::expected<void, std::string> write_day(const std::string& day, const core::rating::RatedDay& rates) override;
  std::expected<std::vector<DayRate>, std::string> days_of(const std::string& player, std::size_t limit) override;

 private:
  explicit SqliteRatingArchive(Database db) : db_(std::move(db)) {}
  SqliteResult<void> read_rows(core::rating::Games& games);
  SqliteResult<void> write_rows(const std::string& day, const core::rating::RatedDay& rates);

  Database db_;
  ReadGames read_;
};

}  // namespace fuhyo::store
