// What only the SQLite store has: its file, its lock, its log, its syncs.
#include "server/store/sqlite/journal.h"

#include <climits>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "server/store/sqlite/database.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/journal_script.h"
#include "tests/unit/store/sqlite/fault_vfs.h"

namespace fuhyo::test {
namespace {

using core::Recovery;
using core::Seq;
using core::Transaction;
using store::Database;

using ::testing::HasSubstr;

int wal_pages(const store::QueuedJournal& journal) {
  for (const store::Counter& counter : journal.counters()) {
    if (counter.what == "pages in the log") return std::stoi(counter.value);
  }
  ADD_FAILURE() << "there is no such counter";
  return 0;
}

class SqliteJournalTest : public ::testing::Test {
 protected:
  SqliteJournalTest() { options_.file = folder_.file("journal.db"); }

  std::unique_ptr<store::QueuedJournal> open(Listener& listener) {
    return value_of(store::open_sqlite_journal(options_, listener.events(), recovery_));
  }
  std::string refusal() { return error_of(store::open_sqlite_journal(options_, {}, recovery_)); }

  TemporaryFolder folder_;
  store::SqliteOptions options_;
  Recovery recovery_;
};

TEST_F(SqliteJournalTest, ASecondWriterIsToldWhoTheFirstIs) {
  Listener listener;
  const auto journal = open(listener);
  EXPECT_EQ(refusal(), fmt::format("{}: is in use by process {}", options_.file, getpid()));
}

TEST_F(SqliteJournalTest, AMissingFolderIsNamed) {
  options_.file = folder_.file("none/journal.db");
  EXPECT_THAT(refusal(), HasSubstr("none/journal.db: cannot open"));
  EXPECT_THAT(refusal(), HasSubstr("No such file or directory"));
}

TEST_F(SqliteJournalTest, WhatIsNoDatabaseIsRefusedAndUntouched) {
  const std::string text(8192, 'x');
  folder_.write("journal.db", text);
  EXPECT_THAT(refusal(), HasSubstr("journal.db: file is not a database"));
  EXPECT_EQ(folder_.read("journal.db"), text);
}

// FULL in deed: one sync of the log for each commit, and never more rows announced than synced.
TEST_F(SqliteJournalTest, EveryCommitIsSynced) {
  FaultVfs disk;
  options_.vfs = disk.name();
  options_.checkpoint_pages = 1'000'000;
  Listener listener;
  const auto journal = open(listener);
  const std::vector<Transaction> transactions = workload(50);
  ASSERT_TRUE(listener.keeps(*journal, transactions[0]));  // the log begins anew, with one sync more for its header
  const std::uint64_t before = disk.syncs();
  for (std::size_t i = 1; i < transactions.size(); ++i) ASSERT_TRUE(listener.keeps(*journal, transactions[i]));
  EXPECT_EQ(disk.syncs() - before, 49U);
  EXPECT_EQ(journal->stats().commits, 50U);
}

TEST_F(SqliteJournalTest, TheLogBeginsAnewUnderUnbrokenLoad) {
  FaultVfs disk;
  options_.vfs = disk.name();
  options_.checkpoint_pages = 20;
  options_.wal_pages = 50;
  Listener listener;
  const auto journal = open(listener);
  Script script;
  ASSERT_TRUE(listener.keeps(*journal, script.transaction({opened(1), started(1)})));
  const std::uint64_t before_load = disk.log_beginnings();
  for (std::int32_t ply = 2; disk.log_beginnings() < before_load + 3; ++ply) {
    ASSERT_LT(ply, 100'000) << "the log only grows: " << wal_pages(*journal) << " pages";
    const Seq before = script.last();
    journal->append(script.transaction({move(1, ply)}));  // one is always waiting while another is written
    ASSERT_TRUE(listener.wait_durable(before));
  }
  EXPECT_TRUE(journal->close());
}

TEST_F(SqliteJournalTest, AForeignReaderOfOldRowsHoldsUpNeitherCommitsNorAStart) {
  FaultVfs disk;
  options_.vfs = disk.name();
  options_.checkpoint_pages = 10;
  options_.wal_pages = 20;
  options_.busy_ms = INT_MAX;  // whoever waits for the reader does so for ever
  Listener listener;
  auto journal = open(listener);
  Script script;
  ASSERT_TRUE(listener.keeps(*journal, script.transaction({opened(1), started(1)})));
  auto reader = Database::open(options_.file, Database::Access::write, options_.vfs, 0);
  ASSERT_TRUE(reader && reader->run("BEGIN; SELECT count(*) FROM journal"));
  for (std::int32_t ply = 2; ply < 300; ++ply) {
    ASSERT_TRUE(listener.keeps(*journal, script.transaction({move(1, ply)}))) << "the reader was waited for";
  }
  EXPECT_GT(wal_pages(*journal), 200) << "the reader was not in the way";
  journal.reset();
  journal = open(listener);
  EXPECT_EQ(recovery_.last, script.last());
  ASSERT_TRUE(reader->run("COMMIT"));
}

using SqliteJournalDeathTest = SqliteJournalTest;

TEST_F(SqliteJournalDeathTest, AGapInTheSeqsEndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Listener listener;
  const auto journal = open(listener);
  Script script;
  journal->append(script.transaction({opened(1)}));
  script.transaction({started(1)});
  EXPECT_DEATH(journal->append(script.transaction({move(1, 2)})), "seq 3 was appended after 1");
}

}  // namespace
}  // namespace fuhyo::test
