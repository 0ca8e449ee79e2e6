#include "server/store/store.h"

#include <fmt/format.h>
#include <utility>

#include "server/store/postgres/store.h"
#include "server/store/sqlite/store.h"

namespace fuhyo::store {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

}  // namespace

std::expected<std::unique_ptr<Store>, std::string> make_store(std::string_view where, StoreOptions options) {
  if (where.starts_with("postgres://") || where.starts_with("postgresql://")) {
    auto address = PostgresAddress::parse(where);
    if (!address) return std::unexpected(std::move(address.error()));
    return make_postgres_store(std::move(*address),
                               {.limits = options.limits, .unsafe = options.unsafe, .warn = std::move(options.warn)});
  }
  if (!where.starts_with(kSqlite)) return std::unexpected("is no store: sqlite:FILE, or postgres://USER@HOST/DATABASE");
  const std::string_view file = where.substr(kSqlite.size());
  if (file.empty()) return std::unexpected("names no file: sqlite:FILE");
  return make_sqlite_store({.file = std::string(file), .limits = options.limits, .warn = std::move(options.warn)});
}

std::string store_of_folder(const std::string& data) { return fmt::format("{}{}/fuhyo.db", kSqlite, data); }

}  // namespace fuhyo::store
