// Ratings of a PostgreSQL database. A connection that was lost is made anew with the next call.
#pragma once

#include <memory>
#include <utility>

#include "server/store/postgres/address.h"
#include "server/store/postgres/connection.h"
#include "server/store/postgres/options.h"
#include "server/store/postgres/session.h"
#include "server/store/rating_archive.h"
#include "server/store/read_games.h"

namespace fuhyo::store {

class PostgresRatingArchive : public RatingArchive {
 public:
  static std::expected<std::unique_ptr<RatingArchive>, std::string> open(const PostgresAddress& address,
                                                                         const PostgresOptions& options);

  std::expected<void, std::string> read_new_games(core::rating::Games& games) override;
  std::expected<std::string, std::string> last_day_before(const std::string& day) override;
  std::expected<void, std::string> write_day(const std::string& day, const core::rating::RatedDay& rates) override;
  std::expected<std::vector<DayRate>, std::string> days_of(const std::string& player, std::size_t limit) override;

 private:
  PostgresRatingArchive(PostgresAddress address, const PostgresOptions& options)
      : session_(std::move(address), options, "fuhyo ratings", PgUse::reads) {}
  std::expected<std::vector<PgRows>, std::string> run(const std::vector<PgCommand>& commands);
  void take(const PgRows& rows, core::rating::Games& games);

  LastingSession session_;
  ReadGames read_;
};

}  // namespace fuhyo::store
