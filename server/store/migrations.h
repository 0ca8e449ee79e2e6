// The steps by which a database becomes what this program expects. Forward only; each runs once, in its own
// transaction, and is never edited after a release: its checksum is kept in the database. Values; what runs them is
// each database's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::store {

struct Migration {
  std::string_view name;  // "0001_journal": the number is its place, beginning with 1
  std::string_view sql;
};

// migrations/<database>/*.sql, in order; generated from those folders.
std::span<const Migration> sqlite_migrations();
std::span<const Migration> postgres_migrations();

// Against mistakes, not against malice.
std::uint64_t fnv1a(std::string_view text);
std::string checksum(std::string_view text);

// A row of the table `migration`.
struct AppliedMigration {
  std::int64_t number = 0;
  std::string name, checksum;
};

// How many migrations a database has been through, each the same as ours. `applied`: in order. Refuses what was written
// by a newer program or went through a migration that has been edited since; the message says which.
std::expected<std::size_t, std::string> check_applied(std::span<const AppliedMigration> applied,
                                                      std::span<const Migration> migrations);

}  // namespace fuhyo::store
