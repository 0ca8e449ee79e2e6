// Brings a PostgreSQL database up to what this program expects. Tables lie in the current schema, which must hold
// nothing of another program. See connection.h for threads.
#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>

#include "server/store/migrations.h"
#include "server/store/postgres/connection.h"

namespace fuhyo::store {

// Brings an empty or older database up to the last migration; how many it took. The caller holds the lock that keeps
// other writers out. Refuses what is not ours, was written by a newer program, or went through a migration that has
// been edited since; the message says which.
std::expected<std::size_t, std::string> migrate(PgConnection& connection, std::span<const Migration> migrations);

// How many of them the database has been through; refuses as migrate() does, and changes nothing.
std::expected<std::size_t, std::string> migrations_done(PgConnection& connection,
                                                        std::span<const Migration> migrations);

}  // namespace fuhyo::store
