// The SQLite store under the contract of every store.
#include <atomic>
#include <fmt/format.h>
#include <utility>

#include "server/store/sqlite/journal.h"
#include "server/store/sqlite/reader.h"
#include "tests/unit/store/journal_contract.h"
#include "tests/unit/store/journal_script.h"
#include "tests/unit/store/sqlite/fault_vfs.h"

namespace fuhyo::test {
namespace {

using store::Database;

class SqliteUnderTest : public StoreUnderTest {
 public:
  SqliteUnderTest() {
    options_.file = folder_.file("journal.db");
    options_.vfs = disk_.name();
    options_.limits.retry_first_ms = 1;
    options_.limits.retry_longest_ms = 10;
    options_.limits.prune_rows = 2;
    disk_.set_fault([this](Io io, std::uint64_t) { return full_ && io == Io::write ? SQLITE_FULL : SQLITE_OK; });
  }

  std::expected<std::unique_ptr<core::Journal>, std::string> open(core::JournalEvents events, core::Recovery& out,
                                                                  Retention retention) override {
    options_.limits.keep_us = retention.keep_us;
    options_.limits.keep_rows = retention.keep_rows;
    return store::open_sqlite_journal(options_, std::move(events), out);
  }
  std::unique_ptr<store::JournalReader> reader() override {
    auto reader = store::SqliteReader::open(options_);
    EXPECT_TRUE(reader.has_value()) << reader.error();
    return reader ? std::move(*reader) : nullptr;
  }
  void break_disk(bool broken) override { full_ = broken; }
  void take_lease() override {
    auto db = Database::open(options_.file, Database::Access::write, options_.vfs, 1000);
    ASSERT_TRUE(db && db->run("UPDATE lease SET epoch = epoch + 1"));
  }
  std::vector<Archived> archive() override {
    auto db = Database::open(options_.file, Database::Access::write, options_.vfs, 1000);
    auto rows = db->prepare(
        "SELECT game, preset_plies, plies, csa_id, black_name, white_name, end_kind, outcome, moves, notes FROM game"
        " ORDER BY game");
    std::vector<Archived> all;
    while (rows->step().value_or(false)) {
      Archived& row = all.emplace_back();
      row.game = static_cast<std::uint64_t>(rows->integer(0));
      row.preset_plies = rows->integer(1);
      row.plies = rows->integer(2);
      int column = 3;
      for (std::string* text :
           {&row.csa_id, &row.black, &row.white, &row.end_kind, &row.outcome, &row.moves, &row.notes}) {
        *text = rows->bytes(column++);
      }
    }
    return all;
  }

 private:
  TemporaryFolder folder_;
  std::atomic<bool> full_{false};
  FaultVfs disk_;
  store::SqliteOptions options_;
};

INSTANTIATE_TEST_SUITE_P(Sqlite, JournalContract, ::testing::Values([]() -> std::unique_ptr<StoreUnderTest> {
                           return std::make_unique<SqliteUnderTest>();
                         }));

}  // namespace
}  // namespace fuhyo::test
