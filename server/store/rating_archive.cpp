#include "server/store/rating_archive.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace fuhyo::store {
namespace {

using core::rating::Score;

std::unexpected<std::string> refuse(const SqliteError& error) {
  return std::unexpected(fmt::format("{} (SQLite {})", error.message, error.code));
}

template <class Value>
std::expected<Value, std::string> in_words(SqliteResult<Value> result) {
  if (!result) return refuse(result.error());
  return std::move(*result);
}

std::expected<void, std::string> in_words(const SqliteResult<void>& result) {
  if (!result) return refuse(result.error());
  return {};
}

Score score_of(std::string_view outcome) {
  if (outcome == "draw") return Score::draw;
  return outcome == "black_wins" ? Score::black_wins : Score::white_wins;
}

}  // namespace

std::expected<std::unique_ptr<RatingArchive>, std::string> RatingArchive::open(const SqliteOptions& options) {
  auto db = Database::open(options.file, Database::Access::write, options.vfs, options.busy_ms);
  if (!db) return refuse(db.error());
  // Checkpoints are the journal's; and a sync under the write lock would make moves wait.
  if (auto set = db->run("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = NORMAL"); !set)
    return refuse(set.error());
  return std::unique_ptr<RatingArchive>(new RatingArchive(std::move(*db)));
}

std::expected<void, std::string> RatingArchive::read_new_games(core::rating::Games& games) {
  if (auto begun = db_.run("BEGIN"); !begun) return refuse(begun.error());
  auto read = read_rows(games);
  db_.roll_back();  // it only read
  return in_words(read);
}

SqliteResult<void> RatingArchive::read_rows(core::rating::Games& games) {
  // Games end in another order than they begin: below the oldest one that is not over nothing is missing.
  const auto oldest_live =
      db_.integer("SELECT coalesce((SELECT min(game) FROM live), (SELECT last_game + 1 FROM used))");
  if (!oldest_live) return std::unexpected(oldest_live.error());
  auto rows = db_.prepare(
      "SELECT game, black_id, white_id, outcome, end_kind = 'abnormal', plies, ended_us FROM game"
      " WHERE game > ? AND rated = 1 AND room = 'main' AND black_id <> '' AND white_id <> '' AND outcome <> 'none'"
      " ORDER BY game");
  if (!rows) return std::unexpected(rows.error());
  rows->bind(1, read_upto_);
  for (;;) {
    const auto row = rows->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    if (!read_.insert(rows->integer(0)).second) continue;
    const core::rating::PlayerIndex black = games.player(rows->bytes(1)), white = games.player(rows->bytes(2));
    games.add({.black = black,
               .white = white,
               .score = score_of(rows->bytes(3)),
               .abnormal = rows->integer(4) != 0,
               .plies = static_cast<std::int32_t>(rows->integer(5)),
               .ended = {rows->integer(6)}});
  }
  read_upto_ = std::max(read_upto_, *oldest_live - 1);
  std::erase_if(read_, [this](std::int64_t game) { return game <= read_upto_; });
  return {};
}

std::expected<std::string, std::string> RatingArchive::last_day_before(const std::string& day) {
  auto row = db_.prepare("SELECT coalesce(max(day), '') FROM rating WHERE day < ?");
  if (!row) return refuse(row.error());
  const auto found = row->bind_text(1, day).step();
  if (!found) return refuse(found.error());
  return std::string(row->bytes(0));
}

std::expected<void, std::string> RatingArchive::write_day(const std::string& day, const core::rating::RatedDay& rates) {
  if (auto begun = db_.run("BEGIN IMMEDIATE"); !begun) return refuse(begun.error());
  auto written = write_rows(day, rates);
  if (written) written = db_.run("COMMIT");
  if (!written) db_.roll_back();
  return in_words(written);
}

SqliteResult<void> RatingArchive::write_rows(const std::string& day, const core::rating::RatedDay& rates) {
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

std::expected<std::vector<RatingArchive::DayRate>, std::string> RatingArchive::days_of(const std::string& player,
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
