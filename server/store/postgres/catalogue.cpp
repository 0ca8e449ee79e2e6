#include "server/store/postgres/catalogue.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "server/core/position_key.h"
#include "server/store/catalogue/sql_catalogue.h"
#include "server/store/postgres/session.h"
#include "server/store/read_games.h"

namespace fuhyo::store {
namespace {

// The state of a statement that the server has ended because it took too long (PostgreSQL, appendix A).
constexpr std::string_view kCancelled = "57014";

SqlValue value_of(const PgRows& rows, int row, int column) {
  switch (static_cast<PgArray::Type>(rows.type(column))) {
    case PgArray::Type::bytes:
      return std::string(rows.bytes(row, column));
    case PgArray::Type::text:
      return rows.text(row, column);
    case PgArray::Type::real:
      return rows.real(row, column);
    case PgArray::Type::integer:
      break;
  }
  return rows.integer(row, column);
}

class PostgresQueryConnection final : public QueryConnection {
 public:
  PostgresQueryConnection(const PostgresAddress& address, const PostgresOptions& options)
      : session_(address, options, "fuhyo catalogue", PgUse::commits) {}

  Dialect dialect() const override { return Dialect::postgres; }
  core::Catalogue::Answer<std::vector<SqlRow>> run(const SqlQuery& query) override {
    const PgStatement statement{.name = "", .sql = query.sql().c_str()};
    PgParams params;
    for (const SqlValue& value : query.values()) {
      if (const auto* number = std::get_if<std::int64_t>(&value)) params.add(*number);
      if (const auto* number = std::get_if<double>(&value)) params.add_real(*number);
      if (const auto* text = std::get_if<std::string>(&value)) params.add_text(*text);
    }
    const auto answers = session_.run({{&statement, std::move(params)}});
    if (!answers && answers.error().state == kCancelled) return too_long();
    if (!answers) return std::unexpected(core::Catalogue::Fault{in_words(answers.error())});
    const PgRows& found = answers->front();
    std::vector<SqlRow> rows;
    for (int row = 0; row < found.size(); ++row) {
      SqlRow& values = rows.emplace_back();
      for (int column = 0; column < found.columns(); ++column) values.push_back(value_of(found, row, column));
    }
    return rows;
  }

 private:
  LastingSession session_;
};

constexpr PgStatement kOldestLive{"oldest_live", kOldestLiveGame};
constexpr PgStatement kUnplaced{
    "unplaced",
    "SELECT game, start_sfen, moves FROM game AS g WHERE game > $1::bigint AND room <> 'demo'"
    " AND NOT EXISTS (SELECT FROM placed WHERE placed.game = g.game)"
    " ORDER BY game LIMIT $2::bigint"};
constexpr PgStatement kPlace{"place",
                             "INSERT INTO occurrence SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[])"};
constexpr PgStatement kPlaced{"placed", "INSERT INTO placed SELECT * FROM unnest($1::bigint[], $2::text[])"};

class PostgresPositionIndex final : public PositionIndex {
 public:
  PostgresPositionIndex(const PostgresAddress& address, const PostgresOptions& options)
      : session_(address, options, "fuhyo positions", PgUse::commits) {}

  std::expected<std::size_t, std::string> take_in(std::size_t most) override {
    auto taken = take(most);
    if (!taken) return refuse(taken.error());
    return *taken;
  }

 private:
  PgResult<std::size_t> take(std::size_t most) {
    PgParams which;
    which.add(upto_).add(static_cast<std::int64_t>(most));
    const auto answers = session_.run({{&kOldestLive, {}}, {&kUnplaced, std::move(which)}});  // of one moment
    if (!answers) return std::unexpected(answers.error());
    const PgRows& rows = (*answers)[1];
    if (rows.size() > 0) {
      if (auto put_in = put(rows); !put_in) return std::unexpected(put_in.error());
    }
    const auto taken = static_cast<std::size_t>(rows.size());
    const std::int64_t last = taken > 0 ? rows.integer(rows.size() - 1, 0) : upto_;
    const std::int64_t over = (*answers)[0].integer(0, 0) - 1;
    upto_ = taken < most ? over : std::min(over, last);
    return taken;
  }
  PgResult<std::vector<PgRows>> put(const PgRows& rows) {
    PgArray keys(PgArray::Type::integer), of(PgArray::Type::integer), moves(PgArray::Type::text);
    PgArray games(PgArray::Type::integer), openings(PgArray::Type::text);
    for (int row = 0; row < rows.size(); ++row) {
      const std::int64_t game = rows.integer(row, 0);
      const std::string start_sfen = rows.text(row, 1), played = rows.text(row, 2);
      games.add(game);
      openings.add_text(core::opening_of(start_sfen, played));
      for (const core::Occurrence& position : core::occurrences(start_sfen, played)) {
        keys.add(position.key);
        of.add(game);
        moves.add_text(position.move);
      }
    }
    std::vector<PgCommand> commands{{&kPlace, {}}, {&kPlaced, {}}};  // together they are one transaction
    commands[0].params.add(keys).add(of).add(moves);
    commands[1].params.add(games).add(openings);
    return session_.run(commands);
  }

  LastingSession session_;
  std::int64_t upto_ = 0;  // every game up to here is over and was taken in
};

}  // namespace

std::expected<std::unique_ptr<core::Catalogue>, std::string> open_postgres_catalogue(const PostgresAddress& address,
                                                                                     const PostgresOptions& options) {
  return std::make_unique<SqlCatalogue>(std::make_unique<PostgresQueryConnection>(address, options));
}

std::expected<std::unique_ptr<PositionIndex>, std::string> open_postgres_positions(const PostgresAddress& address,
                                                                                   const PostgresOptions& options) {
  return std::make_unique<PostgresPositionIndex>(address, options);
}

}  // namespace fuhyo::store
