// Tables of events as files: spreadsheets, JSON and pages.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "server/net/tournament/tables.h"
#include "tests/unit/net/json_parts.h"

namespace fuhyo::net {
namespace {

using namespace core::tournament;

// Two games of a and b: one win each way, and a third that runs.
Table small_table() {
  Event event;
  event.name = "cup";
  event.title = {.ja = "杯", .en = "Cup & <b>"};
  DivisionSettings settings;
  settings.format = Format::match;
  settings.rounds = 3;
  settings.tie_breaks = {TieBreak::points, TieBreak::direct};
  event.stages = {
      {.name = "main", .title = {}, .divisions = {{.name = "A", .title = {}, .from = {}, .settings = settings}}}};
  event.entrants = {{.player = "a", .title = {.ja = "甲", .en = "=first"}}, {.player = "b", .title = {}}};
  EventState state(event);
  state.apply(DivisionFormed{{}, {{"a", 1}, {"b", 2}}});
  for (int round = 1; round <= 3; ++round) {
    state.apply(RoundPaired{{}, round, {{.black = "a", .white = "b"}}, {}});
    if (round == 3) break;
    state.apply(GameResult{.game = {.division = {}, .round = round},
                           .black = "a",
                           .white = "b",
                           .outcome = round == 1 ? core::Outcome::black_wins : core::Outcome::draw,
                           .end = {},
                           .plies = 99,
                           .record = "ev+x<y>"});
  }
  return table_of(event, state, {});
}

TEST(TournamentTables, CsvHasARowAMemberAndACellARound) {
  Table table = small_table();
  table.rows[0].performance = Performance{.rate = 1581.6, .error = 345.2};
  table.rows[1].performance = std::nullopt;
  EXPECT_EQ(table_csv(table, View::rounds, Language::en).substr(3),
            "rank,number,name,id,points,direct,performance,error,round 1,round 2,round 3\r\n"
            "1,1,\"'=first\",\"a\",1.5,,1582,345,\"2B+ 1\",\"2B= 1.5\",\"2B*\"\r\n"
            "2,2,\"b\",\"b\",0.5,,,,\"1W- 0\",\"1W= 0.5\",\"1W*\"\r\n");
}

TEST(TournamentTables, JsonSaysEverything) {
  const boost::json::value table = boost::json::parse(table_json(small_table()));
  EXPECT_TRUE(holds(table, R"({"event": {"ja": "杯"}, "final": false, "rows": [{"figures": {"direct": null}, "rounds": [
      {"games": [{"colour": "black", "result": "win", "record": "ev+x<y>"}]}, {}, {"pending": true}]}, {}]})"));
  EXPECT_EQ(table.at("rows").at(0).at("points").to_number<double>(), 1.5);
}

TEST(TournamentTables, HtmlEscapesWhatOthersWrote) {
  const Table table = small_table();
  const std::string page = tables_html({&table, 1}, Language::en, "/game/");
  EXPECT_TRUE(page.contains("<h1>Cup &amp; &lt;b&gt;</h1>"));
  EXPECT_TRUE(page.contains("href=\"/game/ev%2Bx%3Cy%3E\">B+</a>"));
  EXPECT_FALSE(page.contains("<b>Cup"));
  EXPECT_TRUE(tables_html({&table, 1}, Language::ja, "").contains("先○"));
}

}  // namespace
}  // namespace fuhyo::net
