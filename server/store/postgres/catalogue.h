// The catalogue of a PostgreSQL database, and its index of positions.
#pragma once

#include <memory>

#include "server/core/catalogue.h"
#include "server/store/position_index.h"
#include "server/store/postgres/address.h"
#include "server/store/postgres/options.h"

namespace fuhyo::store {

std::expected<std::unique_ptr<core::Catalogue>, std::string> open_postgres_catalogue(const PostgresAddress& address,
                                                                                     const PostgresOptions& options);
std::expected<std::unique_ptr<PositionIndex>, std::string> open_postgres_positions(const PostgresAddress& address,
                                                                                   const PostgresOptions& options);

}  // namespace fuhyo::store
