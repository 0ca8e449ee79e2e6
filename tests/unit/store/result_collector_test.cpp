// Results out of lists, records and PGN, mixed: each game once, each defect named with its place.
#include <gtest/gtest.h>
#include <string>

#include "server/store/results/collector.h"

namespace fuhyo::store {
namespace {

using core::rating::Score;

const std::string kId = "wdoor+floodgate-900-0+gps+nozomi+20261121041507";
const std::string kLine =
    "2026/11/21 04:35:07\ttime up\twin\tgps+01\tnozomi+23\tlose\t/r/2026/11/21/" + kId + ".csa\t2\n";

std::string record_of(std::string_view comments, std::string_view end = "%TORYO\n") {
  std::string text = "V2\nN+gps\nN-nozomi\n$EVENT:x\n$START_TIME:2026/11/21 04:15:07\nPI\n+\n";
  return text + "+7776FU\nT1\n-3334FU\nT2\n" + std::string(end) + std::string(comments);
}
const std::string kComments =
    "'rating:gps+01:nozomi+23\n'summary:time up:gps win:nozomi lose\n'$END_TIME:2026/11/21 04:35:07\n";

std::string faults_of(const ResultCollector& results) {
  std::string text;
  for (const FileFault& fault : results.faults()) text += to_string(fault) + "\n";
  return text;
}

TEST(ResultCollector, ReadsListsAndNamesTheirFaults) {
  ResultCollector results({});
  results.add_file(kLine + kLine + "broken\n\n2026/13/01 00:00:00\tx\tdraw\ta\tb\tdraw\tp\t1\n" +
                       "2026/11/22 00:00:00\tabnormal\tlose\ta\tgps+01\twin\tp\t31",
                   "data/00LIST.others");
  ASSERT_EQ(results.games().size(), 2U) << "a line that stands twice counts once";
  EXPECT_EQ(results.repeated(), 1U);
  const auto& games = results.games().games();
  EXPECT_EQ(games[0].score, Score::black_wins);
  EXPECT_FALSE(games[0].abnormal);
  EXPECT_EQ(games[0].ended.us, 1'795'235'707 * core::kSecond);
  EXPECT_EQ(games[1].score, Score::white_wins);
  EXPECT_TRUE(games[1].abnormal);
  EXPECT_EQ(games[1].plies, 31);
  EXPECT_EQ(games[1].white, games[0].black);
  EXPECT_EQ(faults_of(results),
            "data/00LIST.others:3: has 1 fields with TABs between; 8 are wanted\n"
            "data/00LIST.others:5: '2026/13/01 00:00:00' is no time like 2026/01/31 12:34:56\n");
}

TEST(ResultCollector, ReadsTheWordsOfShogiServerInRecords) {
  ResultCollector results({});
  results.add_file(record_of(kComments), "x.csa");
  ASSERT_EQ(results.games().size(), 1U) << faults_of(results);
  EXPECT_EQ(results.games().players(), (std::vector<std::string>{"gps+01", "nozomi+23"}));
  const core::rating::PlayedGame& game = results.games().games()[0];
  EXPECT_EQ(game.score, Score::black_wins);
  EXPECT_EQ(game.plies, 2);
  EXPECT_EQ(game.ended.us, 1'795'235'707 * core::kSecond);
}

TEST(ResultCollector, TakesTheEndLineWhereThereIsNoSummary) {
  const auto score = [](std::string_view end) -> std::optional<Score> {
    ResultCollector results({});
    results.add_file(record_of("", end), "x.csa");
    EXPECT_EQ(results.games().size() + results.without_result(), 1U) << end << faults_of(results);
    if (results.games().size() == 0) return std::nullopt;
    return results.games().games()[0].score;
  };
  EXPECT_EQ(score("%TORYO\n"), Score::white_wins) << "Black was to move";
  EXPECT_EQ(score("+2726FU\nT1\n%TORYO\n"), Score::black_wins);
  EXPECT_EQ(score("%TIME_UP\n"), Score::white_wins);
  EXPECT_EQ(score("%TSUMI\n"), Score::white_wins);
  EXPECT_EQ(score("%KACHI\n"), Score::black_wins);
  EXPECT_EQ(score("%SENNICHITE\n"), Score::draw);
  EXPECT_EQ(score("%HIKIWAKE\n"), Score::draw);
  EXPECT_EQ(score("%JISHOGI\n"), Score::draw);
  EXPECT_EQ(score("%+ILLEGAL_ACTION\n"), Score::white_wins);
  EXPECT_EQ(score("%-ILLEGAL_ACTION\n"), Score::black_wins);
  EXPECT_EQ(score("+2729FU\nT1\n%ILLEGAL_MOVE\n"), Score::white_wins) << "Black's last move is the foul";
  EXPECT_EQ(score("%ILLEGAL_MOVE\n"), Score::white_wins) << "or else the one that is not written";
  EXPECT_EQ(score("%CHUDAN\n"), std::nullopt);
  EXPECT_EQ(score(""), std::nullopt);
}

TEST(ResultCollector, CountsAGameOfAListAndItsRecordOnce) {
  ResultCollector results({});
  results.add_file(kLine, "00LIST");
  results.add_file(kLine, "00LIST.floodgate");
  results.add_file(record_of(kComments), "2026/11/21/" + kId + ".csa");
  EXPECT_EQ(results.games().size(), 1U);
  EXPECT_EQ(results.repeated(), 2U);
  results.add_file(record_of(kComments), "a/1.csa");
  results.add_file(record_of(kComments), "b/1.csa");
  EXPECT_EQ(results.games().size(), 3U) << "a name that is no Game_ID says nothing";
}

TEST(ResultCollector, ReadsTheTagsOfPgn) {
  ResultCollector results(core::TimeZone{{{INT64_MIN, 9 * 3600}}});
  results.add_file(
      "[Event \"x\"]\n[White \"a \\\"b\\\"\"]\n[Black \"c\"]\n[Result \"1-0\"]\n[Date \"2026.11.21\"]\n\n"
      "1. P-7f {\n[White \"in a comment\"]\n} P-3d 1-0\n"
      "[White \"c\"]\n[Black \"a \\\"b\\\"\"]\n[Result \"1/2-1/2\"]\n[Time \"04:15:07\"]\n"
      "[White \"c\"]\n[Black \"d\"]\n[Result \"*\"]\n\n"
      "[White \"c\"]\n[Black \"d\"]\n[Result \"0-1\"]\n[broken\n[Date \"2026.11.21\"]\n[Time \"04:15:07\"]\n",
      "games.txt");
  ASSERT_EQ(results.games().size(), 3U) << faults_of(results);
  EXPECT_EQ(results.games().players(), (std::vector<std::string>{"a \"b\"", "c", "d"}));
  EXPECT_EQ(results.games().games()[0].score, Score::black_wins) << "PGN's White has the first move";
  EXPECT_EQ(results.games().games()[0].ended.us, (1'795'219'200 + 3 * 3600) * core::kSecond) << "noon in Tokyo";
  EXPECT_EQ(results.games().games()[1].score, Score::draw);
  EXPECT_EQ(results.games().games()[2].score, Score::white_wins);
  EXPECT_EQ(results.without_result(), 1U);
  EXPECT_EQ(results.without_time(), 1U);
  EXPECT_EQ(faults_of(results), "games.txt:21: is no tag like [White \"name\"]\n");
}

TEST(ResultCollector, TellsFilesApartByWhatTheyHold) {
  ResultCollector results({});
  results.add_file(kLine, "results.txt");
  results.add_file("\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n", "x");
  results.add_file(record_of(kComments), "y");
  EXPECT_EQ(results.games().size(), 3U) << faults_of(results);
  results.add_file("hello\n", "z.csa");
  results.add_file(record_of("", "+7776KA\n+7776KA\n"), "w.csa");
  EXPECT_EQ(results.games().size(), 3U);
  ASSERT_EQ(results.faults().size(), 2U) << faults_of(results);
  EXPECT_EQ(results.faults()[0].file, "z.csa");
  EXPECT_GT(results.faults()[1].line, 0U);
  results.add_file("PI\n+\n+7776FU\n%TORYO\n", "nameless.csa");
  EXPECT_EQ(to_string(results.faults().back()), "nameless.csa: does not name both players");
}

TEST(ResultCollector, ReadsRecordsOfEveryFormat) {
  ResultCollector results({});
  const std::string kif =
      "先手：a\n後手：b\n開始日時：2026/11/21 04:15:07\n1 ７六歩(77)\n2 投了\n変化：1手\n1 ２六歩(27)\n2 反則勝ち\n";
  results.add_file(kif, "x.kif");
  results.add_file(kif, "no_ending");
  results.add_file(R"({"header":{"先手":"a","後手":"b"},"moves":[{},{"special":"TORYO"}]})", "x.jkf");
  results.add_file("zap", "y.ki2");
  ASSERT_EQ(results.games().size(), 3U) << faults_of(results);
  EXPECT_EQ(results.games().games()[0].score, Score::black_wins);
  EXPECT_EQ(results.games().games()[1].score, Score::black_wins);
  EXPECT_EQ(results.games().games()[2].score, Score::white_wins);
  EXPECT_EQ(results.games().games()[0].ended.us, 1'795'234'507 * core::kSecond);
  EXPECT_EQ(faults_of(results), "y.ki2:1: no game in it\n");
}

TEST(ResultCollector, NamesDecideWhoseResultASummaryTells) {
  ResultCollector results({});
  results.add_file(record_of("'summary:uchifuzume:nozomi lose:gps win\n", ""), "x.csa");
  ASSERT_EQ(results.games().size(), 1U);
  EXPECT_EQ(results.games().games()[0].score, Score::black_wins);
}

// The same file twice, or files that overlap; a program that plays the same game twice has played two.
TEST(ResultCollector, CountsAPgnOnce) {
  ResultCollector results({});
  const std::string one = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. P7f P3d 1-0\n\n";
  const std::string other = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. P2f P3d 1-0\n";
  results.add_file(one + one + other, "x.pgn");
  EXPECT_EQ(results.games().size(), 3U);
  results.add_file(one + one + other, "copy.pgn");
  results.add_file(other, "part.pgn");
  EXPECT_EQ(results.games().size(), 3U);
  EXPECT_EQ(results.repeated(), 4U);
}

}  // namespace
}  // namespace fuhyo::store
