// The text of exports: whatever is damaged, cut off, of another version or no export at all is noticed.
#include <cstring>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "server/store/migrations.h"
#include "server/store/sqlite/database.h"
#include "server/store/transfer/sha256.h"
#include "tests/support/sanitized.h"
#include "tests/unit/store/contract/contracts.h"

namespace fuhyo::test {
namespace {

using store::Cell, store::Row, store::Table, store::TransferFault;
using testing::HasSubstr, testing::StartsWith;

Cell text(std::string value) { return {.bytes = std::move(value)}; }

// Rows in memory.
class FakeDump : public store::Dump {
 public:
  std::map<std::string_view, std::vector<Row>> rows;

  std::expected<std::uint64_t, std::string> count(const Table& table) override {
    return rows[table.name].size() + wrong;
  }
  std::expected<void, std::string> open(const Table& table) override {
    open_ = &rows[table.name];
    at_ = 0;
    return {};
  }
  std::expected<bool, std::string> next(Row& row) override {
    if (at_ == open_->size()) return false;
    row = (*open_)[at_++];
    return true;
  }
  std::expected<std::vector<std::string>, std::string> faults() override { return std::vector<std::string>{}; }

  std::uint64_t wrong = 0;

 private:
  const std::vector<Row>* open_ = nullptr;
  std::size_t at_ = 0;
};

// Two rows in every table.
FakeDump two_of_each() {
  FakeDump dump;
  for (const Table& table : store::tables()) {
    for (int i = 0; i < 2; ++i) {
      Row row;
      for (std::size_t column = 0; column < table.columns.size(); ++column) {
        row.push_back({.number = i, .real = i + 0.1, .bytes = "a\\\t\n\xff b"});
      }
      dump.rows[table.name].push_back(std::move(row));
    }
  }
  return dump;
}

// All rows, or what is wrong.
std::expected<std::size_t, TransferFault> read(std::string_view bytes, std::size_t portion = 7) {
  auto reader = store::ExportReader::open(source_of(bytes, portion));
  if (!reader) return std::unexpected(reader.error());
  Row row;
  std::size_t table = 0, rows = 0;
  for (;;) {
    const auto there = reader->next(table, row);
    if (!there) return std::unexpected(there.error());
    if (!*there) return rows;
    ++rows;
  }
}

std::string fault(std::string_view bytes) {
  const auto done = read(bytes, 1000);
  if (done) return "none";
  EXPECT_EQ(done.error().of, TransferFault::Of::content);
  return done.error().text;
}

std::string replaced(std::string bytes, std::string_view former, std::string_view later) {
  const std::size_t at = bytes.find(former);
  EXPECT_NE(at, std::string::npos) << former;
  return bytes.replace(at, former.size(), later);
}

TEST(Sha256, TheExamplesOfTheStandard) {
  const auto of = [](std::string_view bytes, std::size_t portion) {
    store::Sha256 sha;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(portion, bytes.size()))) sha.add(bytes.substr(0, portion));
    return sha.finish();
  };
  for (const std::size_t portion : {1U, 3U, 63U, 64U, 65U, 5000U}) {
    EXPECT_EQ(of("", portion), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(of("abc", portion), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", portion),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(of(std::string(1000, 'a'), portion), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
  }
}

TEST(ExportRow, EveryByteTravels) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  std::string line, back;
  store::append_escaped(line, all);
  EXPECT_TRUE(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; }));
  EXPECT_TRUE(store::parse_escaped(line, back));
  EXPECT_EQ(back, all);
  for (const char* wrong : {"\\", "\\q", "\\x", "\\x1", "\\xg0", "\\x0G", "a\tb", "\xe3", "\\xAB"}) {
    EXPECT_FALSE(store::parse_escaped(wrong, back)) << wrong;
  }
}

