// Brings a SQLite file up to what this program expects.
#pragma once

#include <expected>
#include <span>
#include <string>

#include "server/store/migrations.h"
#include "server/store/sqlite/database.h"

namespace fuhyo::store {

// Brings an empty or older database up to the last migration; how many it took. Refuses what is not ours, was written
// by a newer program, or went through a migration that has been edited since; the message says which.
std::expected<std::size_t, std::string> migrate(Database& db, std::span<const Migration> migrations);

// How many of them the database has been through; refuses as migrate() does, and changes nothing.
std::expected<std::size_t, std::string> migrations_done(Database& db, std::span<const Migration> migrations);

}  // namespace fuhyo::store
