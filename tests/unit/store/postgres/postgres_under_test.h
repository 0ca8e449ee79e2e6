// A database of the test program's own PostgreSQL server, behind a network that can fail.
#pragma once

#include <libpq-fe.h>

#include "server/store/postgres/connection.h"
#include "server/store/postgres/store.h"
#include "tests/support/postgres_cluster.h"
#include "tests/support/postgres_proxy.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/contract/store_under_test.h"

namespace fuhyo::test {

// PostgreSQL's numbers of types.
constexpr Oid kBool = 16, kBytes = 17, kInt8 = 20, kInt4 = 23, kReal = 701;

inline std::string cell(const store::PgRows& rows, int row, int column) {
  const Oid type = PQftype(rows.get(), column);
  if (type == kBool || type == kInt4 || type == kInt8) return std::to_string(rows.integer(row, column));
  if (type == kReal) return std::to_string(rows.real(row, column));
  return type == kBytes ? std::string(rows.bytes(row, column)) : rows.text(row, column);
}

class PostgresUnderTest : public StoreUnderTest {
 public:
  explicit PostgresUnderTest(PostgresCluster& cluster = *PostgresCluster::shared()) : cluster_(cluster) {
    options_.unsafe = true;  // the server of all tests does without fsync
    for (int* limit : {&options_.connect_ms, &options_.answer_ms, &options_.long_answer_ms, &options_.close_ms,
                       &options_.lock_wait_ms}) {
      *limit = kPatience_ms;
    }
    options_.look_every_ms = 0;  // so that the messages of a test are the same each time
  }
  ~PostgresUnderTest() override {
    proxy_.go_away(true);
    cluster_.give_back(database_);
  }

  using StoreUnderTest::make;
  std::unique_ptr<store::Store> make(const store::JournalLimits& limits) override {
    options_.limits = limits;
    return store::make_postgres_store(address(), options_);
  }
  std::unique_ptr<store::Store> make_hasty() override {
    store::PostgresOptions hasty = options_;
    hasty.lock_wait_ms = 0;
    return store::make_postgres_store(address(), hasty);
  }
  void break_off(bool broken) override { proxy_.go_away(broken); }
  std::vector<std::string> ask(const std::string& sql) override {
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
  std::string migrations() const override { return "fuhyo_migration"; }
  void fail_at(std::uint64_t n) override { proxy_.cut_at(n); }
  std::uint64_t operations() const override { return proxy_.messages(); }

  // For tests of what only this store has; in force with the next make().
  store::PostgresOptions& options() { return options_; }
  PostgresProxy& proxy() { return proxy_; }
  PostgresCluster& cluster() { return cluster_; }
  const std::string& database() const { return database_; }
  // By way of the proxy.
  store::PostgresAddress address() const {
    return *store::PostgresAddress::parse(cluster_.url(database_, folder_.path()));
  }
  // Past it.
  store::PostgresAddress direct_address() const { return *store::PostgresAddress::parse(cluster_.url(database_)); }

 private:
  PostgresCluster& cluster_;
  const std::string database_ = cluster_.borrow_database();
  TemporaryFolder folder_;
  PostgresProxy proxy_{folder_.path(), cluster_.socket_folder()};
  store::PostgresOptions options_;
  const store::Patience patience_;
  std::unique_ptr<store::PgConnection> asking_;
};

}  // namespace fuhyo::test