TEST(ExportRow, NumbersAreWhole) {
  const Table& used = store::table_of(store::TableId::used);
  Row row;
  EXPECT_TRUE(store::parse_row("\t9223372036854775807\t-1", used, row));
  EXPECT_EQ(row[0].number, INT64_MAX);
  EXPECT_EQ(row[1].number, -1);
  for (const char* wrong : {"", "\t1", "\t1\t2\t3", "1\t2", "\t1\tx", "\t1\t", "\t1\t2 ", "\t1\t9223372036854775808"}) {
    EXPECT_FALSE(store::parse_row(wrong, used, row)) << wrong;
  }
  const Table& rating = store::table_of(store::TableId::rating);
  const Row rates = {text("d"), text("p"), {.real = 0.1}, {.real = -1e300}};
  std::string line;
  store::append_row(line, rating, rates);
  line.pop_back();
  ASSERT_TRUE(store::parse_row(line, rating, row));
  EXPECT_EQ(row[2].real, 0.1);
  EXPECT_EQ(row[3].real, -1e300);
  EXPECT_FALSE(store::parse_row("\td\tp\tnan\t1", rating, row));
}

TEST(ExportRow, TextsAreOrderedAsDatabasesOrderThem) {
  EXPECT_TRUE(store::text_before("a", "b"));
  EXPECT_FALSE(store::text_before("a", "a"));
  EXPECT_TRUE(store::text_before("a", "aa"));
  EXPECT_TRUE(store::text_before("\xff", "\xef\xbf\xbd")) << "U+EFFF is before U+FFFD";
  EXPECT_TRUE(store::text_before("\xe3\x81\x82", "\x80")) << "U+3042 is before U+EF80";
}

// A migration that adds a table or a column has to say how it travels.
TEST(ExportTables, AreAllThereAre) {
  EXPECT_EQ(store::kSchema, store::sqlite_migrations().size());
  EXPECT_EQ(store::kSchema, store::postgres_migrations().size());
  EXPECT_TRUE(std::filesystem::exists(
      fmt::format(FUHYO_SOURCE_DIR "/tests/golden/exports/schema_{}.export", store::kSchema - 1)))
      << "an export of the former schema, which transfer_contract.cpp reads";
  TemporaryFolder folder;
  const std::string file = folder.file("fuhyo.db");
  ASSERT_TRUE((*store::make_store("sqlite:" + file))->migrate());
  auto db = store::Database::open(file, store::Database::Access::read, nullptr, 1000);
  auto rows = db->prepare(
      "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'"
      " AND t.name NOT IN ('lease', 'migration') AND NOT (t.name = 'used' AND c.name = 'id')");
  std::vector<std::string> there, ours;
  while (*rows->step()) there.push_back(fmt::format("{}.{}", rows->bytes(0), rows->bytes(1)));
  for (const Table& table : store::tables()) {
    for (const store::Column& column : table.columns) ours.push_back(fmt::format("{}.{}", table.name, column.name));
  }
  EXPECT_THAT(ours, testing::UnorderedElementsAreArray(there));
}

struct Export : testing::Test {
  FakeDump dump = two_of_each();
  const std::string bytes = text_of(dump, "sqlite:/x\n2026");
};

