// What only the PostgreSQL store has: commits whose answer is lost, sessions that hang, servers that are not to be
// relied on, and a writer that sleeps while another one takes over.
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>

#include "server/store/postgres/lease.h"
#include "server/store/postgres/migrations.h"
#include "server/store/postgres/session.h"
#include "tests/unit/store/postgres/postgres_under_test.h"

namespace fuhyo::test {
namespace {

using core::Seq;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Clock = std::chrono::steady_clock;
using Way = PostgresProxy::Way;

class PostgresJournal : public ::testing::Test {
 protected:
  std::unique_ptr<store::QueuedJournal> open(core::JournalEvents events) {
    auto journal = under_test_.make()->open_journal(std::move(events), recovery_);
    EXPECT_TRUE(journal.has_value()) << journal.error();
    return journal ? std::move(*journal) : nullptr;
  }
  std::string refusal() {
    auto journal = under_test_.make()->open_journal({}, recovery_);
    EXPECT_FALSE(journal.has_value());
    return journal ? "" : journal.error();
  }
  // The next COMMIT is cut off, on its way there or on its way back; which one is seen by the message that comes next.
  void cut_next_commit(Way way) {
    under_test_.proxy().set_judge([this, way, done = false](const PostgresProxy::Message& message) mutable {
      if (done) return true;
      if (way == Way::to_client && message.type == 'C' && message.body.starts_with("COMMIT")) {
        done = true;
        ++cut_;
        return false;
      }
      // The whole transaction has arrived but for its end, which executes it.
      if (way == Way::to_server && message.type == 'B' && message.body.contains("commit")) {
        done = true;
        ++cut_;
        return false;
      }
      return true;
    });
  }
  std::vector<std::string> seqs() { return under_test_.ask("SELECT seq FROM journal ORDER BY seq"); }

