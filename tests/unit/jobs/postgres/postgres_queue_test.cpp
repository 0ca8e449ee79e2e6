// The queue in PostgreSQL under the contract of every queue, over a network that fails; and what only it has.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engines/jobs/postgres/migrations.h"
#include "tests/support/expected.h"
#include "tests/support/postgres_cluster.h"
#include "tests/support/postgres_proxy.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/jobs/contract/evening.h"
#include "tests/unit/jobs/contract/queue_under_test.h"

namespace fuhyo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class PostgresQueueUnderTest : public QueueUnderTest {
 public:
  ~PostgresQueueUnderTest() override {
    proxy_.go_away(true);
    ask("DROP SCHEMA IF EXISTS fuhyo_jobs CASCADE");
    cluster_.give_back(database_);
  }
  std::unique_ptr<jobs::Queue> open() override { return open(url()); }
  std::string address() const override { return direct_url(); }
  void pass(std::int64_t ms) override {
    ask(fmt::format("UPDATE fuhyo_jobs.chunk SET lease_until = lease_until - {} * interval '1 millisecond'", ms));
  }
  void break_off(bool broken) override { proxy_.go_away(broken); }

  static std::unique_ptr<jobs::Queue> open(const std::string& url) {
    return value_of(jobs::open_queue(url, {.lease_ms = kLease_ms}));
  }
  std::vector<std::string> ask(const std::string& sql) const { return cluster_.ask(database_, sql); }
  std::string url() const { return cluster_.url(database_, folder_.path()); }  // by way of the proxy
  std::string direct_url() const { return cluster_.url(database_); }
  PostgresProxy& proxy() { return proxy_; }

 private:
  PostgresCluster& cluster_ = *PostgresCluster::shared();
  const std::string database_ = cluster_.borrow_database();
  TemporaryFolder folder_;
  PostgresProxy proxy_{folder_.path(), cluster_.socket_folder()};
};

std::unique_ptr<QueueUnderTest> make_postgres() { return std::make_unique<PostgresQueueUnderTest>(); }

// Each message of the protocol is lost in turn, and its connection with it.
TEST(PostgresQueueFaults, EveryMessageMayBeLost) {
  PostgresQueueUnderTest under_test;
  const auto queue = under_test.open(), rest = PostgresQueueUnderTest::open(under_test.direct_url());
  ASSERT_TRUE(queue && rest);
  bool reached = true;
  std::uint64_t n = 1;
  for (; reached; ++n) {
    SCOPED_TRACE(n);
    under_test.proxy().cut_at(n);
    Evening evening(*queue, 2);
    EXPECT_TRUE(evening.run("w"));
    reached = under_test.proxy().messages() >= n;
    under_test.proxy().cut_at(0);
    expect_whole(under_test, *rest, evening.counted(), false);
    EXPECT_THAT(under_test.ask("SELECT sum(failures) FROM fuhyo_jobs.chunk"), ElementsAre("1"))
        << "nobody fell silent: a claim whose answer was lost was found again";
    EXPECT_TRUE(queue->remove("a"));
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(n, 60U) << "or nothing was tried";
}

// The first attempt at a claim may come to an end behind its lost connection when the second one has a chunk already.
TEST(PostgresQueueFaults, OneRequestNeverHoldsTwoChunks) {
  PostgresQueueUnderTest under_test;
  const auto queue = under_test.open();
  ASSERT_TRUE(queue);
  ASSERT_TRUE(queue->add(batch_of("two", 2)));
  const auto first = queue->claim({.worker = "w"});
  ASSERT_TRUE(first && *first) << first.error();
  const auto late = jobs::Connection::open(under_test.direct_url());
  ASSERT_TRUE(late);
  const auto second = (*late)->run(
      "UPDATE fuhyo_jobs.chunk SET state = 'held', lease_until = now(), request = (SELECT request FROM fuhyo_jobs.chunk"
      " WHERE state = 'held') WHERE state = 'waiting'");
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().exists) << second.error().message;
  EXPECT_FALSE(second.error().lost);
}

class PostgresSchema : public ::testing::Test {
 protected:
  std::unique_ptr<jobs::Connection> connect() const {
    return value_of(jobs::Connection::open(under_test_.direct_url()));
  }
  PostgresQueueUnderTest under_test_;
};

