#include "server/store/store.h"

#include <fmt/format.h>
#include <utility>

#include "server/store/sqlite/store.h"

namespace fuhyo::store {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

}  // namespace

std::expected<std::unique_ptr<Store>, std::string> make_store(std::string_view where, StoreOptions options) {
  if (!where.starts_with(kSqlite)) return std::unexpected("is no store: sqlite:FILE is one");
  const std::string_view file = where.substr(kSqlite.size());
  if (file.empty()) return std::unexpected("names no file: sqlite:FILE");
  return make_sqlite_store({.file = std::string(file), .limits = options.limits, .warn = std::move(options.warn)});
}

std::string store_of_folder(const std::string& data) { return fmt::format("{}{}/fuhyo.db", kSqlite, data); }

}  // namespace fuhyo::store
