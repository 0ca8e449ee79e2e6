// A whole folder of shogi-server moved over: what arrives, what is left and why, and that twice is once.
#include "server/store/shogi_server/topdir_import.h"

#include <algorithm>
#include <map>

#include "engines/record/encoding.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/journal_script.h"

namespace fuhyo::store {
namespace {

namespace fs = std::filesystem;
using test::value_of;

const std::string kDay = "2010/05/07/";
std::string id_of(const std::string& black, const std::string& white, const std::string& time) {
  return "wdoor+floodgate-900-0+" + black + "+" + white + "+20100507" + time;
}
const std::string kFirst = id_of("gps", "nozomi", "120007");
const std::string kGone = id_of("nozomi", "gps", "123007");
const std::string kBroken = id_of("gps", "bonkras", "130007");
const std::string kOpen = id_of("gps", "bonkras", "133007");
const std::string kRemembered = id_of("nozomi", "bonkras", "110007");

std::string record_of(const std::string& id, const std::string& rest) {
  return "V2\nN+gps\nN-nozomi\n'Max_Moves:256\n'Least_Time_Per_Move:0\n$EVENT:" + id +
         "\n$START_TIME:2010/05/07 12:00:07\nPI\n+\n'rating:gps+01:nozomi+23\n'black_rate:gps+01:1834\n+7776FU\nT12\n" +
         rest;
}
const std::string kEnd =
    "-3334FU\nT2\n'*\xe6\xb0\xb4\xe5\x8c\xa0 30\n%TORYO\n'summary:toryo:gps lose:nozomi win\n"
    "'$END_TIME:2010/05/07 12:20:07\n";

std::string line_of(const std::string& time, const std::string& marks, const std::string& path,
                    const std::string& plies = "\t80") {
  const std::string black = marks == "win" ? "win" : "lose", white = marks == "win" ? "lose" : "win";
  return "2010/05/07 " + time + "\ttime up\t" + black + "\tgps+01\tnozomi+23\t" + white + "\t" + path + plies + "\n";
}

class TopdirImport : public testing::Test {
 protected:
  TopdirImport() { make_old_folder(); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((old_ / name).parent_path());
    std::ofstream(old_ / name, std::ios::binary) << text;
  }
  static std::string read(const fs::path& path) { return test::read_file(path); }
  static std::string encoded(const std::string& text, record::Encoding to) {
    return record::encode_from_utf8(text, to).value().text;
  }
  // Everything that a shogi-server of many years has.
  void make_old_folder() const {
    write(kDay + kFirst + ".csa", encoded(record_of(kFirst, kEnd), record::Encoding::euc_jp));
    write(kDay + kBroken + ".csa", record_of(kBroken, "+9988XX\n%TORYO\n"));
    write(kDay + kOpen + ".csa", record_of(kOpen, ""));
    write(on_top_ + ".csa", encoded(record_of(on_top_, kEnd), record::Encoding::shift_jis));
    write("old/what.csa", record_of("what", kEnd));
    write("2010/05/07/shogi-server.log", "log");
    const std::string gone = line_of("12:50:00", "win", "/srv/ss/" + kDay + kGone + ".csa");
    write("00LIST", line_of("12:20:07", "lose", "/srv/ss/" + kDay + kFirst + ".csa") + gone +
                        line_of("09:00:00", "win", "/srv/ss/old.csa", "") + "cut sho");
    write("00LIST.floodgate", gone);
    write("players.yaml", "players:\n  0:\n    gps+01: {name: gps, rate: 1500.0}\n");
    write("buoy.yaml",
          "--- \nbuoy_foo-1500-0: \n  moves: +7776FU,T12-3334FU,T5\n  owner: anna\n  count: 3\n"
          "buoy_bad-1500-0:\n  moves: +7775FU\n  owner: anna\n  count: 1\n"
          "buoy_over-1500-0:\n  moves: \"+7776FU\"\n  owner: ''\n  count: 0\n");
    write("floodgate-900-0.conf", "Sun 13:00\n");
    write("floodgate_history_900_0.yaml",
          "---\n- :game_id: " + kRemembered + "\n  :black: nozomi+23\n  :white: bonkras+45\n  :winner:\n  :loser:\n" +
              "- :game_id: " + kFirst +
              "\n  :black: gps+01\n  :white: nozomi+23\n  :winner: nozomi+23\n  :loser: gps+01\n");
    write("shogi-server.log", "log");
  }
  void write_a_later_record() const {
    const std::string later = id_of("gps", "nozomi", "180000");
    write(kDay + later + ".csa", record_of(later, kEnd));
  }
  ImportOptions options() const { return {.from = old_, .data = data_, .records = records_, .zone = {}, .now = now_}; }
  ImportReport import(bool dry_run = false) {
    ImportOptions asked = options();
    asked.dry_run = dry_run;
    return test::value_of(import_shogi_server(asked, *store()));
  }
  core::Recovery recovered() const {
    core::Recovery recovered;
    EXPECT_TRUE(store()->open_journal({}, recovered));
    return recovered;
  }
  std::unique_ptr<Store> store() const { return *make_store(store_of_folder(data_.string())); }
  // Path below the folder -> bytes; what belongs to the database is left out.
  static std::map<std::string, std::string> files_of(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().lexically_relative(folder).string();
      if (entry.is_regular_file() && !name.starts_with("fuhyo.db")) files[name] = read(entry.path());
    }
    return files;
  }
  static std::string why(const ImportReport& report, const std::string& what) {
    const auto found = std::ranges::find_if(report.left, [&](const auto& left) { return left.what.ends_with(what); });
    return found == report.left.end() ? "nothing" : found->why;
  }

