#include "engines/jobs/postgres/migrations.h"

#include <fmt/format.h>

#include "engines/jobs/fingerprint.h"

namespace fuhyo::jobs {
namespace {

// Of this schema, among all locks that programs agree upon.
constexpr const char* kLock = "SELECT pg_advisory_xact_lock(hashtextextended('fuhyo_jobs', 0))";

constexpr const char* kClaim =
    "CREATE SCHEMA IF NOT EXISTS fuhyo_jobs;"
    "CREATE TABLE IF NOT EXISTS fuhyo_jobs.migration (number bigint PRIMARY KEY, name text NOT NULL,"
    " checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())";

// Against mistakes, not against malice.
std::string checksum(std::string_view text) {
  Fingerprint print;
  print.add(text);
  return print.text();
}

std::unexpected<PgFailure> refuse(std::string why) { return std::unexpected(PgFailure{std::move(why), false}); }

// How many the schema has been through.
PgResult<std::size_t> done(Connection& connection, std::span<const Migration> migrations) {
  const auto there = has_schema(connection);
  if (!there) return std::unexpected(there.error());
  if (!*there) return 0;
  const auto rows = connection.run("SELECT number, name, checksum FROM fuhyo_jobs.migration ORDER BY number");
  if (!rows) return std::unexpected(rows.error());
  for (int row = 0; row < rows->size(); ++row) {
    const auto at = static_cast<std::size_t>(row);
    if (at >= migrations.size()) {
      return refuse(
          fmt::format("the schema fuhyo_jobs was written by a newer program: it has migration {}", rows->text(row, 1)));
    }
    const Migration& ours = migrations[at];
    if (rows->number(row, 0) != row + 1 || rows->text(row, 1) != ours.name ||
        rows->text(row, 2) != checksum(ours.sql)) {
      return refuse(fmt::format("the schema fuhyo_jobs has migration {}, which differs from this program's {}",
                                rows->text(row, 1), ours.name));
    }
  }
  return static_cast<std::size_t>(rows->size());
}

// In an open transaction. The names and checksums are ours and need no quoting.
PgResult<std::size_t> apply(Connection& connection, std::span<const Migration> migrations) {
  if (auto locked = connection.run(kLock); !locked) return std::unexpected(locked.error());
  if (auto claimed = connection.run_script(kClaim); !claimed) return std::unexpected(claimed.error());
  const auto before = done(connection, migrations);
  if (!before) return before;
  for (std::size_t i = *before; i < migrations.size(); ++i) {
    const Migration& next = migrations[i];
    const auto applied = connection.run_script(
        fmt::format("{}\n;INSERT INTO fuhyo_jobs.migration (number, name, checksum) VALUES ({}, '{}', '{}')", next.sql,
                    i + 1, next.name, checksum(next.sql)));
    if (!applied) {
      return std::unexpected(
          PgFailure{fmt::format("migration {} failed: {}", next.name, applied.error().message), applied.error().lost});
    }
  }
  return migrations.size() - *before;
}

}  // namespace

PgResult<bool> has_schema(Connection& connection) {
  const auto there = connection.run("SELECT to_regclass('fuhyo_jobs.migration') IS NOT NULL");
  if (!there) return std::unexpected(there.error());
  return there->flag(0, 0);
}

PgResult<std::size_t> migrate(Connection& connection, std::span<const Migration> migrations) {
  const auto before = done(connection, migrations);
  if (!before) return before;
  if (*before == migrations.size()) return 0;
  if (auto begun = connection.run_script("BEGIN"); !begun) return std::unexpected(begun.error());
  auto taken = apply(connection, migrations);
  const auto ended = connection.run_script(taken ? "COMMIT" : "ROLLBACK");
  if (taken && !ended) return std::unexpected(ended.error());
  return taken;
}

}  // namespace fuhyo::jobs
