#include "server/store/postgres/rating_archive.h"

#include <algorithm>
#include <limits>

#include "server/store/words.h"

namespace fuhyo::store {
namespace {

constexpr std::int64_t kPortion = 5'000;  // games at a time: an answer is in memory as a whole
constexpr PgStatement kOldestLive{"oldest_live", kOldestLiveGame};
constexpr PgStatement kNewGames{
    "new_games",
    "SELECT game, black_id, white_id, outcome, end_kind = 'abnormal', plies, ended_us FROM game"
    " WHERE game > $1::bigint AND rated AND room <> 'demo' AND black_id <> '' AND white_id <> '' AND outcome <> 'none'"
    " ORDER BY game LIMIT $2::bigint"};
constexpr PgStatement kLastDay{"last_day",
                               "SELECT coalesce(max(day COLLATE \"C\"), '') FROM rating WHERE day COLLATE \"C\" < $1"};
constexpr PgStatement kClearDay{"clear_day", "DELETE FROM rating WHERE day = $1::text"};
constexpr PgStatement kWriteDay{"write_day",
                                "INSERT INTO rating (day, player, rate, error) SELECT $1::text, player, rate, error"
                                " FROM unnest($2::text[], $3::double precision[], $4::double precision[])"
                                " AS rated (player, rate, error)"};
constexpr PgStatement kDaysOf{"days_of",
                              "SELECT day, rate, error FROM rating WHERE player = $1::text"
                              " ORDER BY day COLLATE \"C\" DESC LIMIT $2::bigint"};

}  // namespace

std::expected<std::unique_ptr<RatingArchive>, std::string> PostgresRatingArchive::open(const PostgresAddress& address,
                                                                                       const PostgresOptions& options) {
  std::unique_ptr<PostgresRatingArchive> archive(new PostgresRatingArchive(address, options));
  if (auto works = archive->last_day_before(""); !works) return std::unexpected(works.error());
  return archive;
}

std::expected<std::vector<PgRows>, std::string> PostgresRatingArchive::run(const std::vector<PgCommand>& commands) {
  auto rows = session_.run(commands);
  if (!rows) return refuse(rows.error());
  return std::move(*rows);
}

std::expected<void, std::string> PostgresRatingArchive::read_new_games(core::rating::Games& games) {
  // Before the games: what was over then is among them.
  const auto oldest_live = run({{&kOldestLive, {}}});
  if (!oldest_live) return std::unexpected(oldest_live.error());
  for (std::int64_t after = read_.upto();;) {
    PgCommand command{.statement = &kNewGames, .params = {}};
    command.params.add(after).add(kPortion);
    const auto answers = run({std::move(command)});
    if (!answers) return std::unexpected(answers.error());
    const PgRows& rows = answers->front();
    take(rows, games);
    if (rows.size() < kPortion) break;
    after = rows.integer(rows.size() - 1, 0);
  }
  read_.oldest_live(oldest_live->front().integer(0, 0));
  return {};
}

void PostgresRatingArchive::take(const PgRows& rows, core::rating::Games& games) {
  for (int row = 0; row < rows.size(); ++row) {
    if (!read_.take(rows.integer(row, 0))) continue;
    const core::rating::PlayerIndex black = games.player(rows.text(row, 1)), white = games.player(rows.text(row, 2));
    games.add({.black = black,
               .white = white,
               .score = score_of(rows.bytes(row, 3)),
               .abnormal = rows.integer(row, 4) != 0,
               .plies = static_cast<std::int32_t>(rows.integer(row, 5)),
               .ended = {rows.integer(row, 6)}});
  }
}

std::expected<std::string, std::string> PostgresRatingArchive::last_day_before(const std::string& day) {
  PgCommand command{.statement = &kLastDay, .params = {}};
  command.params.add_text(day);
  auto rows = run({std::move(command)});
  if (!rows) return std::unexpected(rows.error());
  return rows->front().text(0, 0);
}

std::expected<void, std::string> PostgresRatingArchive::write_day(const std::string& day,
                                                                  const core::rating::RatedDay& rates) {
  PgArray players(PgArray::Type::text), values(PgArray::Type::real), errors(PgArray::Type::real);
  for (const auto& [player, rate] : rates.rates) {
    players.add_text(player);
    values.add_real(rate.rate);
    errors.add_real(rate.error);
  }
  std::vector<PgCommand> commands;
  for (const PgStatement* statement : {&kBegin, &kClearDay, &kWriteDay, &kCommit}) commands.push_back({statement, {}});
  commands[1].params.add_text(day);
  commands[2].params.add_text(day).add(players).add(values).add(errors);
  auto written = run(std::move(commands));
  if (!written) return std::unexpected(written.error());
  return {};
}

std::expected<std::vector<RatingArchive::DayRate>, std::string> PostgresRatingArchive::days_of(
    const std::string& player, std::size_t limit) {
  PgCommand command{.statement = &kDaysOf, .params = {}};
  command.params.add_text(player);
  command.params.add(static_cast<std::int64_t>(std::min<std::size_t>(limit, std::numeric_limits<std::int64_t>::max())));
  auto rows = run({std::move(command)});
  if (!rows) return std::unexpected(rows.error());
  std::vector<DayRate> days;
  const PgRows& found = rows->front();
  for (int row = found.size(); row-- > 0;) {
    days.push_back({found.text(row, 0), found.real(row, 1), found.real(row, 2)});
  }
  return days;
}

}  // namespace fuhyo::store
