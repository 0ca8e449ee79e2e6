// Every operation on a file fails in turn, once or for good. The store reports it, loses nothing, and never announces
// what a power cut could still take back.
#include <algorithm>
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>

#include "server/store/sqlite/journal.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/journal_script.h"
#include "tests/unit/store/sqlite/fault_vfs.h"

namespace fuhyo::test {
namespace {

using core::Seq;
using core::Transaction;

constexpr std::size_t kTransactions = 24;
constexpr int kMisses = 5;

TEST(SqliteFaultPauses, AreThoseOfTheirSeed) {
  Pauses first(1), again(1), other(2);
  bool same = true;
  int held_up = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto pause = first.next();
    EXPECT_EQ(again.next(), pause);
    EXPECT_LE(pause, Pauses::kLongest);
    same = other.next() == pause && same;
    held_up += pause.count() > 0 ? 1 : 0;
  }
  EXPECT_FALSE(same);
  EXPECT_GT(held_up, 0);
  EXPECT_LT(held_up, 500);
}

class SqliteFault : public ::testing::Test {
 protected:
  void SetUp() override { begin(); }

  void begin() {
    folder_.emplace();
    disk_.emplace();
    options_ = small_log(folder_->file("journal.db"), *disk_);
    options_.warn = [this](std::string_view text) {
      EXPECT_THAT(std::string(text), ::testing::HasSubstr("kept until the next start"));
      ++logs_kept_;
    };
  }

  std::unique_ptr<store::QueuedJournal> open(Listener& listener) {
    auto journal = store::open_sqlite_journal(options_, listener.events(), recovery_);
    if (journal) return std::move(*journal);
    EXPECT_THAT(journal.error(), ::testing::StartsWith(options_.file + ": "));
    return nullptr;
  }

  void append(store::QueuedJournal& journal, Listener& listener) {
    for (const Transaction& transaction : transactions_) {
      journal.append(transaction);
      if (core::value(transaction.back().seq) % 2 == 0) listener.wait_durable_or_lost(transaction.back().seq);
    }
  }

  // What is left after a power cut now.
  Seq last_after_power_cut() {
    disk_->cut_power();
    const auto after = folder_->path() / "after";
    disk_->salvage(after, 0);
    return recovery_in(after).last;
  }