  PostgresUnderTest under_test_;
  core::Recovery recovery_;
  std::atomic<int> cut_{0};
};

TEST_F(PostgresJournal, ACommitThatArrivedAndWhoseAnswerWasLostIsNotDoneTwice) {
  Listener listener;
  const auto journal = open(listener.events());
  Script script;
  journal->append(script.step({opened(1)}));
  ASSERT_TRUE(listener.wait_durable(Seq{1}));
  cut_next_commit(Way::to_client);
  journal->append(script.step({started(1), ended(1, 3)}));
  ASSERT_TRUE(listener.wait_durable(Seq{3}));
  EXPECT_EQ(cut_, 1);
  EXPECT_EQ(listener.lost(), 1);
  EXPECT_EQ(listener.back(), 1);
  EXPECT_TRUE(listener.orderly());
  journal->append(script.step({opened(2)}));
  EXPECT_TRUE(journal->close());
  EXPECT_THAT(seqs(), ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(under_test_.ask("SELECT games FROM player"), ElementsAre("1")) << "counted once";
}

TEST_F(PostgresJournal, ACommitThatDidNotArriveIsDoneAgain) {
  Listener listener;
  const auto journal = open(listener.events());
  Script script;
  journal->append(script.step({opened(1)}));
  ASSERT_TRUE(listener.wait_durable(Seq{1}));
  cut_next_commit(Way::to_server);
  journal->append(script.step({started(1), ended(1, 3)}));
  ASSERT_TRUE(listener.wait_durable(Seq{3}));
  EXPECT_EQ(cut_, 1);
  EXPECT_EQ(listener.lost(), 1);
  EXPECT_THAT(seqs(), ElementsAre("1", "2", "3"));
  EXPECT_THAT(under_test_.ask("SELECT games FROM player"), ElementsAre("1"));
}

// The old session lives on at the server, holds its lock and may still be at work: it is ended before anything is read.
TEST_F(PostgresJournal, ASessionThatTheServerStillHoldsIsReplaced) {
  under_test_.options().answer_ms = 300;
  Listener listener;
  const auto journal = open(listener.events());
  Script script;
  journal->append(script.step({opened(1)}));
  ASSERT_TRUE(listener.wait_durable(Seq{1}));
  const auto before = under_test_.ask("SELECT pid FROM pg_stat_activity WHERE application_name = 'fuhyo journal'");
  under_test_.proxy().fall_silent(true);
  journal->append(script.step({started(1)}));
  ASSERT_TRUE(listener.wait_lost()) << "silence is noticed";
  EXPECT_THAT(listener.why(), HasSubstr("does not answer"));
  EXPECT_EQ(listener.durable(), Seq{1});
  under_test_.proxy().fall_silent(false);
  ASSERT_TRUE(listener.wait_durable(Seq{2}));
  const auto after = under_test_.ask("SELECT pid FROM pg_stat_activity WHERE application_name = 'fuhyo journal'");
  EXPECT_EQ(after.size(), 1U);
  EXPECT_NE(after, before);
  EXPECT_THAT(seqs(), ElementsAre("1", "2"));
}

TEST_F(PostgresJournal, TheEndNeverWaitsLongForADatabaseThatDoesNotAnswer) {
  under_test_.options().close_ms = 300;
  Listener listener;
  auto journal = open(listener.events());
  Script script;
  journal->append(script.step({opened(1)}));
  ASSERT_TRUE(listener.wait_durable(Seq{1}));
  under_test_.proxy().fall_silent(true);
  journal->append(script.step({started(1)}));
  const auto began = Clock::now();
  EXPECT_FALSE(journal->close());
  journal.reset();
  EXPECT_LT(Clock::now() - began, seconds(5));
  EXPECT_EQ(listener.durable(), Seq{1});
  under_test_.proxy().fall_silent(false);
}

// As one that was stopped (SIGSTOP, a frozen machine) and whose session an administrator has ended.
TEST_F(PostgresJournal, AWriterThatSleptWhileAnotherOneTookOverWritesNothing) {
  std::atomic<bool> asleep{false};
  Listener listener;
  core::JournalEvents events = listener.events();
  events.durable = [inner = events.durable, &asleep](Seq seq) {
    inner(seq);
    while (asleep) std::this_thread::sleep_for(milliseconds(5));
  };
  asleep = true;
  auto old = open(events);
  Script script;
  old->append(script.step({opened(1)}));
  ASSERT_TRUE(listener.wait_durable_or_lost(Seq{1}));
  old->append(script.step({started(1)}));  // waits until it wakes up
  EXPECT_THAT(refusal(), HasSubstr("is in use by another game server: session "));
  under_test_.ask(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
      " WHERE application_name = 'fuhyo journal'");
  Listener other;
  const auto next = open(other.events());
  next->append(Script(Seq{1}).step({rejected(1)}));
  ASSERT_TRUE(other.wait_durable(Seq{2}));
  asleep = false;
  ASSERT_TRUE(listener.wait_replaced());
  EXPECT_THAT(listener.replaced(), HasSubstr("another writer has taken over the journal (epoch 2, ours is 1)"));
  EXPECT_FALSE(old->close());
  EXPECT_EQ(listener.durable(), Seq{1});
  EXPECT_THAT(under_test_.ask("SELECT kind FROM journal WHERE seq = 2"),
              ElementsAre(fmt::format("{}", core::encode(core::Fact(rejected(1))).kind)));
  next->append(Script(Seq{2}).step({opened(2)}));
  EXPECT_TRUE(other.wait_durable(Seq{3})) << "nobody is in its way";
}

TEST_F(PostgresJournal, ADatabaseThatLacksWhatItConfirmedIsNotGoneOnWith) {
  Listener listener;
  const auto journal = open(listener.events());
  Script script;
  journal->append(script.step({opened(1), started(1), move(1, 2)}));
  ASSERT_TRUE(listener.wait_durable(Seq{3}));
  under_test_.break_off(true);
  under_test_.ask("DELETE FROM journal WHERE seq = 3");  // as on a standby that was behind
  under_test_.break_off(false);
  journal->append(script.step({move(1, 3)}));
  ASSERT_TRUE(listener.wait_lost());
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(listener.durable(), Seq{3});
  EXPECT_FALSE(journal->close());
  EXPECT_THAT(seqs(), ElementsAre("1", "2"));
}

TEST_F(PostgresJournal, AnIdleWriterNoticesThatItHasBeenReplaced) {
  Listener listener;
  const auto journal = open(listener.events());
  under_test_.ask("UPDATE lease SET epoch = epoch + 1");
  ASSERT_TRUE(listener.wait_replaced());
  EXPECT_THAT(listener.replaced(), HasSubstr("another writer has taken over"));
  EXPECT_FALSE(journal->close());
}

TEST_F(PostgresJournal, AnIdleWriterNoticesThatTheDatabaseIsAwayAndThenThatItLacksWhatItConfirmed) {
  Listener listener;
  const auto journal = open(listener.events());
  Script script;
  journal->append(script.step({opened(1), started(1), move(1, 2)}));
  ASSERT_TRUE(listener.wait_durable(Seq{3}));
  under_test_.break_off(true);
  ASSERT_TRUE(listener.wait_lost()) << "nothing is written";
  under_test_.ask("DELETE FROM journal WHERE seq = 3");
  under_test_.break_off(false);
  std::this_thread::sleep_for(milliseconds(2'500));  // it is connected again by now
  journal->append(script.step({move(1, 3)}));
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_EQ(listener.durable(), Seq{3});
  EXPECT_FALSE(journal->close());
  EXPECT_THAT(seqs(), ElementsAre("1", "2"));
}

TEST_F(PostgresJournal, AStandbySeesWhetherAnybodyWrites) {
  const auto store = under_test_.make();
  auto watch = store->open_writer_watch();
  ASSERT_TRUE(watch.has_value()) << watch.error();
  EXPECT_EQ((*watch)->is_written(), false);
  auto journal = open({});
  EXPECT_EQ((*watch)->is_written(), true);
  under_test_.break_off(true);
  EXPECT_FALSE((*watch)->is_written().has_value()) << "nobody can tell";
  under_test_.break_off(false);
  bool back = false;  // the writer connects anew, as the standby does
  for (int i = 0; i < 1'000 && !back; ++i) {
    back = (*watch)->is_written().value_or(false);
    std::this_thread::sleep_for(milliseconds(10));
  }
  EXPECT_TRUE(back);
  journal.reset();
  EXPECT_EQ((*watch)->is_written(), false);
}

TEST_F(PostgresJournal, ListenersAreWokenSeldomAndByASessionOfItsOwn) {
  Listener listener;
  const auto journal = open(listener.events());
  const store::Patience patience;
  auto ear = store::PgConnection::open(under_test_.direct_address(), "ear", 20'000, patience);
  ASSERT_TRUE(ear);
  ASSERT_TRUE((*ear)->run({"listen", "LISTEN fuhyo"}));
  int heard = 0;
  Script script;
  journal->append(script.step({opened(1), started(1)}));
  const auto began = Clock::now();
  for (std::int32_t ply = 2; Clock::now() - began < milliseconds(500); ++ply) {
    journal->append(script.step({move(1, ply)}));
    ASSERT_TRUE(listener.wait_durable(script.last()));
    heard += (*ear)->wait_notified(0).value_or(false) ? 1 : 0;
  }
  const auto commits = journal->stats().commits;
  EXPECT_GE(heard, 2);
  EXPECT_LE(heard, 55) << "of " << commits << " commits";
}

TEST_F(PostgresJournal, AServerThatDoesNotKeepWhatItConfirmsIsRefused) {
  std::string warned;
  under_test_.options().warn = [&](std::string_view text) { warned = text; };
  EXPECT_TRUE(open({}));
  EXPECT_THAT(warned, HasSubstr("full_page_writes = off")) << "warned of, with --unsafe";
  under_test_.options().unsafe = false;
  EXPECT_THAT(refusal(), HasSubstr("the server has fsync = off: a power cut would take back what it has confirmed"));
}

TEST_F(PostgresJournal, OurSessionsAreSynchronousWhateverTheDatabaseSays) {
  PostgresCluster& cluster = under_test_.cluster();
  cluster.ask("postgres", "ALTER DATABASE " + under_test_.database() + " SET synchronous_commit = off");
  const store::Patience patience;
  const store::PostgresOptions unsafe{.unsafe = true, .warn = {}};
  auto session = store::open_session(under_test_.direct_address(), unsafe, "test", store::PgUse::commits, patience);
  ASSERT_TRUE(session);
  EXPECT_THAT(store::check_server(**session, {.unsafe = true, .warn = {}}).has_value(), true);
  const auto now = (*session)->run({"show", "SELECT current_setting('synchronous_commit')"});
  EXPECT_EQ(now->text(0, 0), "on");
  cluster.ask("postgres", "ALTER DATABASE " + under_test_.database() + " RESET synchronous_commit");
}

TEST_F(PostgresJournal, NoErrorTellsThePassword) {
  const auto store =
      store::make_postgres_store(*store::PostgresAddress::parse("postgres://nobody:s3cret@/none?host=" +
                                                                under_test_.cluster().socket_folder().string()),
                                 under_test_.options());
  core::Recovery ignored;
  const auto journal = store->open_journal({}, ignored);
  ASSERT_FALSE(journal);
  EXPECT_THAT(journal.error(), HasSubstr("postgres://nobody@"));
  EXPECT_THAT(journal.error(), ::testing::Not(HasSubstr("s3cret")));
}

TEST_F(PostgresJournal, TablesOfAnotherProgramAreLeftAlone) {
  under_test_.ask("CREATE TABLE photos (a integer)");
  EXPECT_THAT(refusal(), HasSubstr("holds tables of another program"));
  EXPECT_THAT(under_test_.ask("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"),
              ElementsAre("1"));
}

// ---- migrations ----

class PostgresMigrations : public PostgresJournal {
 protected:
  std::unique_ptr<store::PgConnection> connect() {
    return std::move(*store::PgConnection::open(under_test_.address(), "migrating", 20'000, patience_));
  }
  const store::Patience patience_;
};

constexpr store::Migration kOne{"0001_one", "CREATE TABLE one (a bigint); INSERT INTO one VALUES (1);"};
constexpr store::Migration kTwo{"0002_two", "CREATE TABLE two (a bigint);"};
constexpr store::Migration kTwoEdited{"0002_two", "CREATE TABLE two (b bigint);"};
constexpr store::Migration kBad{"0002_bad", "CREATE TABLE two (a bigint); INSERT INTO nowhere VALUES (1);"};
constexpr store::Migration kSlow{"0002_slow", "CREATE TABLE two (a bigint); SELECT pg_sleep(30);"};

template <class... M>
std::expected<std::size_t, std::string> run(store::PgConnection& connection, M... migrations) {
  const std::array<store::Migration, sizeof...(M)> all{migrations...};
  return store::migrate(connection, all);
}

TEST_F(PostgresMigrations, EachRunsOnceAndAFailedOneLeavesNothing) {
  const auto connection = connect();
  EXPECT_EQ(run(*connection, kOne), 1U);
  EXPECT_EQ(run(*connection, kOne), 0U);
  const auto failed = run(*connection, kOne, kBad);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error(), HasSubstr("migration 0002_bad failed: relation \"nowhere\" does not exist"));
  EXPECT_THAT(under_test_.ask("SELECT to_regclass('two') IS NULL"), ElementsAre("1"));
  EXPECT_EQ(run(*connection, kOne, kTwo), 1U) << "the same connection goes on";
  EXPECT_THAT(run(*connection, kOne).error(), HasSubstr("was written by a newer program: it has migration 0002_two"));
  EXPECT_THAT(run(*connection, kOne, kTwoEdited).error(), HasSubstr("has migration 0002_two, which differs"));
}

TEST_F(PostgresMigrations, ASessionKilledHalfwayLeavesTheOldTables) {
  {
    const auto connection = connect();
    connection->set_limit(20'000);
    std::thread administrator([&] {
      for (int i = 0; i < 500; ++i) {
        const auto ended = under_test_.ask(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'migrating'"
            " AND wait_event = 'PgSleep'");
        if (!ended.empty()) return;
        std::this_thread::sleep_for(milliseconds(20));
      }
    });
    EXPECT_FALSE(run(*connection, kOne, kSlow));
    administrator.join();
  }
  EXPECT_THAT(under_test_.ask("SELECT to_regclass('one') IS NULL, to_regclass('two') IS NULL"), ElementsAre("0|1"));
  EXPECT_EQ(run(*connect(), kOne, kTwo), 1U);
}

// ---- a server of its own, which keeps what it confirms ----

TEST(PostgresDurability, WhatWasAnnouncedSurvivesTheDeathOfTheServer) {
  const auto cluster = PostgresCluster::start({"max_connections=20"});
  ASSERT_TRUE(cluster);
  PostgresUnderTest under_test(*cluster);
  under_test.options().unsafe = false;
  const std::vector<core::Step> steps = workload(200);
  Listener listener;
  core::Recovery recovered;
  auto journal = under_test.make()->open_journal(listener.events(), recovered);
  ASSERT_TRUE(journal) << journal.error();
  for (std::size_t i = 0; i < 100; ++i) (*journal)->append(steps[i]);
  ASSERT_TRUE(listener.wait_durable(steps[50].back().seq));
  cluster->kill();
  for (std::size_t i = 100; i < 200; ++i) (*journal)->append(steps[i]);
  const Seq announced = listener.durable();
  ASSERT_TRUE(cluster->start());
  ASSERT_TRUE(listener.wait_durable(steps.back().back().seq));
  EXPECT_GE(listener.durable(), announced);
  EXPECT_EQ(listener.committed(), steps);
  EXPECT_TRUE(listener.orderly());
  EXPECT_TRUE((*journal)->close());
  journal->reset();
  const auto again = under_test.make()->open_journal({}, recovered);
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(recovered.last, steps.back().back().seq);
  EXPECT_EQ((*under_test.make()->open_reader())->read_after(Seq{0}, SIZE_MAX), rows_of(steps));
}

}  // namespace
}  // namespace fuhyo::test
