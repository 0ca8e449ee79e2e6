// The SQLite store under the contracts of every store.
#include <atomic>

#include "server/store/sqlite/database.h"
#include "server/store/sqlite/store.h"
#include "tests/unit/store/contract/contracts.h"
#include "tests/unit/store/sqlite/fault_vfs.h"

namespace fuhyo::test {
namespace {

using store::Database;

class SqliteUnderTest : public StoreUnderTest {
 public:
  SqliteUnderTest() {
    disk_.set_fault([this](Io io, std::uint64_t) {
      if (++operations_ == fail_at_) return error_of(io);
      return full_ && io == Io::write ? SQLITE_FULL : SQLITE_OK;
    });
  }

  using StoreUnderTest::make;
  std::unique_ptr<store::Store> make(const store::JournalLimits& limits) override {
    return store::make_sqlite_store(
        {.file = file_, .vfs = disk_.name(), .limits = limits, .busy_ms = kPatience_ms, .warn = {}});
  }
  void break_off(bool broken) override { full_ = broken; }
  std::vector<std::string> ask(const std::string& sql) override {
    auto db = Database::open(file_, Database::Access::write, disk_.name(), kPatience_ms);
    auto rows = db->prepare(sql);
    EXPECT_TRUE(rows.has_value()) << rows.error().message;
    std::vector<std::string> all;
    while (rows && rows->step().value_or(false)) {
      std::string& line = all.emplace_back();
      for (int column = 0; column < rows->columns(); ++column) {
        if (column > 0) line += '|';
        line += rows->bytes(column);
      }
    }
    return all;
  }
  std::string migrations() const override { return "migration"; }
  void fail_at(std::uint64_t n) override {
    operations_ = 0;
    fail_at_ = n;
  }
  std::uint64_t operations() const override { return operations_; }

 private:
  TemporaryFolder folder_;
  const std::string file_ = folder_.file("journal.db");
  std::atomic<bool> full_{false};
  std::atomic<std::uint64_t> operations_{0}, fail_at_{0};
  FaultVfs disk_;
};

std::unique_ptr<StoreUnderTest> make_sqlite() { return std::make_unique<SqliteUnderTest>(); }

}  // namespace

INSTANTIATE_STORE_CONTRACTS(Sqlite, make_sqlite);

}  // namespace fuhyo::test