TEST_F(Export, WhatIsWrittenIsRead) {
  for (const std::size_t portion : {1U, 7U, 100'000U}) EXPECT_EQ(read(bytes, portion), 2 * store::kTables);
  EXPECT_THAT(bytes, StartsWith("fuhyo-store 1\norigin sqlite:/x\\n2026\nschema 10\nrows journal=2 live=2 game=2"));
}

TEST_F(Export, TheOriginIsNoPartOfTheChecksum) {
  EXPECT_EQ(read(replaced(bytes, "origin sqlite:/x", "origin elsewhere")), 2 * store::kTables);
}

TEST_F(Export, AFileThatIsCutOffAnywhereIsNoticed) {
  for (std::size_t size = 0; size < bytes.size(); size += every(11)) {
    ASSERT_NE(fault(std::string_view(bytes).substr(0, size)), "none") << size;
  }
  const std::size_t game = bytes.find("\ntable game ");
  EXPECT_THAT(fault(std::string_view(bytes).substr(0, bytes.find('\n', game + 1) + 1)),
              HasSubstr("in table game after 0 of 2 rows: it is truncated"));
  EXPECT_THAT(fault(bytes + "\n"), HasSubstr("goes on after its end"));
}

TEST_F(Export, AnyByteThatIsFlippedIsNoticed) {
  std::string flipped = bytes;
  const std::size_t origin = bytes.find("origin "), after = bytes.find("\nschema");
  for (std::size_t at = 0; at < bytes.size(); at += every(11)) {
    if (at >= origin && at < after) continue;
    for (const char bit : {'\x01', '\x20', '\x80'}) {
      flipped[at] ^= bit;
      ASSERT_NE(fault(flipped), "none") << at;
      flipped[at] ^= bit;
    }
  }
}

TEST_F(Export, CountsThatAreWrongAreNoticed) {
  EXPECT_THAT(fault(replaced(bytes, "rows journal=2", "rows journal=1")), HasSubstr("should be 'table live"));
  EXPECT_THAT(fault(replaced(bytes, "rows journal=2", "rows journal=3")),
              HasSubstr("table journal has 2 rows instead"));
  EXPECT_THAT(fault(replaced(bytes, "rows journal=2", "rows life=2")), HasSubstr("line 4: counts no rows"));
  EXPECT_THAT(fault(replaced(bytes, "end journal=2", "end journal=3")), HasSubstr("should be 'end journal=2"));
}

TEST_F(Export, RowsThatDoNotFitTheirTableAreNoticed) {
  EXPECT_THAT(fault(replaced(bytes, "\t0\t0\n", "\t0\n")), HasSubstr("lacks columns"));
  EXPECT_THAT(fault(replaced(bytes, "\t0\t0\n", "\t0\t0\t0\n")), HasSubstr("has too many columns"));
  EXPECT_THAT(fault(replaced(bytes, "\t0\t0\n", "\t0\tx\n")), HasSubstr("live.first_seq is no integer"));
  EXPECT_THAT(fault(replaced(bytes, "first_seq:integer", "first:integer")), HasSubstr("should be 'table live"));
}

TEST_F(Export, FilesOfOtherVersionsAreRefusedBeforeAnyRow) {
  EXPECT_EQ(fault(replaced(bytes, "fuhyo-store 1", "fuhyo-store 2")),
            "was written by a newer program: its format is 2, this program reads 1");
  EXPECT_EQ(fault(replaced(bytes, "schema 10", "schema 11")),
            "was written by a newer program: its schema is 11, this program's is 10");
  EXPECT_EQ(fault(replaced(bytes, "schema 10", "schema 0")), "line 3: names no schema: the file is damaged");
  EXPECT_EQ(fault(""), "is no export of a store");
  EXPECT_EQ(fault("SQLite format 3"), "is no export of a store");
  EXPECT_EQ(fault(std::string(1000, '\0')), "is no export of a store");
}

TEST_F(Export, AFileHasTheTablesOfItsSchema) {
  EXPECT_THAT(fault(replaced(bytes, "schema 10", "schema 7")), HasSubstr("white_rate:integer': the file is damaged"))
      << "its games had no terms";
  EXPECT_THAT(fault(replaced(bytes, "schema 10", "schema 1")), HasSubstr("counts no rows")) << "nothing stood yet";
}

TEST_F(Export, AFileThatFailsIsNotADamagedOne) {
  const auto failing = [](std::span<char>) -> std::expected<std::size_t, std::string> {
    return std::unexpected("input/output error");
  };
  const auto reader = store::ExportReader::open(failing);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().of, TransferFault::Of::file);
  const auto full = store::write_export(dump, "", [](std::string_view) -> std::expected<void, std::string> {
    return std::unexpected("no space left on device");
  });
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().of, TransferFault::Of::file);
}

TEST_F(Export, AStoreThatCountsWrongIsNotExported) {
  dump.wrong = 1;
  const auto done = store::write_export(dump, "", [](std::string_view) { return std::expected<void, std::string>(); });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().of, TransferFault::Of::store);
}

TEST_F(Export, ALineWithoutAnEndDoesNotFillTheMemory) {
  std::size_t sent = 0;
  const auto endless = [&](std::span<char> room) -> std::expected<std::size_t, std::string> {
    std::ranges::fill(room, 'x');
    if (sent == 0) std::memcpy(room.data(), "fuhyo-store ", 12);
    sent += room.size();
    return room.size();
  };
  EXPECT_FALSE(store::ExportReader::open(endless));
  EXPECT_LT(sent, store::kLongestExportLine + (1U << 20U));
}

}  // namespace
}  // namespace fuhyo::test
