// Where a store is, as people write it; and the steps by which its tables are made.
#include "server/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/store/migrations.h"
#include "server/store/postgres/address.h"
#include "server/store/postgres/text.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/journal_script.h"

namespace fuhyo::test {
namespace {

using store::make_store;
using ::testing::HasSubstr;

TEST(StoreAddress, NamesAFileOrADatabase) {
  EXPECT_EQ((*make_store("sqlite:/srv/x.db"))->name(), "/srv/x.db");
  EXPECT_EQ((*make_store("postgres://fuhyo@db/games"))->name(), "postgres://fuhyo@db/games");
  EXPECT_EQ((*make_store("postgresql://fuhyo:s3cret@db:5433/games?sslmode=require"))->name(),
            "postgres://fuhyo@db:5433/games");
  EXPECT_EQ((*make_store(store::store_of_folder("/srv")))->name(), "/srv/fuhyo.db");
}

TEST(StoreAddress, WhatIsNoneIsRefusedWithoutItsPassword) {
  for (const char* wrong : {"", "sqlite:", "/srv/x.db", "mysql://db/games", "postgres:db", "postgres://a:s3cret@[db/y",
                            "postgres://a:s3cret%zz@db/y", "postgres://a:s3cret@db/y?no=such"}) {
    const auto refused = make_store(wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_THAT(refused.error(), ::testing::Not(HasSubstr("s3cret")));
  }
}

TEST(StoreAddress, AMessageThatHasThePasswordLosesIt) {
  const auto address = store::PostgresAddress::parse("postgres://a:s%33cret@db/y");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->without_secrets("not s3cret, s3crets3cret"), "not ***, ******");
  EXPECT_EQ(store::without_password("postgres://a:s%33cret@db/y?password=x"), "postgres://a:***@db/y?password=***");
  EXPECT_EQ(store::without_password("postgres://a@db:5433/y?options=a:b@c"), "postgres://a@db:5433/y?options=a:b@c");
  EXPECT_EQ(store::without_password("sqlite:/a:b@c"), "sqlite:/a:b@c");
}

TEST(StoreSchema, OfAFileIsReadWithoutChangingIt) {
  TemporaryFolder folder;
  const auto store = *make_store("sqlite:" + folder.file("x.db"));
  auto schema = store->schema();
  ASSERT_TRUE(schema) << schema.error();
  EXPECT_EQ(schema->done, 0U);
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.db")));
  const auto taken = store->migrate();
  ASSERT_TRUE(taken) << taken.error();
  EXPECT_EQ(*taken, schema->steps);
  EXPECT_EQ(store->schema()->done, schema->steps.size());
  EXPECT_TRUE(store->migrate()->empty());
  core::Recovery recovery;
  const auto journal = store->open_journal({}, recovery);
  EXPECT_THAT(store->migrate().error(), HasSubstr("is in use by"));
}

TEST(StoreSchema, HasTheSameStepsInBothDatabasesAndInTheirFolders) {
  const auto sqlite = store::sqlite_migrations(), postgres = store::postgres_migrations();
  ASSERT_GE(sqlite.size(), 1U);
  ASSERT_EQ(sqlite.size(), postgres.size());
  for (std::size_t i = 0; i < sqlite.size(); ++i) {
    const std::string name(sqlite[i].name);
    EXPECT_EQ(postgres[i].name, name);
    EXPECT_EQ(std::stoul(name.substr(0, 4)), i + 1) << name;
    for (const auto& [folder, sql] : {std::pair("sqlite", sqlite[i].sql), std::pair("postgres", postgres[i].sql)}) {
      EXPECT_EQ(sql, read_file(FUHYO_SOURCE_DIR "/migrations/" + std::string(folder) + "/" + name + ".sql")) << folder;
    }
  }
}

// ---- bytes of any encoding in a database that takes UTF-8 ----

TEST(PostgresText, AsciiAndJapaneseStayAsTheyAre) {
  for (const char* text : {"", "+7776FU,T1", "第1回", "\xf0\xa9\xb8\xbd", "\x7f\x01\n"}) {
    EXPECT_EQ(store::to_utf8(text), text);
    EXPECT_EQ(store::from_utf8(text), text);
  }
}

TEST(PostgresText, EveryOtherByteComesBack) {
  std::vector<std::string> hard = {
      std::string("\0", 1), "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe3\x81",     "\xf5\x80\x80\x80",
      "\xe0\x80\x80",       "\x80",     "a\xffz",       "\xf0\x8f\xbf\xbf", "\xee\xbc\x80", "\xee\xbf\xbf"};
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  hard.push_back(all);
  hard.push_back(store::to_utf8(all));  // what looks like an escape already
  for (const std::string& bytes : hard) {
    const std::string text = store::to_utf8(bytes);
    EXPECT_EQ(store::from_utf8(text), bytes);
    EXPECT_EQ(text.find('\0'), std::string::npos);
    EXPECT_NE(text, bytes);
  }
}

}  // namespace
}  // namespace fuhyo::test