TEST_F(PostgresSchema, IsNotMadeByWhoOnlyLooks) {
  const auto none = jobs::open_queue(under_test_.direct_url(), {.create = false});
  EXPECT_EQ(none.error(), "PostgreSQL: the database has no queue");
  EXPECT_THAT(under_test_.ask("SELECT to_regnamespace('fuhyo_jobs') IS NULL"), ElementsAre("t"));
  ASSERT_TRUE(under_test_.open());
  EXPECT_TRUE(jobs::open_queue(under_test_.direct_url(), {.create = false}));
}

TEST_F(PostgresSchema, ManyMayMakeItAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) threads.emplace_back([&] { EXPECT_TRUE(under_test_.open()); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(under_test_.ask("SELECT name FROM fuhyo_jobs.migration"), ElementsAre("0001_queue", "0002_request"));
}

constexpr jobs::Migration kOne{"0001_one",
                               "CREATE TABLE fuhyo_jobs.one (a bigint); INSERT INTO fuhyo_jobs.one VALUES (1);"};
constexpr jobs::Migration kTwo{"0002_two", "CREATE TABLE fuhyo_jobs.two (a bigint)"};
constexpr jobs::Migration kEdited{"0002_two", "CREATE TABLE fuhyo_jobs.two (b bigint)"};
constexpr jobs::Migration kBad{"0002_bad", "CREATE TABLE fuhyo_jobs.two (a bigint); INSERT INTO nowhere VALUES (1)"};

template <class... M>
jobs::PgResult<std::size_t> run(jobs::Connection& connection, M... migrations) {
  const std::array<jobs::Migration, sizeof...(M)> all{migrations...};
  return jobs::migrate(connection, all);
}

TEST_F(PostgresSchema, EachMigrationRunsOnceAndAFailedOneLeavesNothing) {
  const auto connection = connect();
  EXPECT_EQ(run(*connection, kOne).value(), 1U);
  EXPECT_EQ(run(*connection, kOne).value(), 0U);
  EXPECT_THAT(run(*connection, kOne, kBad).error().message,
              HasSubstr("migration 0002_bad failed: ERROR:  relation \"nowhere\" does not exist"));
  EXPECT_THAT(under_test_.ask("SELECT to_regclass('fuhyo_jobs.two') IS NULL"), ElementsAre("t"));
  EXPECT_EQ(run(*connection, kOne, kTwo).value(), 1U) << "the same connection goes on";
  EXPECT_THAT(run(*connection, kOne).error().message,
              HasSubstr("was written by a newer program: it has migration 0002_two"));
  EXPECT_THAT(run(*connection, kOne, kEdited).error().message, HasSubstr("has migration 0002_two, which differs"));
}

TEST_F(PostgresSchema, WorkersNeedNoRightToChangeIt) {
  ASSERT_TRUE(under_test_.open());
  under_test_.ask(
      "CREATE ROLE worker LOGIN; GRANT USAGE ON SCHEMA fuhyo_jobs TO worker;"
      "GRANT SELECT ON fuhyo_jobs.migration TO worker;"
      "GRANT SELECT, INSERT, UPDATE, DELETE ON fuhyo_jobs.batch, fuhyo_jobs.chunk TO worker");
  std::string url = under_test_.url();
  url.replace(url.find("fuhyo@"), 6, "worker@");
  const auto queue = PostgresQueueUnderTest::open(url);
  EXPECT_EQ(queue->add(small_batch()), true);
  Evening evening(*queue, 1);
  EXPECT_TRUE(evening.run("w"));
  under_test_.ask("DROP OWNED BY worker; DROP ROLE worker");
}

TEST_F(PostgresSchema, NoErrorTellsThePassword) {
  const auto away = jobs::open_queue("postgres://nobody:s3cret@/none?host=/nowhere");
  const auto wrong = jobs::open_queue("postgres://nobody:s3cret@/none?nonsense=1");
  ASSERT_FALSE(away || wrong);
  EXPECT_THAT(away.error(), Not(HasSubstr("s3cret")));
  EXPECT_THAT(wrong.error(), AllOf(HasSubstr("is no address of PostgreSQL"), Not(HasSubstr("s3cret"))));
}

TEST_F(PostgresSchema, ManyChunksArePutInWhole) {
  const auto queue = under_test_.open();
  EXPECT_EQ(queue->add(batch_of("a", 1001)), true);
  EXPECT_THAT(under_test_.ask("SELECT count(*), count(*) FILTER (WHERE payload = chunk::text::bytea), max(chunk)"
                              " FROM fuhyo_jobs.chunk"),
              ElementsAre("1001|1001|1000"));
}

}  // namespace

INSTANTIATE_QUEUE_CONTRACTS(Postgres, make_postgres);

}  // namespace fuhyo::test
