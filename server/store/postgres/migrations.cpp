#include "server/store/postgres/migrations.h"

#include <fmt/format.h>
#include <utility>
#include <vector>

namespace fuhyo::store {
namespace {

constexpr PgStatement kTables{
    "tables",
    "SELECT count(*), count(*) FILTER (WHERE relname = 'fuhyo_migration') FROM pg_class"
    " WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')"};
constexpr PgStatement kApplied{"applied", "SELECT number, name, checksum FROM fuhyo_migration ORDER BY number"};

constexpr const char* kClaim =
    "CREATE TABLE fuhyo_migration (number bigint PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,"
    " applied_at timestamptz NOT NULL DEFAULT now())";

// True: it is ours. False: it is empty.
std::expected<bool, std::string> is_ours(PgConnection& connection) {
  auto row = connection.run(kTables);
  if (!row) return refuse(row.error());
  if (row->integer(0, 1) == 1) return true;
  if (row->integer(0, 0) != 0) {
    return std::unexpected("holds tables of another program: this one needs a database, or a schema, of its own");
  }
  return false;
}

std::expected<std::vector<AppliedMigration>, std::string> applied_migrations(PgConnection& connection) {
  auto rows = connection.run(kApplied);
  if (!rows) return refuse(rows.error());
  std::vector<AppliedMigration> all;
  for (int i = 0; i < rows->size(); ++i) all.push_back({rows->integer(i, 0), rows->text(i, 1), rows->text(i, 2)});
  return all;
}

// The names and checksums are ours and need no quoting.
PgResult<void> apply(PgConnection& connection, std::size_t number, const Migration& migration) {
  return connection.run_script(
      fmt::format("BEGIN;\n{}\nINSERT INTO fuhyo_migration (number, name, checksum) VALUES ({}, '{}', '{}');\nCOMMIT",
                  migration.sql, number, migration.name, checksum(migration.sql)));
}

}  // namespace

std::expected<std::size_t, std::string> migrations_done(PgConnection& connection,
                                                        std::span<const Migration> migrations) {
  const auto ours = is_ours(connection);
  if (!ours) return std::unexpected(ours.error());
  if (!*ours) return 0;
  const auto applied = applied_migrations(connection);
  if (!applied) return std::unexpected(applied.error());
  return check_applied(*applied, migrations);
}

std::expected<std::size_t, std::string> migrate(PgConnection& connection, std::span<const Migration> migrations) {
  const auto ours = is_ours(connection);
  if (!ours) return std::unexpected(ours.error());
  if (!*ours) {
    if (auto claimed = connection.run_script(kClaim); !claimed) return refuse(claimed.error());
  }
  const auto done = migrations_done(connection, migrations);
  if (!done) return done;
  for (std::size_t i = *done; i < migrations.size(); ++i) {
    if (auto applied = apply(connection, i + 1, migrations[i]); !applied) {
      return std::unexpected(fmt::format("migration {} failed: {}", migrations[i].name, in_words(applied.error())));
    }
  }
  return migrations.size() - *done;
}

}  // namespace fuhyo::store
