// A copy of a SQLite store while it is used. See database.h for threads.
#pragma once

#include <expected>
#include <string>

#include "server/store/sqlite/options.h"

namespace fuhyo::store {

// Makes `file` a database that holds what the store held at one moment, durable except for its name in the folder.
// Commits do not wait for it. What is left in `file` after a failure is of no use.
std::expected<void, std::string> copy_database(const SqliteOptions& options, const std::string& file);

}  // namespace fuhyo::store