  test::TemporaryFolder folder_;
  const fs::path old_ = folder_.path() / "old", data_ = folder_.path() / "new", records_ = data_ / "records";
  const core::Wall now_{1'795'219'200 * core::kSecond};
  const std::string on_top_ = "wdoor+club-60-30+gps+nozomi+20090102030405";
};

TEST_F(TopdirImport, TakesRecordsListsAndHistoriesAsGames) {
  const ImportReport report = import();
  EXPECT_EQ(report.records, (ImportReport::Count{.taken = 4}));
  EXPECT_EQ(report.games, (ImportReport::Count{.taken = 5}));
  EXPECT_EQ(report.without_record, 3U);
  EXPECT_EQ(report.without_result, 1U);
  EXPECT_EQ(read(records_ / kDay / (kFirst + ".csa")), read(old_ / kDay / (kFirst + ".csa")));
  EXPECT_TRUE(fs::exists(records_ / "2009/01/02" / (on_top_ + ".csa"))) << "by its Game_ID";
  const auto games = value_of(value_of(store()->open_archive())->games("*", 10));
  ASSERT_EQ(games.size(), 5U);
  const auto first = std::ranges::find(games, kFirst, [](const ArchivedGame& game) { return game.opened.csa_id; });
  ASSERT_NE(first, games.end());
  EXPECT_EQ(first->opened.game_name, "floodgate-900-0");
  EXPECT_EQ(first->opened.black.id, "gps+01");
  EXPECT_EQ(first->outcome, core::Outcome::white_wins);
  EXPECT_EQ(first->end_kind, "toryo");
  EXPECT_EQ(first->plies, 2);
  EXPECT_EQ(first->opened.local_time, "2010/05/07 12:00:07");
  const auto whole = (*store()->open_catalogue())->game(first->opened.game);
  ASSERT_TRUE(whole && *whole);
  EXPECT_EQ((*whole)->opened.black_rate, 1834);
  EXPECT_EQ((*whole)->opened.white_rate, 0);
}

TEST_F(TopdirImport, RatingsAndPairingKnowWhatWasPlayedElsewhere) {
  import();
  const core::Recovery known = recovered();
  ASSERT_EQ(known.past.size(), 3U);
  EXPECT_EQ(known.past[0].csa_id, kRemembered) << "in the order of ends";
  EXPECT_EQ(known.past[0].outcome, core::Outcome::draw);
  EXPECT_EQ(known.past[1].csa_id, kFirst);
  EXPECT_EQ(known.past[2].csa_id, kGone);
  EXPECT_EQ(known.past[2].black_id, "gps+01");
  core::rating::Games games;
  ASSERT_TRUE(value_of(store()->open_ratings())->read_new_games(games));
  EXPECT_EQ(games.size(), 5U);
}

TEST_F(TopdirImport, TakesBuoysSchedulesAndRatings) {
  const ImportReport report = import();
  EXPECT_EQ(report.buoys, (ImportReport::Count{.taken = 1}));
  EXPECT_EQ(report.files, (ImportReport::Count{.taken = 2}));
  EXPECT_EQ(report.groups, std::vector<std::string>{"floodgate-900-0"});
  EXPECT_EQ(report.others, 2U) << "logs";
  const core::Recovery known = recovered();
  ASSERT_EQ(known.keyed_facts.size(), 1U);
  const auto* buoy = std::get_if<core::BuoySet>(&known.keyed_facts[0].fact);
  ASSERT_NE(buoy, nullptr);
  EXPECT_EQ(buoy->name, "buoy_foo-1500-0");
  EXPECT_EQ(buoy->owner, "anna");
  EXPECT_EQ(buoy->count, 3);
  EXPECT_EQ(buoy->moves.size(), 2U);
  EXPECT_EQ(read(data_ / "floodgate-900-0.conf"), "Sun 13:00\n");
  EXPECT_EQ(read(data_ / "players.yaml"), read(old_ / "players.yaml"));
}

TEST_F(TopdirImport, ListsStateWhereRecordsLieNow) {
  EXPECT_EQ(import().list_lines, (ImportReport::Count{.taken = 4}));
  const std::string list = read(records_ / "00LIST");
  const std::string first = line_of("12:20:07", "lose", (records_ / kDay / (kFirst + ".csa")).string());
  const std::string gone = line_of("12:50:00", "win", "/srv/ss/" + kDay + kGone + ".csa");
  const std::string of_old_times = line_of("09:00:00", "win", "/srv/ss/old.csa", "");
  const std::string on_top = "2010/05/07 12:20:07\ttoryo\tlose\tgps+01\tnozomi+23\twin\t" +
                             (records_ / "2009/01/02" / (on_top_ + ".csa")).string() + "\t2\n";
  EXPECT_EQ(list, of_old_times + on_top + first + gone);
  EXPECT_EQ(read(records_ / "00LIST.floodgate"), first + gone);
  EXPECT_EQ(read(records_ / "00LIST.others"), of_old_times + on_top);
}

TEST_F(TopdirImport, NamesWhatItLeavesAndWhy) {
  write(kDay + "nameless.csa", record_of("nameless", kEnd));
  write("floodgate_history_60_0.yaml", "- :game_id: 1\n");
  const ImportReport report = import();
  EXPECT_TRUE(why(report, kBroken + ".csa").starts_with("is copied, but cannot be read: ")) << why(report, kBroken);
  EXPECT_EQ(why(report, "old/what.csa"), "does not lie in a folder of its day (YYYY/MM/DD)");
  EXPECT_TRUE(why(report, "nameless.csa").contains("not called after a Game_ID"));
  EXPECT_EQ(why(report, "00LIST:4"), "has 1 fields with TABs between; 8 are wanted");
  EXPECT_TRUE(why(report, "buoy.yaml:7").starts_with("buoy_bad-1500-0: ")) << why(report, "buoy.yaml:7");
  EXPECT_EQ(why(report, "buoy.yaml:11"), "buoy_over-1500-0: 0 games are left");
  EXPECT_TRUE(why(report, "floodgate_history_60_0.yaml:1").contains("black")) << why(report, "60_0.yaml:1");
  EXPECT_EQ(report.left.size(), 7U);
}

TEST_F(TopdirImport, ASecondRunTakesNothingTwice) {
  const ImportReport first = import();
  const auto files = files_of(data_);
  const ImportReport again = import();
  EXPECT_EQ(files_of(data_), files);
  EXPECT_EQ(again.left, first.left);
  for (const auto& [now, before] : {std::pair(again.records, first.records), std::pair(again.games, first.games),
                                    std::pair(again.list_lines, first.list_lines), std::pair(again.buoys, first.buoys),
                                    std::pair(again.files, first.files)}) {
    EXPECT_EQ(now, (ImportReport::Count{.taken = 0, .known = before.taken}));
  }
  EXPECT_EQ(recovered().keyed_facts.size(), 1U);
  EXPECT_EQ(recovered().past.size(), 3U);
}

TEST_F(TopdirImport, AUsedUpBuoyDoesNotComeBackAndANewGameIsAdded) {
  import();
  {
    core::Recovery recovered;
    const auto journal = value_of(store()->open_journal({}, recovered));
    journal->append({{core::next(recovered.last), core::BuoyDeleted{.name = "buoy_foo-1500-0"}}});
    ASSERT_TRUE(journal->close());
  }
  write_a_later_record();
  const ImportReport report = import();
  EXPECT_EQ(report.buoys, (ImportReport::Count{.known = 1}));
  EXPECT_EQ(report.games, (ImportReport::Count{.taken = 1, .known = 5}));
  EXPECT_EQ(report.list_lines, (ImportReport::Count{.taken = 1, .known = 4}));
  EXPECT_TRUE(recovered().keyed_facts.empty());
}

// It was made of the games, and is made again of more of them.
TEST_F(TopdirImport, ForgetsTheHistoryOfRatingsWhereGamesAreAdded) {
  import();
  const auto history = value_of(store()->open_ratings());
  core::rating::RatedDay day;
  day.rates = {{"gps+01", {1200, 30}}};
  ASSERT_TRUE(history->write_day("2010-05-07", day));
  import();
  EXPECT_EQ(history->last_day_before("2011-01-01"), "2010-05-07") << "nothing was added";
  write_a_later_record();
  import();
  EXPECT_EQ(history->last_day_before("2011-01-01"), "");
}

TEST_F(TopdirImport, NothingThatIsHereIsOverwritten) {
  const fs::path record = records_ / kDay / (kFirst + ".csa");
  fs::create_directories(record.parent_path());
  std::ofstream(record) << "V2\nanother\n";
  std::ofstream(records_ / "00LIST") << "a line that stood here";
  std::ofstream(data_ / "players.yaml") << "players:\n";
  std::ofstream(data_ / "floodgate-900-0.conf") << "Mon 13:00\n";
  const ImportReport report = import();
  EXPECT_EQ(read(record), "V2\nanother\n");
  EXPECT_EQ(why(report, kFirst + ".csa"), "another one is at " + record.string());
  EXPECT_TRUE(read(records_ / "00LIST").starts_with("a line that stood here\n2010/05/07 09:00:00\t"));
  EXPECT_EQ(read(data_ / "players.yaml"), "players:\n") << "ratings of this server are newer";
  EXPECT_EQ(read(data_ / "floodgate-900-0.conf"), "Mon 13:00\n");
}

TEST_F(TopdirImport, CompletesARecordThatAPowerCutLeftShort) {
  const fs::path record = records_ / kDay / (kFirst + ".csa");
  fs::create_directories(record.parent_path());
  std::ofstream(record) << "V2\nN+gps\n";
  EXPECT_EQ(import().records.taken, 4U);
  EXPECT_EQ(read(record), read(old_ / kDay / (kFirst + ".csa")));
}

TEST_F(TopdirImport, ADryRunSaysTheSameAndWritesNothing) {
  const ImportReport dry = import(true);
  EXPECT_FALSE(fs::exists(data_));
  const ImportReport real = import();
  EXPECT_EQ(dry.games, real.games);
  EXPECT_EQ(dry.records, real.records);
  EXPECT_EQ(dry.list_lines, real.list_lines);
  EXPECT_EQ(dry.left, real.left);
  EXPECT_EQ(import(true).games, (ImportReport::Count{.known = real.games.taken}));
}

TEST_F(TopdirImport, RefusesADataFolderInUseAndAFolderWithNothing) {
  ImportOptions nothing = options();
  nothing.from = old_ / "nothing";
  EXPECT_EQ(import_shogi_server(nothing, *store()).error().kind, ImportFailure::nothing_there);
  write("nothing/readme.txt", "not a shogi-server");
  EXPECT_EQ(import_shogi_server(nothing, *store()).error().kind, ImportFailure::nothing_there);
  fs::create_directories(data_);
  core::Recovery recovered;
  const auto running = value_of(store()->open_journal({}, recovered));
  const auto refused = import_shogi_server(options(), *store());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ImportFailure::in_use);
  EXPECT_TRUE(files_of(data_).empty());
}

TEST_F(TopdirImport, LeavesItsOwnFoldersOutWhereTheyLieInTheOldOne) {
  ImportOptions within = options();
  within.data = old_ / "fuhyo";
  within.records = old_ / "fuhyo/records";
  const auto other = *make_store(store_of_folder(within.data.string()));
  const auto first = import_shogi_server(within, *other), again = import_shogi_server(within, *other);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->left, again->left);
  EXPECT_EQ(again->records, (ImportReport::Count{.known = 4}));
}

}  // namespace
}  // namespace fuhyo::store
