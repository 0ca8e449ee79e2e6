#include "server/store/sqlite/rating_archive.h"

#include <algorithm>
#include <utility>

#include "server/store/words.h"

namespace fuhyo::store {

std::expected<std::unique_ptr<RatingArchive>, std::string> SqliteRatingArchive::open(const SqliteOptions& options) {
  auto db = Database::open(options.file, Database::Access::write, options.vfs, options.busy_ms);
  if (!db) return refuse(db.error());
  // Checkpoints are the journal's; and a sync under the write lock would make moves wait.
  if (auto set = db->run("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = NORMAL"); !set)
    return refuse(set.error());
  return std::unique_ptr<RatingArchive>(new SqliteRatingArchive(std::move(*db)));
}

std::expected<void, std::string> SqliteRatingArchive::read_new_games(core::rating::Games& games) {
  if (auto begun = db_.run("BEGIN"); !begun) return refuse(begun.error());
  auto read = read_rows(games);
  db_.roll_back();  // it only read
  return in_words(read);
}

SqliteResult<void> SqliteRatingArchive::read_rows(core::rating::Games& games) {
  const auto oldest_live = db_.integer(kOldestLiveGame);
  if (!oldest_live) return std::unexpected(oldest_live.error());
  auto rows = db_.prepare(
      "SELECT game, black_id, white_id, outcome, end_kind = 'abnormal', plies, ended_us FROM game"
      " WHERE game > ? AND rated = 1 AND room <> 'demo' AND black_id <> '' AND white_id <> '' AND outcome <> 'none'"
      " ORDER BY game");
  if (!rows) return std::unexpected(rows.error());
  rows->bind(1, read_.upto());
  for (;;) {
    const auto row = rows->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    if (!read_.take(rows->integer(0))) continue;
    const core::rating::PlayerIndex black = games.player(rows->bytes(1)), white = games.player(rows->bytes(2));
    games.add({.black = black,
               .white = white,
               .score = score_of(rows->bytes(3)),
               .abnormal = rows->integer(4) != 0,
               .plies = static_cast<std::int32_t>(rows->integer(5)),
               .ended = {rows->integer(6)}});
  }
  read_.oldest_live(*oldest_live);
  return {};
}

std::expected<std::string, std::string> SqliteRatingArchive::last_day_before(const std::string& day) {
  auto row = db_.prepare("SELECT coalesce(max(day), '') FROM rating WHERE day < ?");
  if (!row) return refuse(row.error());
  const auto found = row->bind_text(1, day).step();
  if (!found) return refuse(found.error());
  return std::string(row->bytes(0));
}

std::expected<void, std::string> SqliteRatingArchive::write_day(const std::string& day,
                                                                const core::rating::RatedDay& rates) {
  if (auto begun = db_.run("BEGIN IMMEDIATE"); !begun) return refuse(begun.error());
  auto written = write_rows(day, rates);
  if (written) written = db_.run("COMMIT");
  if (!written) db_.roll_back();
  return in_words(written);
}

SqliteResult<void> SqliteRatingArchive::write_rows(const std::string& day, const core::rating::RatedDay& rates) {
  auto clear = db_.prepare("DELETE FROM rating WHERE day = ?");
  if (!clear) return std::unexpected(clear.error());
  if (auto cleared = clear->bind_text(1, day).run(); !cleared) return cleared;
  auto row = db_.prepare("INSERT INTO rating (day, player, rate, error) VALUES (?, ?, ?, ?)");
  if (!row) return std::unexpected(row.error());
  for (const auto& [player, rate] : rates.rates) {
    row->bind_text(1, day).bind_text(2, player).bind_real(3, rate.rate).bind_real(4, rate.error);
    if (auto added = row->run(); !added) return added;
  }
  return {};
}

std::expected<std::vector<RatingArchive::DayRate>, std::string> SqliteRatingArchive::days_of(const std::string& player,
                                                                                             std::size_t limit) {
  auto rows = db_.prepare("SELECT day, rate, error FROM rating WHERE player = ? ORDER BY day DESC LIMIT ?");
  if (!rows) return refuse(rows.error());
  rows->bind_text(1, player).bind(2, static_cast<std::int64_t>(limit));
  std::vector<DayRate> days;
  for (;;) {
    const auto row = rows->step();
    if (!row) return refuse(row.error());
    if (!*row) break;
    days.push_back({std::string(rows->bytes(0)), rows->real(1), rows->real(2)});
  }
  std::ranges::reverse(days);
  return days;
}

}  // namespace fuhyo::store
