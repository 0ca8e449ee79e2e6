#include "tests/unit/store/postgres/postgres_under_test.h"

#include <libpq-fe.h>
#include <utility>

#include "server/store/postgres/connection.h"

namespace fuhyo::test {
namespace {

// PostgreSQL's numbers of types.
constexpr Oid kBool = 16, kBytes = 17, kInt8 = 20, kInt4 = 23, kReal = 701;

std::string cell(const store::PgRows& rows, int row, int column) {
  switch (PQftype(rows.get(), column)) {
    case kBool:
    case kInt4:
    case kInt8:
      return std::to_string(rows.integer(row, column));
    case kReal:
      return std::to_string(rows.real(row, column));
    case kBytes:
      return std::string(rows.bytes(row, column));
    default:
      return rows.text(row, column);
  }
}

}  // namespace

PostgresUnderTest::PostgresUnderTest(PostgresCluster& cluster) : cluster_(cluster) {
  options_.unsafe = true;  // the server of all tests does without fsync
  options_.connect_ms = 20'000;
}

PostgresUnderTest::~PostgresUnderTest() { cluster_.give_back(database_); }

store::PostgresAddress PostgresUnderTest::address() const {
  return *store::PostgresAddress::parse(cluster_.url(database_, folder_.path()));
}

store::PostgresAddress PostgresUnderTest::direct_address() const {
  return *store::PostgresAddress::parse(cluster_.url(database_));
}

std::unique_ptr<store::Store> PostgresUnderTest::make(const store::JournalLimits& limits) {
  options_.limits = limits;
  return store::make_postgres_store(address(), options_);
}

std::vector<std::string> PostgresUnderTest::ask(const std::string& sql) {
  const store::Patience patience;
  auto connection = store::PgConnection::open(direct_address(), "test", 20'000, patience);
  EXPECT_TRUE(connection.has_value()) << connection.error().message;
  if (!connection) return {};
  const store::PgStatement statement{"asked", sql.c_str()};
  const auto rows = (*connection)->run(statement);
  EXPECT_TRUE(rows.has_value()) << rows.error().message;
  std::vector<std::string> all;
  for (int row = 0; rows && row < rows->size(); ++row) {
    std::string& line = all.emplace_back();
    for (int column = 0; column < PQnfields(rows->get()); ++column) {
      if (column > 0) line += '|';
      line += cell(*rows, row, column);
    }
  }
  return all;
}

}  // namespace fuhyo::test
