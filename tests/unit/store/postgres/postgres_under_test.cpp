#include "tests/unit/store/postgres/postgres_under_test.h"

#include <libpq-fe.h>
#include <utility>

#include "server/store/postgres/connection.h"
#include "tests/support/patience.h"

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
  for (int* limit : {&options_.connect_ms, &options_.answer_ms, &options_.long_answer_ms, &options_.close_ms,
                     &options_.lock_wait_ms}) {
    *limit = kPatience_ms;
  }
  options_.look_every_ms = 0;  // so that the messages of a test are the same each time
}

PostgresUnderTest::~PostgresUnderTest() {
  proxy_.go_away(true);
  cluster_.give_back(database_);
}

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

std::unique_ptr<store::Store> PostgresUnderTest::make_hasty() {
  store::PostgresOptions hasty = options_;
  hasty.lock_wait_ms = 0;
  return store::make_postgres_store(address(), hasty);
}

std::vector<std::string> PostgresUnderTest::ask(const std::string& sql) {
  if (!asking_) {
    auto connection = store::PgConnection::open(direct_address(), "test", kPatience_ms, patience_);
    EXPECT_TRUE(connection.has_value()) << connection.error().message;
    if (!connection) return {};
    asking_ = std::move(*connection);
    asking_->set_limit(kPatience_ms);
  }
  const store::PgStatement statement{"", sql.c_str()};
  const auto rows = asking_->run(statement);
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
