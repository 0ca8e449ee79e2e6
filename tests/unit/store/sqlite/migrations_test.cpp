// Schemas: old files are brought up, foreign, newer and altered ones are refused in words.
#include "server/store/sqlite/migrations.h"

#include <array>
#include <gmock/gmock.h>

#include "server/store/sqlite/database.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/journal_script.h"

namespace fuhyo::test {
namespace {

using store::Database;
using store::Migration;
using ::testing::HasSubstr;

constexpr Migration kOne{"0001_one", "CREATE TABLE one (a INTEGER) STRICT; INSERT INTO one VALUES (1);"};
constexpr Migration kTwo{"0002_two", "ALTER TABLE one ADD COLUMN b INTEGER NOT NULL DEFAULT 7;"};
constexpr Migration kTwoEdited{"0002_two", "ALTER TABLE one ADD COLUMN c INTEGER NOT NULL DEFAULT 7;"};
constexpr Migration kBad{"0002_bad", "CREATE TABLE two (a INTEGER); INSERT INTO nowhere VALUES (1);"};

class Migrations : public ::testing::Test {
 protected:
  Database open() {
    auto db = Database::open(folder_.file("x.db"), Database::Access::create, nullptr, 100);
    EXPECT_TRUE(db.has_value()) << db.error().message;
    return std::move(*db);
  }
  TemporaryFolder folder_;
};

template <class... M>
std::expected<std::size_t, std::string> run(Database& db, M... migrations) {
  const std::array<Migration, sizeof...(M)> all{migrations...};
  return store::migrate(db, all);
}

template <class... M>
std::string refusal(Database& db, M... migrations) {
  return error_of(run(db, migrations...));
}

TEST_F(Migrations, EachRunsOnceAndAFailedOneLeavesNothing) {
  Database db = open();
  EXPECT_EQ(run(db, kOne), 1U);
  EXPECT_EQ(run(db, kOne), 0U);
  EXPECT_EQ(db.integer("SELECT count(*) FROM one").value(), 1);
  EXPECT_EQ(refusal(db, kOne, kBad), "migration 0002_bad failed: no such table: nowhere");
  EXPECT_EQ(db.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'two'").value(), 0);
  EXPECT_EQ(run(db, kOne, kTwo), 1U) << "the corrected program can go on";
  EXPECT_EQ(db.integer("SELECT b FROM one").value(), 7);
  EXPECT_EQ(refusal(db, kOne),
            "was written by a newer program: it has migration 0002_two, this program knows 0001_one");
  EXPECT_EQ(refusal(db, kOne, kTwoEdited), "has migration 0002_two, which differs from this program's 0002_two");
}

TEST_F(Migrations, AForeignDatabaseIsRefusedAndUntouched) {
  Database db = open();
  ASSERT_TRUE(db.run("CREATE TABLE photos (a)"));
  EXPECT_EQ(refusal(db, kOne), "is a SQLite database, but not one of this program");
  EXPECT_EQ(db.integer("SELECT count(*) FROM sqlite_schema").value(), 1);
}

TEST_F(Migrations, AnotherProgramsEmptyDatabaseIsRefused) {
  Database db = open();
  ASSERT_TRUE(db.run("PRAGMA application_id = 252006673"));  // Fossil's
  EXPECT_FALSE(run(db, kOne));
}

TEST_F(Migrations, WhatIsNoDatabaseIsRefused) {
  folder_.write("x.db", std::string(8192, 'x'));
  Database db = open();
  EXPECT_THAT(refusal(db, kOne), HasSubstr("file is not a database"));
}

TEST_F(Migrations, OursGiveStrictTablesOnly) {
  Database db = open();
  ASSERT_TRUE(store::migrate(db, store::sqlite_migrations()));
  EXPECT_EQ(db.integer("SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 0"
                       " AND name NOT LIKE 'sqlite_%'")
                .value(),
            0);
  EXPECT_EQ(db.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'journal'").value(), 0);
}

}  // namespace
}  // namespace fuhyo::test
