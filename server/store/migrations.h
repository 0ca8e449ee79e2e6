// The steps by which a database file becomes what this program expects. Forward only; each runs once, in its own
// transaction, and is never edited after a release (its checksum is kept in the database).
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace fuhyo::store {

class Database;

struct Migration {
  std::string_view name;  // "0001_journal": the number is its place, beginning with 1
  std::string_view sql;
};

// migrations/sqlite/*.sql, in order; generated from that folder.
std::span<const Migration> sqlite_migrations();

// Brings an empty or older database up to the last migration. Refuses what is not ours, was written by a newer
// program, or went through a migration that has been edited since; the message says which.
std::expected<void, std::string> migrate(Database& db, std::span<const Migration> migrations);

}  // namespace fuhyo::store
