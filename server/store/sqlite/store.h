// The store in one SQLite file. See store.h.
#pragma once

#include <memory>

#include "server/store/sqlite/options.h"
#include "server/store/store.h"

namespace fuhyo::store {

std::unique_ptr<Store> make_sqlite_store(SqliteOptions options);

}  // namespace fuhyo::store