  const std::vector<Transaction> transactions_ = workload(kTransactions);
  const Seq last_ = transactions_.back().back().seq;
  std::optional<TemporaryFolder> folder_;
  std::optional<FaultVfs> disk_;
  store::SqliteOptions options_;
  core::Recovery recovery_;
  std::atomic<int> logs_kept_{0};
};

class SqliteFaultRun : public SqliteFault, public ::testing::WithParamInterface<std::uint64_t> {};

// That many operations in a row fail. The longer runs take the retry with them, and the closing of the connection.
INSTANTIATE_TEST_SUITE_P(, SqliteFaultRun, ::testing::Values(1, 2, 3, 8),
                         [](const auto& length) { return "Of" + std::to_string(length.param); });

TEST_P(SqliteFaultRun, EveryOperationMayFail) {
  const std::uint64_t length = GetParam();
  const std::uint64_t stride = std::max(every(5), (length + 1) / 2);  // long runs overlap all the same
  std::uint64_t failed_opens = 0, episodes = 0;
  int missed =
      0;  // the last runs ended before their failure came; how transactions share commits differs from run to run
  for (std::uint64_t bad = 1; missed < kMisses; bad += stride) {
    SCOPED_TRACE(bad);
    begin();
    disk_->set_fault(
        [=](Io io, std::uint64_t n) { return n >= bad && n < bad + length ? error_of(io, n) : SQLITE_OK; });
    Listener listener;
    auto journal = open(listener);
    if (!journal && length == 1) EXPECT_TRUE(std::filesystem::is_empty(folder_->path())) << "as before";
    for (std::uint64_t tries = 0; !journal && tries < length; ++tries) {
      ++failed_opens;
      journal = open(listener);
    }
    ASSERT_TRUE(journal) << "each failed try took a failure with it";
    append(*journal, listener);
    ASSERT_TRUE(listener.wait_durable(last_));
    EXPECT_EQ(listener.committed(), transactions_);
    EXPECT_TRUE(listener.orderly());
    EXPECT_EQ(listener.lost(), listener.back());
    episodes += static_cast<std::uint64_t>(listener.lost());
    const bool happened = disk_->operations() >= bad;
    EXPECT_EQ(last_after_power_cut(), last_);
    missed = happened ? 0 : missed + 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(failed_opens * stride, 10U);
  EXPECT_GT(episodes * stride, 20U);
  // One operation in five may miss all syncs of checkpoints, which lie elsewhere in every run.
  if (!kSanitized) EXPECT_GT(logs_kept_, 0);
}

// A checkpoint whose sync failed may have left the database without what it moved.
TEST_F(SqliteFault, AStoreThatCannotBeOpenedAndNotBeRemovedKeepsItsLog) {
  options_.checkpoint_pages = 1'000'000;
  Listener listener;
  auto journal = open(listener);
  ASSERT_TRUE(journal);
  const std::uint64_t syncs = disk_->syncs();
  journal.reset();
  begin();
  options_.checkpoint_pages = 1'000'000;
  disk_->set_fault([syncs, seen = std::uint64_t{0}, refused = false](Io io, std::uint64_t n) mutable {
    if (io == Io::sync || io == Io::sync_database) return ++seen >= syncs ? error_of(io, n) : SQLITE_OK;
    if (io != Io::remove || seen < syncs || refused) return SQLITE_OK;
    refused = true;
    return error_of(io, n);
  });
  EXPECT_FALSE(open(listener));
  EXPECT_TRUE(std::filesystem::exists(options_.file));
  EXPECT_GT(std::filesystem::file_size(options_.file + "-wal"), 100'000U);
}

TEST_F(SqliteFault, EveryOperationMayFailForGood) {
  int missed =
      0;  // the last runs ended before their failure came; how transactions share commits differs from run to run
  for (std::uint64_t bad = 1; missed < kMisses; bad += every(5)) {
    SCOPED_TRACE(bad);
    begin();
    disk_->set_fault([bad](Io io, std::uint64_t n) { return n >= bad ? error_of(io, n) : SQLITE_OK; });
    Listener listener;
    auto journal = open(listener);
    if (journal) {
      append(*journal, listener);
      EXPECT_EQ(journal->close(), listener.durable() == last_);
      EXPECT_LE(listener.lost(), 1);
      EXPECT_EQ(listener.back(), 0);
      journal.reset();
    }
    const bool happened = disk_->operations() >= bad;
    disk_->set_fault({});
    {  // repaired: the announced transactions are there, in the files as they are
      Listener again;
      journal = open(again);
      ASSERT_TRUE(journal);
      EXPECT_GE(recovery_.last, listener.durable());
      EXPECT_LE(recovery_.last, last_);
    }
    missed = happened ? 0 : missed + 1;
    if (HasFailure()) return;
  }
}

// Of what a checkpoint had moved, a failed sync made the system forget some. SQLite would not move it again.
TEST_F(SqliteFault, ALogThatWasNotMovedSafelyIsKept) {
  options_.checkpoint_pages = 1;  // after the last commit, too: nothing is written beside that checkpoint, so it syncs
  Listener listener;
  const auto journal = open(listener);
  ASSERT_TRUE(listener.keeps(*journal, transactions_[0]));
  disk_->set_fault([](Io io, std::uint64_t n) { return io == Io::sync_database ? error_of(io, n) : SQLITE_OK; });
  for (std::size_t i = 1; i < transactions_.size(); ++i) journal->append(transactions_[i]);
  ASSERT_TRUE(eventually([&] { return logs_kept_ > 0; }));
  disk_->set_fault({});
  ASSERT_TRUE(listener.wait_durable(last_));
  EXPECT_EQ(listener.lost(), 0);
  EXPECT_EQ(logs_kept_, 1);
  EXPECT_EQ(last_after_power_cut(), last_);
}

// The first page is written before there is a log. Its sync fails, then the reading that would take it back, then the
// removal of the file. SQLite deletes the log of a file that a power cut leaves empty: the next start must make that
// page safe before it announces rows.
TEST_F(SqliteFault, TheFirstPageThatAFailedCreationLeftIsMadeSafe) {
  options_.checkpoint_pages = 1'000'000;  // no checkpoint that would write the page once more
  Listener listener;
  std::uint64_t first = 0;
  disk_->set_fault([&](Io io, std::uint64_t n) {
    if (first == 0 && io == Io::sync_database) first = n;
    return first != 0 && n < first + 3 ? error_of(io, n) : SQLITE_OK;
  });
  ASSERT_FALSE(open(listener));
  ASSERT_FALSE(std::filesystem::is_empty(options_.file)) << "no page is left";
  const auto journal = open(listener);
  ASSERT_TRUE(journal);
  ASSERT_TRUE(listener.keeps(*journal, transactions_[0]));
  EXPECT_EQ(last_after_power_cut(), transactions_[0].back().seq);
}

// A commit's sync fails, and so does everything that closing the connection tries: the rows stay in the log, in memory
// only. The next connection sees them there. A power cut right after they are announced must not take them back.
TEST_F(SqliteFault, RowsSeenAfterAFailedSyncAreMadeSafe) {
  options_.checkpoint_pages = 1'000'000;  // no other connection that would keep the log's end
  Listener listener;
  const auto journal = open(listener);
  ASSERT_TRUE(listener.keeps(*journal, transactions_[0]));
  enum { waiting, failing, done } phase = waiting;
  std::uint64_t writes_after = 0;
  disk_->set_fault([&](Io io, std::uint64_t n) {
    if (phase == waiting && io == Io::sync) phase = failing;
    if (phase == failing && io == Io::open) phase = done;
    if (phase == done && io == Io::write) ++writes_after;
    return phase == failing ? error_of(io, n) : SQLITE_OK;
  });
  ASSERT_TRUE(listener.keeps(*journal, transactions_[1]));
  disk_->set_fault({});
  EXPECT_EQ(phase, done);
  EXPECT_GT(writes_after, 0U) << "they are believed only where they have been written again";
  EXPECT_EQ(listener.committed(), (std::vector<Transaction>{transactions_[0], transactions_[1]}));
  EXPECT_EQ(last_after_power_cut(), transactions_[1].back().seq);
}

TEST_F(SqliteFault, AFullDiskKeepsEverythingUntilThereIsRoom) {
  Listener listener;
  const auto journal = open(listener);
  ASSERT_TRUE(listener.keeps(*journal, transactions_[0]));
  disk_->set_fault([](Io io, std::uint64_t) { return io == Io::write ? SQLITE_FULL : SQLITE_OK; });
  for (std::size_t i = 1; i < transactions_.size(); ++i) journal->append(transactions_[i]);
  ASSERT_TRUE(listener.wait_lost());
  EXPECT_THAT(listener.why(), ::testing::HasSubstr("database or disk is full"));
  disk_->set_fault({});
  ASSERT_TRUE(listener.wait_durable(last_));
  EXPECT_EQ(listener.lost(), 1);
  EXPECT_EQ(listener.back(), 1);
  EXPECT_GT(journal->stats().failures, 0U);
}

}  // namespace
}  // namespace fuhyo::test
