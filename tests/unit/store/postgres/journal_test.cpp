// What only the PostgreSQL store has: commits whose answer is lost, sessions that hang, servers that are not to be
// relied on, and a writer that sleeps while another one takes over.
#include <atomic>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "server/store/postgres/lease.h"
#include "server/store/postgres/migrations.h"
#include "server/store/postgres/session.h"
#include "tests/unit/store/postgres/postgres_under_test.h"

namespace fuhyo::test {
namespace {

using core::Seq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Way = PostgresProxy::Way;

constexpr int kLook_ms = 5;  // of idle writers

class PostgresJournal : public ::testing::Test {
 protected:
  std::unique_ptr<store::QueuedJournal> open(core::JournalEvents events) {
    return value_of(under_test_.make()->open_journal(std::move(events), recovery_));
  }
  // A journal in which these facts are durable.
  std::unique_ptr<store::QueuedJournal> begin(std::vector<core::Fact> facts) {
    auto journal = open(listener_.events());
    EXPECT_TRUE(listener_.keeps(*journal, script_.transaction(std::move(facts))));
    return journal;
  }
  std::string refusal() { return error_of(under_test_.make_hasty()->open_journal({}, recovery_)); }
  // Counts the executions of a statement from here on.
  void watch_for(const char* statement) {
    under_test_.proxy().set_judge([this, statement](const PostgresProxy::Message& message) {
      if (message.type == 'B' && message.body.contains(statement)) ++caught_;
      return true;
    });
  }
  // The next COMMIT is cut off: its answer, or itself when all of its transaction but this end has arrived.
  void cut_next_commit(Way way) {
    under_test_.proxy().set_judge([this, way](const PostgresProxy::Message& message) {
      const bool commit = way == Way::to_client ? message.type == 'C' && message.body.starts_with("COMMIT")
                                                : message.type == 'B' && message.body.contains("commit");
      if (!commit || caught_ > 0) return true;
      ++caught_;
      return false;
    });
  }
  // From here on the writer measures its limits by a clock that stands still, or leaps at each look.
  void let_time_fly_when_told() {
    under_test_.options().now_ms = [this] { return now_ms_ += flies_ms_; };
  }
  std::vector<std::string> writers() {
    return under_test_.ask(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'fuhyo journal' AND datname = current_database()");
  }
  bool end_sessions(const std::string& which) {
    return !under_test_
                .ask(fmt::format("SELECT pg_terminate_backend(pid, {}) FROM pg_stat_activity"
                                 " WHERE datname = current_database() AND {}",
                                 kPatience_ms, which))
                .empty();
  }
  std::unique_ptr<store::PgConnection> connect(const char* purpose) {
    auto connection =
        std::move(*store::PgConnection::open(under_test_.direct_address(), purpose, kPatience_ms, patience_));
    connection->set_limit(kPatience_ms);
    return connection;
  }
  std::unique_ptr<store::PgConnection> listening() {
    auto ear = connect("ear");
    EXPECT_TRUE(ear->run({"listen", "LISTEN fuhyo"}));
    return ear;
  }
  std::vector<std::string> seqs() { return under_test_.ask("SELECT seq FROM journal ORDER BY seq"); }

  PostgresUnderTest under_test_;
  Listener listener_;
  Script script_;
  const store::Patience patience_;
  core::Recovery recovery_;
  std::atomic<int> caught_{0};  // messages that a judge looked for
  std::atomic<std::int64_t> now_ms_{0}, flies_ms_{0};
};

TEST_F(PostgresJournal, ACommitThatArrivedAndWhoseAnswerWasLostIsNotDoneTwice) {
  const auto journal = begin({opened(1)});
  cut_next_commit(Way::to_client);
  ASSERT_TRUE(listener_.keeps(*journal, script_.transaction({started(1), ended(1, 3)})));
  EXPECT_EQ(caught_, 1);
  EXPECT_EQ(listener_.lost(), 1);
  EXPECT_EQ(listener_.back(), 1);
  EXPECT_TRUE(listener_.orderly());
  journal->append(script_.transaction({opened(2)}));
  EXPECT_TRUE(journal->close());
  EXPECT_THAT(seqs(), ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(under_test_.ask("SELECT games FROM player"), ElementsAre("1")) << "counted once";
}

TEST_F(PostgresJournal, ACommitThatDidNotArriveIsDoneAgain) {
  const auto journal = begin({opened(1)});
  cut_next_commit(Way::to_server);
  ASSERT_TRUE(listener_.keeps(*journal, script_.transaction({started(1), ended(1, 3)})));
  EXPECT_EQ(caught_, 1);
  EXPECT_EQ(listener_.lost(), 1);
  EXPECT_THAT(seqs(), ElementsAre("1", "2", "3"));
  EXPECT_THAT(under_test_.ask("SELECT games FROM player"), ElementsAre("1"));
}

// The old session lives on at the server, holds its lock and may still be at work: it is ended before anything is read.
TEST_F(PostgresJournal, ASessionThatTheServerStillHoldsIsReplaced) {
  let_time_fly_when_told();
  const auto journal = begin({opened(1)});
  const auto before = writers();
  under_test_.proxy().fall_silent(true);
  journal->append(script_.transaction({started(1)}));
  flies_ms_ = kPatience_ms;
  ASSERT_TRUE(listener_.wait_lost()) << "silence is noticed";
  EXPECT_THAT(listener_.why(), HasSubstr("does not answer"));
  EXPECT_EQ(listener_.durable(), Seq{1});
  flies_ms_ = 0;
  under_test_.proxy().fall_silent(false);
  ASSERT_TRUE(listener_.wait_durable(Seq{2}));
  EXPECT_TRUE(eventually([&] { return writers().size() == 1; })) << "attempts that were given up go too";
  EXPECT_NE(writers(), before);
  EXPECT_THAT(seqs(), ElementsAre("1", "2"));
}

TEST_F(PostgresJournal, TheEndNeverWaitsLongForADatabaseThatDoesNotAnswer) {
  under_test_.options().close_ms = 300;
  let_time_fly_when_told();
  auto journal = begin({opened(1)});
  under_test_.proxy().fall_silent(true);
  journal->append(script_.transaction({started(1)}));
  flies_ms_ = 100;
  EXPECT_FALSE(journal->close());
  journal.reset();
  EXPECT_LT(now_ms_, kPatience_ms) << "the time for an answer is not waited for";
  EXPECT_EQ(listener_.durable(), Seq{1});
  under_test_.proxy().fall_silent(false);
}

TEST_F(PostgresJournal, AStartWaitsForTheSessionOfAServerThatHasJustEnded) {
  auto journal = open({});
  under_test_.options().lock_wait_ms = 1;
  EXPECT_FALSE(under_test_.make()->open_journal({}, recovery_)) << "but no longer than this";
  under_test_.options().lock_wait_ms = kPatience_ms;
  std::thread ending([&] { journal.reset(); });
  EXPECT_TRUE(open({}));
  ending.join();
}

// As one that was stopped (SIGSTOP, a frozen machine) and whose session an administrator has ended.
TEST_F(PostgresJournal, AWriterThatSleptWhileAnotherOneTookOverWritesNothing) {
  std::atomic<bool> asleep{false};
  core::JournalEvents events = listener_.events();
  events.durable = [inner = events.durable, &asleep](Seq seq) {
    inner(seq);
    asleep.wait(true);
  };
  asleep = true;
  auto old = open(events);
  old->append(script_.transaction({opened(1)}));
  ASSERT_TRUE(listener_.wait_durable_or_lost(Seq{1}));
  old->append(script_.transaction({started(1)}));  // waits until it wakes up
  EXPECT_THAT(refusal(), HasSubstr("is in use by another game server: session "));
  end_sessions("application_name = 'fuhyo journal'");
  Listener other;
  const auto next = open(other.events());
  ASSERT_TRUE(other.keeps(*next, Script(Seq{1}).transaction({rejected(1)})));
  asleep = false;
  asleep.notify_one();
  ASSERT_TRUE(listener_.wait_replaced());
  EXPECT_THAT(listener_.replaced(), HasSubstr("another writer has taken over the journal (epoch 2, ours is 1)"));
  EXPECT_FALSE(old->close());
  EXPECT_EQ(listener_.durable(), Seq{1});
  EXPECT_THAT(under_test_.ask("SELECT kind FROM journal WHERE seq = 2"),
              ElementsAre(fmt::format("{}", core::encode(core::Fact(rejected(1))).kind)));
  EXPECT_TRUE(other.keeps(*next, Script(Seq{2}).transaction({opened(2)}))) << "nobody is in its way";
}

// As on a standby that was behind and has been promoted.
TEST_F(PostgresJournal, ADatabaseThatLacksWhatItConfirmedIsNotGoneOnWith) {
  const auto journal = begin({opened(1), started(1), move(1, 2)});
  under_test_.break_off(true);
  under_test_.ask("DELETE FROM journal WHERE seq = 3");
  under_test_.break_off(false);
  journal->append(script_.transaction({move(1, 3)}));
  ASSERT_TRUE(eventually([&] { return journal->stats().failures >= 3; })) << "it is tried again, in vain";
  EXPECT_EQ(listener_.durable(), Seq{3});
  EXPECT_FALSE(journal->close());
  EXPECT_THAT(seqs(), ElementsAre("1", "2"));
}

TEST_F(PostgresJournal, AnIdleWriterNoticesThatItHasBeenReplaced) {
  under_test_.options().look_every_ms = kLook_ms;
  const auto journal = open(listener_.events());
  under_test_.ask("UPDATE lease SET epoch = epoch + 1");
  ASSERT_TRUE(listener_.wait_replaced());
  EXPECT_THAT(listener_.replaced(), HasSubstr("another writer has taken over"));
  EXPECT_FALSE(journal->close());
}

TEST_F(PostgresJournal, AnIdleWriterNoticesThatTheDatabaseIsAwayAndThenThatItLacksWhatItConfirmed) {
  under_test_.options().look_every_ms = kLook_ms;
  const auto journal = begin({opened(1), started(1), move(1, 2)});
  under_test_.break_off(true);
  ASSERT_TRUE(listener_.wait_lost()) << "nothing is written";
  under_test_.ask("DELETE FROM journal WHERE seq = 3");
  under_test_.break_off(false);
  ASSERT_TRUE(listener_.wait_back());
  journal->append(script_.transaction({move(1, 3)}));
  ASSERT_TRUE(listener_.wait_lost());
  EXPECT_THAT(listener_.why(), HasSubstr("the journal ends with row 2, and not with 3 as was confirmed"));
  EXPECT_EQ(listener_.durable(), Seq{3});
  EXPECT_FALSE(journal->close());
  EXPECT_THAT(seqs(), ElementsAre("1", "2"));
}

TEST_F(PostgresJournal, AStandbySeesWhetherAnybodyWrites) {
  under_test_.options().look_every_ms = kLook_ms;
  const auto store = under_test_.make();
  const auto watch = value_of(store->open_writer_watch());
  EXPECT_EQ(watch->is_written(), false);
  auto journal = open(listener_.events());
  EXPECT_EQ(watch->is_written(), true);
  under_test_.break_off(true);
  EXPECT_FALSE(watch->is_written().has_value()) << "nobody can tell";
  ASSERT_TRUE(listener_.wait_lost());
  under_test_.break_off(false);
  ASSERT_TRUE(listener_.wait_back());
  EXPECT_EQ(watch->is_written(), true);
  watch_for("unlock");
  journal.reset();
  EXPECT_EQ(watch->is_written(), false);
  EXPECT_EQ(caught_, 1) << "an orderly end gives the lock back, and does not leave it to the server";
}

// NOTIFY takes a lock of the whole server: between two of them time has to pass, here more than there is.
TEST_F(PostgresJournal, ListenersAreWokenSeldom) {
  under_test_.options().notify_every_ms = kPatience_ms;
  watch_for("notify");
  const auto ear = listening();
  auto journal = open(listener_.events());
  journal->append(script_.transaction({opened(1), started(1)}));
  EXPECT_EQ(ear->wait_notified(kPatience_ms), true);
  for (std::int32_t ply = 2; ply < 30; ++ply)
    ASSERT_TRUE(listener_.keeps(*journal, script_.transaction({move(1, ply)})));
  EXPECT_EQ(journal->stats().commits, 29U);
  journal.reset();
  EXPECT_EQ(caught_, 1);
}

TEST_F(PostgresJournal, ListenersAreWokenAgainByASessionOfItsOwn) {
  const auto ear = listening();
  const auto journal = open(listener_.events());
  journal->append(script_.transaction({opened(1), started(1)}));
  for (std::int32_t ply = 2; ply < 5; ++ply) {
    EXPECT_EQ(ear->wait_notified(kPatience_ms), true);
    journal->append(script_.transaction({move(1, ply)}));
  }
  EXPECT_EQ(ear->wait_notified(kPatience_ms), true);
  EXPECT_THAT(under_test_.ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'fuhyo notify'"
                              " AND datname = current_database()"),
              ElementsAre("1"));
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
  const store::PostgresOptions& options = under_test_.options();
  auto session = store::open_session(under_test_.direct_address(), options, "test", store::PgUse::commits, patience_);
  ASSERT_TRUE(session);
  EXPECT_TRUE(store::check_server(**session, options));
  const auto now = (*session)->run({"show", "SELECT current_setting('synchronous_commit')"});
  EXPECT_EQ(now->text(0, 0), "on");
  cluster.ask("postgres", "ALTER DATABASE " + under_test_.database() + " RESET synchronous_commit");
}

TEST_F(PostgresJournal, NoErrorTellsThePassword) {
  const auto store =
      store::make_postgres_store(*store::PostgresAddress::parse("postgres://nobody:s3cret@/none?host=" +
                                                                under_test_.cluster().socket_folder().string()),
                                 under_test_.options());
  EXPECT_THAT(error_of(store->open_journal({}, recovery_)),
              ::testing::AllOf(HasSubstr("postgres://nobody@"), ::testing::Not(HasSubstr("s3cret"))));
}

TEST_F(PostgresJournal, TablesOfAnotherProgramAreLeftAlone) {
  under_test_.ask("CREATE TABLE photos (a integer)");
  EXPECT_THAT(refusal(), HasSubstr("holds tables of another program"));
  EXPECT_THAT(under_test_.ask("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"),
              ElementsAre("1"));
}

// ---- migrations ----

using PostgresMigrations = PostgresJournal;

constexpr store::Migration kOne{"0001_one", "CREATE TABLE one (a bigint); INSERT INTO one VALUES (1);"};
constexpr store::Migration kTwo{"0002_two", "CREATE TABLE two (a bigint);"};
constexpr store::Migration kTwoEdited{"0002_two", "CREATE TABLE two (b bigint);"};
constexpr store::Migration kBad{"0002_bad", "CREATE TABLE two (a bigint); INSERT INTO nowhere VALUES (1);"};
constexpr store::Migration kSlow{"0002_slow", "CREATE TABLE two (a bigint); SELECT pg_sleep(3600);"};

template <class... M>
std::expected<std::size_t, std::string> run(store::PgConnection& connection, M... migrations) {
  const std::array<store::Migration, sizeof...(M)> all{migrations...};
  return store::migrate(connection, all);
}

TEST_F(PostgresMigrations, EachRunsOnceAndAFailedOneLeavesNothing) {
  const auto connection = connect("migrating");
  EXPECT_EQ(run(*connection, kOne), 1U);
  EXPECT_EQ(run(*connection, kOne), 0U);
  EXPECT_THAT(error_of(run(*connection, kOne, kBad)),
              HasSubstr("migration 0002_bad failed: relation \"nowhere\" does not exist"));
  EXPECT_THAT(under_test_.ask("SELECT to_regclass('two') IS NULL"), ElementsAre("1"));
  EXPECT_EQ(run(*connection, kOne, kTwo), 1U) << "the same connection goes on";
  EXPECT_THAT(error_of(run(*connection, kOne)), HasSubstr("was written by a newer program: it has migration 0002_two"));
  EXPECT_THAT(error_of(run(*connection, kOne, kTwoEdited)), HasSubstr("has migration 0002_two, which differs"));
}

TEST_F(PostgresMigrations, ASessionKilledHalfwayLeavesTheOldTables) {
  {
    const auto connection = connect("migrating");
    std::thread administrator([&] { EXPECT_TRUE(eventually([&] { return end_sessions("wait_event = 'PgSleep'"); })); });
    EXPECT_FALSE(run(*connection, kOne, kSlow));
    administrator.join();
  }
  EXPECT_THAT(under_test_.ask("SELECT to_regclass('one') IS NULL, to_regclass('two') IS NULL"), ElementsAre("0|1"));
  EXPECT_EQ(run(*connect("migrating"), kOne, kTwo), 1U);
}

// ---- a server of its own, which keeps what it confirms ----

TEST(PostgresDurability, WhatWasAnnouncedSurvivesTheDeathOfTheServer) {
  const auto cluster = PostgresCluster::start({"max_connections=20"});
  ASSERT_TRUE(cluster);
  PostgresUnderTest under_test(*cluster);
  under_test.options().unsafe = false;
  const std::vector<core::Transaction> transactions = workload(200);
  Listener listener;
  core::Recovery recovered;
  auto journal = value_of(under_test.make()->open_journal(listener.events(), recovered));
  for (std::size_t i = 0; i < 100; ++i) journal->append(transactions[i]);
  ASSERT_TRUE(listener.wait_durable(transactions[50].back().seq));
  cluster->kill();
  for (std::size_t i = 100; i < 200; ++i) journal->append(transactions[i]);
  const Seq announced = listener.durable();
  ASSERT_TRUE(cluster->start());
  ASSERT_TRUE(listener.wait_durable(transactions.back().back().seq));
  EXPECT_GE(listener.durable(), announced);
  EXPECT_EQ(listener.committed(), transactions);
  EXPECT_TRUE(listener.orderly());
  EXPECT_TRUE(journal->close());
  journal.reset();
  const auto again = value_of(under_test.make()->open_journal({}, recovered));
  EXPECT_EQ(recovered.last, transactions.back().back().seq);
  EXPECT_EQ((*under_test.make()->open_reader())->read_after(Seq{0}, SIZE_MAX), rows_of(transactions));
}

// A web node looks after each notification, and mostly once more than there is something.
TEST_F(PostgresJournal, LooksForNewerRowsWithoutReadingTheOthers) {
  ASSERT_TRUE(begin({opened(1)})->close());
  under_test_.ask(
      "INSERT INTO journal (seq, game, kind, version, payload)"
      " SELECT n, game, kind, version, payload FROM journal, generate_series(2, 5000) AS n");
  under_test_.ask("ANALYZE journal");
  const auto all_have_ended = [&] {  // and have told what they counted
    return eventually([&] {
      return under_test_
          .ask(
              "SELECT FROM pg_stat_activity WHERE datname = current_database()"
              " AND application_name LIKE 'fuhyo%'")
          .empty();
    });
  };
  const auto scans = [&] {
    under_test_.ask("SELECT FROM pg_stat_force_next_flush()");
    return under_test_.ask("SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'journal'");
  };
  ASSERT_TRUE(all_have_ended());
  const auto before = scans();
  auto reader = value_of(under_test_.make()->open_reader());
  for (int look = 0; look < 20; ++look) {  // after the fifth PostgreSQL makes a plan for any number
    EXPECT_EQ(reader->wait_after(Seq{5000}, std::chrono::milliseconds(0)), false);
    EXPECT_EQ(reader->wait_after(Seq{4999}, std::chrono::milliseconds(0)), true);
  }
  reader.reset();
  ASSERT_TRUE(all_have_ended());
  EXPECT_EQ(scans(), before);
}

}  // namespace
}  // namespace fuhyo::test
