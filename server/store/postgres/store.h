// The store in a PostgreSQL database. See store.h above.
#pragma once

#include <memory>

#include "server/store/postgres/address.h"
#include "server/store/postgres/options.h"
#include "server/store/store.h"

namespace fuhyo::store {

std::unique_ptr<Store> make_postgres_store(PostgresAddress address, PostgresOptions options);

}  // namespace fuhyo::store
