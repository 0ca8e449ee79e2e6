// The steps by which the schema fuhyo_jobs becomes what this program expects. Forward only; each is never edited after
// a release: its checksum is kept in the database. The game server's store has the same for its tables, but this room
// may not know that one, and the schemas are of different owners: workers of a queue need no game server, nor the other
// way.
#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "engines/jobs/postgres/connection.h"

namespace fuhyo::jobs {

struct Migration {
  std::string_view name;  // "0001_queue": the number is its place, beginning with 1
  std::string_view sql;
};

// migrations/jobs/*.sql, in order; generated from that folder.
std::span<const Migration> migrations();

// Whether any program has made it.
PgResult<bool> has_schema(Connection& connection);

// Brings the schema up to the last migration, all in one transaction; how many it took. Any number of programs may do
// so at once. A schema that is up to date is only read, so that workers need no right to change it. Refuses what was
// written by a newer program, or went through a migration that has been edited since.
PgResult<std::size_t> migrate(Connection& connection, std::span<const Migration> migrations);

}  // namespace fuhyo::jobs
