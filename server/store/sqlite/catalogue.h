// The catalogue of a SQLite file, and its index of positions.
#pragma once

#include <memory>

#include "server/core/catalogue.h"
#include "server/store/position_index.h"
#include "server/store/sqlite/options.h"

namespace fuhyo::store {

std::expected<std::unique_ptr<core::Catalogue>, std::string> open_sqlite_catalogue(const SqliteOptions& options);
std::expected<std::unique_ptr<PositionIndex>, std::string> open_sqlite_positions(const SqliteOptions& options);

}  // namespace fuhyo::store
