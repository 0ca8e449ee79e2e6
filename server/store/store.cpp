#include "server/store/store.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/store/postgres/store.h"
#include "server/store/sqlite/store.h"

namespace fuhyo::store {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

}  // namespace

std::optional<std::string_view> sqlite_file(std::string_view where) {
  if (!where.starts_with(kSqlite)) return std::nullopt;
  return where.substr(kSqlite.size());
}

std::expected<std::unique_ptr<Store>, std::string> make_store(std::string_view where, StoreOptions options) {
  if (where.starts_with("postgres://") || where.starts_with("postgresql://")) {
    auto address = PostgresAddress::parse(where);
    if (!address) return std::unexpected(std::move(address.error()));
    return make_postgres_store(std::move(*address),
                               {.limits = options.limits, .unsafe = options.unsafe, .warn = std::move(options.warn)});
  }
  const auto file = sqlite_file(where);
  if (!file) return std::unexpected("is no store: sqlite:FILE, or postgres://USER@HOST/DATABASE");
  if (file->empty()) return std::unexpected("names no file: sqlite:FILE");
  return make_sqlite_store({.file = std::string(*file), .limits = options.limits, .warn = std::move(options.warn)});
}

// Text only: also an address that is none must not show it.
std::string without_password(std::string_view where) {
  std::string text(where);
  const std::size_t scheme = text.find("://");
  if (scheme == std::string::npos) return text;
  const std::size_t host = text.find_first_of("/?", scheme + 3);
  const std::size_t at = text.substr(0, host).rfind('@');
  const std::size_t colon = text.find(':', scheme + 3);
  if (at != std::string::npos && colon < at) text.replace(colon + 1, at - colon - 1, "***");
  constexpr std::string_view kParameter = "password=";
  for (std::size_t found = 0; (found = text.find(kParameter, found)) != std::string::npos;) {
    found += kParameter.size();
    text.replace(found, std::min(text.find('&', found), text.size()) - found, "***");
  }
  return text;
}

std::string store_of_folder(const std::string& data) { return fmt::format("{}{}/fuhyo.db", kSqlite, data); }

}  // namespace fuhyo::store
