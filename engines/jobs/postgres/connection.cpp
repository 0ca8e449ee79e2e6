#include "engines/jobs/postgres/connection.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace fuhyo::jobs {
namespace {

// libpq's messages are lines for a terminal.
std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\t', ' ');
  return text;
}

using Options = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

std::string without_password(std::string text, const std::string& url) {
  char* ignored = nullptr;  // quotes the address
  const Options options(PQconninfoParse(url.c_str(), &ignored), PQconninfoFree);
  PQfreemem(ignored);
  for (const PQconninfoOption* option = options.get(); option != nullptr && option->keyword != nullptr; ++option) {
    if (std::strcmp(option->keyword, "password") != 0 || option->val == nullptr || *option->val == '\0') continue;
    const std::string password = option->val;
    for (std::size_t at = 0; (at = text.find(password, at)) != std::string::npos;) {
      text.replace(at, password.size(), "***");
    }
  }
  return text;
}

bool is_address(const std::string& url) {
  char* ignored = nullptr;
  const Options options(PQconninfoParse(url.c_str(), &ignored), PQconninfoFree);
  PQfreemem(ignored);
  return options != nullptr;
}

// A statement that takes longer has met a lock that somebody forgot.
constexpr const char* kSettings =
    "SET statement_timeout = '60s'; SET lock_timeout = '30s'; SET idle_in_transaction_session_timeout = '60s';"
    " SET default_transaction_isolation = 'read committed'";

}  // namespace

void Values::add_value(std::string value, int format) {
  lengths_.push_back(static_cast<int>(value.size()));
  formats_.push_back(format);
  values_.push_back(std::move(value));
}
Values& Values::add(std::int64_t number) {
  add_value(fmt::format("{}", number), 0);
  return *this;
}
Values& Values::add(std::string_view text) {
  add_value(std::string(text), 0);
  return *this;
}
Values& Values::add_bytes(std::string_view bytes) {
  add_value(std::string(bytes), 1);
  return *this;
}

std::int64_t Rows::changed() const {
  const std::string_view count = PQcmdTuples(result_.get());
  std::int64_t value = 0;
  std::from_chars(count.data(), count.data() + count.size(), value);
  return value;
}

std::int64_t Rows::number(int row, int column) const {
  const std::string value = text(row, column);
  std::int64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

bool Rows::flag(int row, int column) const { return text(row, column) == "t"; }

std::string Rows::text(int row, int column) const {
  return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

std::string Rows::bytes(int row, int column) const {
  std::size_t size = 0;
  const auto* escaped = reinterpret_cast<const unsigned char*>(PQgetvalue(result_.get(), row, column));
  const std::unique_ptr<unsigned char, decltype(&PQfreemem)> plain(PQunescapeBytea(escaped, &size), PQfreemem);
  return plain ? std::string(reinterpret_cast<const char*>(plain.get()), size) : std::string();
}

PgResult<std::unique_ptr<Connection>> Connection::open(const std::string& url) {
  if (!is_address(url)) {
    return std::unexpected(PgFailure{"this is no address of PostgreSQL: postgres://USER@HOST/DATABASE", true});
  }
  // What the address says wins over what stands before it.
  const std::array<const char*, 9> keys = {"fallback_application_name",
                                           "connect_timeout",
                                           "keepalives_idle",
                                           "keepalives_interval",
                                           "keepalives_count",
                                           "tcp_user_timeout",
                                           "dbname",
                                           "client_encoding",
                                           nullptr};
  const std::array<const char*, 9> values = {"fuhyo jobs", "10", "10", "5", "3", "15000", url.c_str(), "UTF8", nullptr};
  PGconn* made = PQconnectdbParams(keys.data(), values.data(), 1);
  std::unique_ptr<Connection> connection(new Connection(made));
  if (PQstatus(made) != CONNECTION_OK) {
    return std::unexpected(PgFailure{without_password(one_line(PQerrorMessage(made)), url), true});
  }
  PQsetNoticeProcessor(made, [](void*, const char*) {}, nullptr);  // else they go to the standard error output
  if (auto set = connection->run_script(kSettings); !set) return std::unexpected(set.error());
  return connection;
}

PgFailure Connection::failure(const PGresult* result) const {
  PgFailure failure{.message = one_line(PQresultErrorMessage(result)), .lost = false, .exists = false};
  if (failure.message.empty()) failure.message = one_line(PQerrorMessage(connection_.get()));
  if (failure.message.empty()) failure.message = "the connection is broken";
  failure.lost = PQstatus(connection_.get()) != CONNECTION_OK;
  const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  failure.exists = state != nullptr && std::string_view(state) == "23505";  // PostgreSQL, appendix A
  return failure;
}

PgResult<Rows> Connection::run(const char* statement, const Values& values) {
  std::vector<const char*> pointers;
  pointers.reserve(values.values_.size());
  for (const std::string& value : values.values_) pointers.push_back(value.c_str());
  PGresult* result = PQexecParams(connection_.get(), statement, static_cast<int>(pointers.size()), nullptr,
                                  pointers.data(), values.lengths_.data(), values.formats_.data(), 0);
  Rows rows(result);
  const ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) return std::unexpected(failure(result));
  return rows;
}

PgResult<void> Connection::run_script(const std::string& script) {
  PGresult* result = PQexec(connection_.get(), script.c_str());
  const Rows rows(result);
  const ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) return std::unexpected(failure(result));
  return {};
}

}  // namespace fuhyo::jobs
