// Every store on its way through exports: into a store of the other kind, back, and on from there; refused where it
// would not arrive whole.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "server/store/transfer/import.h"
#include "server/store/transfer/verifier.h"
#include "tests/unit/store/contract/contracts.h"

namespace fuhyo::test {

using testing::HasSubstr;

namespace {

// Names with bytes of 0x80 to 0xe2 beside UTF-8: databases order them in two ways.
std::vector<core::Fact> what_stands() {
  core::BuoySet buoy{.name = "buoy_\x80\xee\xbc\x80-900-0",
                     .owner = "ann",
                     .count = 2,
                     .start_sfen = "startpos",
                     .moves = {"+7776FU,T1"},
                     .set = "",
                     .title = "t\\n",
                     .comment = "\r\n\t",
                     .at = {}};
  core::BuoySet other = buoy, gone = buoy;
  other.name = "buoy_\xe3\x81\x82-900-0";
  gone.name = "buoy_gone-900-0";
  return {buoy, other, gone, core::BuoyDeleted{.name = gone.name, .by = "", .at = {}},
          core::NameForbidden{.name = "zoe", .by = "host", .why = "noise", .at = {}}};
}

core::AdminActed act(std::string what) {
  return {.who = "host",
          .via = "socket",
          .act = std::move(what),
          .why = std::string("\xff\0why", 5),
          .outcome = "done",
          .at = {1'750'000'000'000'000},
          .local_time = "2026/07/01 00:00:00"};
}

// As programs of that schema wrote it; never edited.
std::string golden(int schema) {
  std::ifstream file(fmt::format(FUHYO_SOURCE_DIR "/tests/golden/exports/schema_{}.export", schema), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> faults_of(const std::string& text) {
  std::vector<std::string> all;
  store::Verifier verifier([&](std::string fault) { all.push_back(std::move(fault)); });
  auto reader = store::ExportReader::open(source_of(text));
  EXPECT_TRUE(reader);
  if (const auto read = store::verify(*reader, verifier); !read) all.push_back(read.error().text);
  return all;
}

// The lines of an export but for the one that says where it comes from.
std::string content(std::string text) {
  const std::size_t origin = text.find("origin ");
  return text.erase(origin, text.find('\n', origin) + 1 - origin);
}

}  // namespace

void TransferContract::fill() {
  core::Recovery recovery;
  const auto journal = value_of(store_->open_journal({}, recovery));
  const std::vector<core::Transaction> games = workload(60);
  for (const core::Transaction& transaction : games) journal->append(transaction);
  Script script(games.back().back().seq);
  journal->append(script.transaction(what_stands()));
  core::GameOpened odd = opened(900);
  odd.black.id = std::string("b\xff\0+1", 5);
  odd.white.id = "\xe3\x81\x82+1";
  odd.game_name = "floodgate-900-0";
  journal->append(script.transaction({odd, started(900), move(900, 2), move(900, 3), ended(900, 3)}));
  journal->append(script.transaction({act("pause \x1b[2J"), act("resume")}));
  journal->append(script.transaction(
      {core::RoundHeld{.group = "floodgate-900-0", .number = 3, .games = {"a+1 b+1"}, .sat_out = {"c+1"}, .at = {7}}}));
  ASSERT_TRUE(journal->close());
  rate("2026-11-20", {{"a+1", {1234.5, 1.0 / 3}}, {"\x80+1", {-0.1, 0}}, {"\xe3\x81\x82+1", {1e-9, 400}}});
}

std::string TransferContract::imported(store::Store& to, const std::string& text) {
  auto reader = store::ExportReader::open(source_of(text));
  if (!reader) return reader.error().text;
  const auto done = store::import_export(*reader, to);
  return done ? "" : done.error().text;
}

TEST_P(TransferContract, ThereAndBackNothingChanges) {
  fill();
  const std::string first = exported(*store_);
  EXPECT_THAT(first, HasSubstr("fuhyo-store 1\norigin "));
  EXPECT_EQ(imported(*file_, first), "");
  const std::string second = exported(*file_);
  EXPECT_EQ(content(second), content(first)) << "only where it comes from differs";
  const auto third = GetParam()();
  const auto back = third->make();
  EXPECT_EQ(imported(*back, second), "");
  EXPECT_EQ(content(exported(*back)), content(first));
  const auto printable = [](char c) { return c == '\n' || c == '\t' || (c >= ' ' && c <= '~'); };
  EXPECT_TRUE(std::ranges::all_of(first, printable)) << "every tool can carry it";
}

TEST_P(TransferContract, AServerGoesOnWhereTheOtherOneWas) {
  fill();
  core::Recovery here, there;
  ASSERT_EQ(imported(*file_, exported(*store_)), "");
  ASSERT_TRUE(store_->open_journal({}, here));
  const auto journal = value_of(file_->open_journal({}, there));
  EXPECT_FALSE(there.live.empty());
  EXPECT_EQ(there.last, here.last);
  EXPECT_EQ(there.last_game, here.last_game);
  EXPECT_EQ(there.last_stamp, here.last_stamp);
  EXPECT_EQ(there.live, here.live);
  EXPECT_EQ(there.keyed_facts, here.keyed_facts);
  EXPECT_EQ(there.past, here.past);
  EXPECT_EQ(*(*file_->open_ratings())->days_of("a+1", 9), *(*store_->open_ratings())->days_of("a+1", 9));
  const core::GameId live = core::game_of(there.live.front().fact);
  journal->append(Script(there.last).transaction({ended(core::value(live), 6)}));
  EXPECT_TRUE(journal->close()) << "it ends there";
}

TEST_P(TransferContract, AnExportIsOfOneMomentBesideAServerThatGoesOn) {
  fill();
  Listener listener;
  core::Recovery recovery;
  const auto journal = value_of(store_->open_journal(listener.events(), recovery));
  const auto dump = value_of(store_->open_dump());
  Script script(recovery.last);
  const auto go_on = [&](std::uint64_t game) {
    EXPECT_TRUE(listener.keeps(*journal, script.transaction({opened(game), started(game)})))
        << "a commit waits for no export";
  };
  go_on(950);
  std::string text;
  const auto written = store::write_export(*dump, "here", [&](std::string_view part) {
    go_on(951);
    text += part;
    return std::expected<void, std::string>();
  });
  ASSERT_TRUE(written);
  EXPECT_EQ((*written)[0], core::value(recovery.last));
  EXPECT_EQ(imported(*file_, text), "");
}

TEST_P(TransferContract, OnlyAnEmptyStoreIsFilled) {
  fill();
  const std::string text = exported(*store_);
  EXPECT_THAT(imported(*store_, text), HasSubstr(": is not empty: its table journal has rows"));
  EXPECT_EQ(exported(*store_), text) << "and nothing happened to it";
  const auto other = GetParam()();
  const auto fresh = other->make();
  core::Recovery recovery;
  ASSERT_TRUE(fresh->open_journal({}, recovery));
  EXPECT_EQ(imported(*fresh, text), "") << "a store that a server made and never used";
}

TEST_P(TransferContract, AStoreWithOneRowAnywhereIsNotEmpty) {
  const std::pair<const char*, const char*> kRows[] = {
      {"INSERT INTO mark (seq, at_us) VALUES (1, 1)", "DELETE FROM mark"},
      {"INSERT INTO live (game, first_seq) VALUES (1, 1)", "DELETE FROM live"},
      {"UPDATE used SET last_game = 1", "UPDATE used SET last_game = 0"},
      {"UPDATE used SET last_stamp = 1", "UPDATE used SET last_stamp = 0"},
      {"INSERT INTO rating (player, day, rate, error) VALUES ('a', 'b', 1, 1)", "DELETE FROM rating"},
  };
  ASSERT_TRUE(store_->migrate());
  const std::string text = exported(*store_);
  for (const auto& [row, undone] : kRows) {
    under_test_->ask(row);
    EXPECT_THAT(imported(*store_, text), HasSubstr(": is not empty: its table")) << row;
    under_test_->ask(undone);
  }
  EXPECT_EQ(imported(*store_, text), "");
}

TEST_P(TransferContract, AStoreInUseIsNotFilled) {
  ASSERT_TRUE(file_->migrate());
  core::Recovery recovery;
  const auto journal = value_of(store_->open_journal({}, recovery));
  EXPECT_THAT(imported(*under_test_->make_hasty(), exported(*file_)), HasSubstr("is in use by"));
}

TEST_P(TransferContract, AnImportKeepsServersOut) {
  auto load = value_of(store_->begin_load());
  core::Recovery recovery;
  EXPECT_THAT(error_of(under_test_->make_hasty()->open_journal({}, recovery)), HasSubstr("is in use by"));
  load.reset();
  EXPECT_TRUE(store_->open_journal({}, recovery));
}

// Portions of an import are on their way when its fault is found.
TEST_P(TransferContract, ADamagedFileFillsNothing) {
  fill();
  std::string text = exported(*store_);
  const auto other = GetParam()();
  const auto store = other->make();
  text[text.rfind("sha256 ") + 8] ^= 1;
  EXPECT_THAT(imported(*store, text), HasSubstr("damaged"));
  for (const store::Table& table : store::tables()) {
    if (table.single) continue;
    EXPECT_THAT(other->ask("SELECT count(*) FROM " + std::string(table.name)), testing::ElementsAre("0"));
  }
  text[text.rfind("sha256 ") + 8] ^= 1;
  EXPECT_EQ(imported(*store, text), "");
}

TEST_P(TransferContract, AnExportOfAnOlderSchemaIsBroughtUp) {
  for (const int schema : {5, 7, 8, 9}) {
    const std::string text = golden(schema);
    EXPECT_THAT(faults_of(text), testing::IsEmpty()) << schema;
    const auto other = GetParam()();
    const auto store = other->make();
    ASSERT_EQ(imported(*store, text), "");
    EXPECT_THAT(other->ask("SELECT game, black_rate, white_rate, terms FROM game ORDER BY game"),
                testing::ElementsAre(schema == 7 ? "1|2781|2305|" : "1|0|0|", "2|0|0|"));
    EXPECT_THAT(other->ask("SELECT name, games, wins FROM player ORDER BY name"),
                testing::ElementsAre("ann|2|0", "bo|2|2"));
    EXPECT_THAT(faults_of(exported(*store)), testing::IsEmpty()) << "today's, with every row";
    core::Recovery recovery;
    ASSERT_TRUE(store->open_journal({}, recovery));
    EXPECT_EQ(core::value(recovery.last), 19U);
    ASSERT_EQ(recovery.live.size(), 4U) << "and its game goes on";
  }
}

TEST_P(TransferContract, WhatIsWrongWithAnOlderExportIsNoticedBeforeAnyRow) {
  std::string text = golden(7);
  text.resize(text.size() - 80);
  EXPECT_THAT(imported(*store_, text), HasSubstr("it is truncated"));
  text = golden(7);
  text[text.find("+7776FU") + 1] = '8';
  EXPECT_THAT(imported(*store_, text), HasSubstr("does not have the checksum"));
  EXPECT_THAT(under_test_->ask("SELECT count(*) FROM journal"), testing::ElementsAre("0"));
}

TEST_P(TransferContract, ANewerExportIsRefusedAndNothingChanges) {
  fill();
  const std::string before = exported(*store_);
  const auto other = GetParam()();
  const auto fresh = other->make();
  for (store::Store* store : {store_.get(), fresh.get()}) {
    const std::string refused =
        imported(*store, fmt::format("fuhyo-store 1\norigin x\nschema {}\n", store::kSchema + 1));
    EXPECT_THAT(refused, HasSubstr("was written by a newer program: its schema is"));
  }
  EXPECT_EQ(exported(*store_), before);
  EXPECT_FALSE(fresh->open_dump()) << "not even tables were made";
}

// As if the disk or the network failed once, at every operation there is.
TEST_P(TransferContract, WhateverFailsAStoreIsFilledOrEmpty) {
  fill();
  const std::string text = exported(*store_);
  const auto other = GetParam()();
  const auto store = other->make();
  ASSERT_TRUE(store->migrate());
  const std::vector<std::string> all = under_test_->ask("SELECT count(*) FROM journal");
  for (std::uint64_t n = 1;; ++n) {
    other->fail_at(n);
    const std::string why = imported(*store, text);
    const bool reached = other->operations() >= n;
    other->fail_at(0);
    const std::vector<std::string> rows = other->ask("SELECT count(*) FROM journal");
    if (why.empty()) EXPECT_EQ(rows, all);
    if (rows == all) break;
    ASSERT_TRUE(reached) << why;
    ASSERT_EQ(rows, std::vector<std::string>{"0"}) << why;
  }
  EXPECT_EQ(content(exported(*store)), content(text));
}

TEST_P(TransferContract, ACopyIsAStoreOfItsOwnWhereThereAreCopies) {
  fill();
  core::Recovery recovery;
  const auto journal = value_of(store_->open_journal({}, recovery));  // beside a server
  const std::string file = folder_.file("copy.db");
  if (!value_of(store_->copy_to(file))) return;
  const auto copy = *store::make_store("sqlite:" + file);
  EXPECT_EQ(content(exported(*copy)), content(exported(*store_)));
  EXPECT_FALSE(std::filesystem::exists(file + "-wal")) << "it is one file, also after it was read";
  core::Recovery there;
  ASSERT_TRUE(copy->open_journal({}, there)) << "a server can use it";
  EXPECT_EQ(there.last, recovery.last);
}

TEST_P(TransferContract, WhatIsNoStoreIsNotExported) {
  EXPECT_THAT(error_of(store_->open_dump()), testing::StartsWith(store_->name() + ": "));
  ASSERT_TRUE(store_->migrate());
  ASSERT_TRUE(store_->open_dump());
  under_test_->ask("INSERT INTO " + under_test_->migrations() + " (number, name, checksum) VALUES (99, 'later', 'x')");
  EXPECT_THAT(error_of(store_->open_dump()), HasSubstr("newer program"));
}

}  // namespace fuhyo::test
