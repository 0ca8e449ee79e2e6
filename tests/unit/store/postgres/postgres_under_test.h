// A database of the test program's own PostgreSQL server, behind a network that can fail.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "server/store/postgres/connection.h"
#include "server/store/postgres/store.h"
#include "tests/support/postgres_cluster.h"
#include "tests/support/postgres_proxy.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/contract/store_under_test.h"
#include "tests/unit/store/journal_script.h"

namespace fuhyo::test {

class PostgresUnderTest : public StoreUnderTest {
 public:
  explicit PostgresUnderTest(PostgresCluster& cluster = *PostgresCluster::shared());
  ~PostgresUnderTest() override;

  using StoreUnderTest::make;
  std::unique_ptr<store::Store> make(const store::JournalLimits& limits) override;
  std::unique_ptr<store::Store> make_hasty() override;
  void break_off(bool broken) override { proxy_.go_away(broken); }
  std::vector<std::string> ask(const std::string& sql) override;
  std::string migrations() const override { return "fuhyo_migration"; }
  void fail_at(std::uint64_t n) override { proxy_.cut_at(n); }
  std::uint64_t operations() const override { return proxy_.messages(); }

  // For tests of what only this store has; in force with the next make().
  store::PostgresOptions& options() { return options_; }
  PostgresProxy& proxy() { return proxy_; }
  PostgresCluster& cluster() { return cluster_; }
  const std::string& database() const { return database_; }
  store::PostgresAddress address() const;         // by way of the proxy
  store::PostgresAddress direct_address() const;  // not

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
