#include "server/store/postgres/address.h"

#include <cstring>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <memory>

namespace fuhyo::store {

std::expected<PostgresAddress, std::string> PostgresAddress::parse(std::string_view url) {
  PostgresAddress address;
  address.url_ = url;
  char* ignored = nullptr;  // libpq's words quote the address, with its password
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
      PQconninfoParse(address.url_.c_str(), &ignored), PQconninfoFree);
  PQfreemem(ignored);
  if (!options) return std::unexpected("is no address of PostgreSQL: postgres://USER@HOST/DATABASE");
  const auto value = [&](const char* key) -> std::string {
    for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
      if (std::strcmp(option->keyword, key) == 0 && option->val != nullptr) return option->val;
    }
    return "";
  };
  address.password_ = value("password");
  const std::string user = value("user"), port = value("port");
  std::string host = value("host");
  if (host.empty()) host = value("hostaddr");
  address.shown_ = fmt::format("postgres://{}{}{}{}{}/{}", user, user.empty() ? "" : "@", host, port.empty() ? "" : ":",
                               port, value("dbname"));
  return address;
}

std::string PostgresAddress::without_secrets(std::string text) const {
  if (password_.empty()) return text;
  for (std::size_t at = 0; (at = text.find(password_, at)) != std::string::npos;)
    text.replace(at, password_.size(), "***");
  return text;
}

}  // namespace fuhyo::store
