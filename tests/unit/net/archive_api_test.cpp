// The archive's part of the API, over a catalogue that remembers what it was asked.
#include "server/net/archive_api.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <fmt/format.h>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include "server/core/position_key.h"
#include "server/net/archive_json.h"
#include "server/net/archive_query.h"
#include "server/net/record_file.h"
#include "server/net/zip.h"
#include "tests/support/sanitized.h"
#include "tests/support/tcp_client.h"
#include "tests/unit/net/fake_catalogue.h"
#include "tests/unit/net/http_fixture.h"
#include "tests/unit/net/json_parts.h"
#include "tests/unit/net/some_facts.h"

namespace fuhyo::net {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

class ArchiveApiTest : public HttpFixture {
 protected:
  void SetUp() override { begin({}); }
  void begin(HttpOptions options) {
    catalogue = std::make_shared<FakeCatalogue>();
    options.archive.catalogue = catalogue;
    options.archive.round_times = [] {
      return std::vector<RoundTime>{{"floodgate-1-0", core::Wall{7'000'000}}, {"floodgate-2-0", std::nullopt}};
    };
    options.archive.zone.spans = {{.since_s = INT64_MIN, .offset_s = 9 * 3600}};
    // However long they take here, queries use none of a caller's time.
    if (!options.archive.clock) options.archive.clock = [] { return core::Instant{}; };
    options.warn = [this](std::string_view text) { warned.set_value(std::string(text)); };
    start(std::move(options));
  }

  std::promise<std::string> warned;
  std::shared_ptr<FakeCatalogue> catalogue;
};

TEST_F(ArchiveApiTest, GamesComeInPages) {
  EXPECT_TRUE(holds(ok("/api/v1/games?limit=2"),
                    R"({"games": [{"id": 9, "black": {"id": "alice+1"}, "white": {"id": null}, "outcome": "white",
                                   "date": "2026/11/22 18:00:00", "opening": null}, {}], "next": 8})"));
  EXPECT_TRUE(ok("/api/v1/games?limit=9").at("next").is_null());
}

TEST_F(ArchiveApiTest, WhatIsAskedForComesToTheCatalogue) {
  ok("/api/v1/games?player=a%2B1&opponent=b*&color=white&won=no&event=floodgate-*&room=main&outcome=draw"
     "&end=time+up&from=2026-01-02&to=2026-11-22&ended_from_ms=1795237200000&ended_before_ms=1795323600000"
     "&min_plies=3&max_plies=200&min_rate=2000&position=startpos&opening=yagura&before=7");
  const core::GameQuery& asked = catalogue->asked;
  EXPECT_EQ(asked.player, "a+1");
  EXPECT_EQ(asked.opponent, "b*");
  EXPECT_EQ(asked.side, shogi::WHITE);
  EXPECT_EQ(asked.won, false);
  EXPECT_EQ(asked.game_name, "floodgate-*");
  EXPECT_EQ(asked.room, "main");
  EXPECT_EQ(asked.outcome, core::Outcome::draw);
  EXPECT_EQ(asked.end_kind, "time up");
  EXPECT_EQ(asked.ended_from, core::Wall{1'795'237'200'000'000});
  EXPECT_EQ(asked.ended_before, core::Wall{1'795'323'600'000'000});
  EXPECT_EQ(asked.from, "2026/01/02");
  EXPECT_EQ(asked.to, "2026/11/22");
  EXPECT_EQ(asked.min_plies, 3);
  EXPECT_EQ(asked.max_plies, 200);
  EXPECT_EQ(asked.min_rate, 2000);
  EXPECT_EQ(asked.position, core::position_key(shogi::Position()));
  EXPECT_EQ(asked.opening, "yagura");
  EXPECT_EQ(asked.before, core::GameId{7});
  EXPECT_EQ(asked.limit, 51U) << "50, and whether there are more";
}

TEST_F(ArchiveApiTest, ACrossTableOfASearch) {
  const json::value table = ok("/api/v1/crosstable?event=final-*&player=a%2B1&from=2026-01-02&players=5");
  EXPECT_EQ(catalogue->asked_cross.games.game_name, "final-*");
  EXPECT_EQ(catalogue->asked_cross.games.player, "a+1");
  EXPECT_EQ(catalogue->asked_cross.games.from, "2026/01/02");
  EXPECT_EQ(catalogue->asked_cross.players, 5U);
  EXPECT_EQ(table.at("v"), 1);
  EXPECT_EQ(table.at("total"), (json::object{{"players", 7}, {"games", 9}}));
  EXPECT_EQ(json::serialize(table.at("players").at(0)),
            R"({"id":"alice+1","name":"alice","games":3,"wins":2,"losses":0,"draws":1,"points":2.5E0})");
  EXPECT_EQ(table.at("players").at(1).at("name"), "=bob");
  EXPECT_TRUE(table.at("players").at(1).at("id").is_null());
  EXPECT_EQ(json::serialize(table.at("cells")), "[[0,1,2,0,1]]");
  ok("/api/v1/crosstable");
  EXPECT_EQ(catalogue->asked_cross.players, 40U);
  EXPECT_EQ(refused("/api/v1/crosstable?players=101", 400), "players: a number from 2 to 100");
  EXPECT_EQ(refused("/api/v1/crosstable.csv?players=1", 400), "players: a number from 2 to 100");
  EXPECT_EQ(refused("/api/v1/crosstable?player=a&color=black", 400), "color: there is no such key");
  EXPECT_EQ(refused("/api/v1/crosstable?limit=5", 400), "limit: there is no such key");
  EXPECT_EQ(refused("/api/v1/crosstable?opponent=a", 400), "opponent: says something of `player` only");
}

TEST_F(ArchiveApiTest, ACrossTableForSpreadsheets) {
  const Response file = get("/api/v1/crosstable.csv?event=final-*");
  EXPECT_EQ(catalogue->asked_cross.games.game_name, "final-*");
  EXPECT_THAT(file[http::field::content_type], StartsWith("text/csv"));
  EXPECT_EQ(file[http::field::content_disposition], "attachment; filename=\"crosstable.csv\"");
  EXPECT_EQ(file.body(),
            "\xef\xbb\xbfplace,name,id,points,games,wins,losses,draws,rate,\"alice\",\"'=bob\",\"\"\"c\"\"\"\r\n"
            "1,\"alice\",\"alice+1\",2.5,3,2,0,1,0.8333,,W2 L0 D1,\r\n"
            "2,\"'=bob\",,0.5,3,0,2,1,0.1667,W0 L2 D1,,\r\n"
            "3,\"\"\"c\"\"\",\"\"\"c\"\"+3\",0,0,0,0,0,,,,\r\n");
}

TEST_F(ArchiveApiTest, WrongQuestionsAreRefusedInWords) {
  EXPECT_EQ(refused("/api/v1/games?limit=0", 400), "limit: a number from 1 to 100");
  EXPECT_EQ(refused("/api/v1/games?limit=5x", 400), "limit: a number from 1 to 100");
  EXPECT_EQ(refused("/api/v1/games?outcome=won", 400), "outcome: one of black, white, draw, none");
  EXPECT_EQ(refused("/api/v1/games?from=22.11.2026", 400), "from: a day, like 2026-11-22");
  EXPECT_EQ(refused("/api/v1/games?colour=black", 400), "colour: there is no such key");
  EXPECT_EQ(refused("/api/v1/games?won=yes", 400), "won: says something of `player` only");
  EXPECT_EQ(refused("/api/v1/games?end=boredom", 400), "end: there is no such end");
  EXPECT_EQ(refused("/api/v1/games?event=a&event=b", 400), "event: stands there twice");
  EXPECT_EQ(refused("/api/v1/games?event=%4", 400), "a percent sign stands for itself as %25");
  EXPECT_THAT(refused("/api/v1/games?opening=nonsense", 400), StartsWith("opening: one of sujichigaikaku, "));
  EXPECT_THAT(refused("/api/v1/games?position=xyz", 400), StartsWith("position: is no position: "));
  EXPECT_EQ(refused("/api/v1/games?player=" + std::string(201, 'a'), 400), "player: is too long");
  EXPECT_EQ(refused("/api/v1/games?player=a%00b", 400), "player: holds a zero byte");
  EXPECT_EQ(refused("/api/v1/players?name=%00", 400), "name: holds a zero byte");
  EXPECT_EQ(refused("/api/v1/openings", 400), "sfen: is missing");
  EXPECT_EQ(refused("/api/v1/buoys?x=1", 400), "x: there is no such key");
  EXPECT_EQ(refused("/api/v1/players/nobody%2B1", 404), "there is no such player");
  EXPECT_EQ(refused("/api/v1/games/10", 404), "there is no such game");
}

TEST_F(ArchiveApiTest, AnArchivedGameIsToldAsARunningOneIs) {
  EXPECT_TRUE(holds(ok("/api/v1/games/7"), R"({"game": {"state": "ended", "moves": ["+7776FU,T2", "-3334FU,T3"],
      "comments": [[1, "* 30 -3334FU"]], "end": {"outcome": "white"}}})"));
}

TEST_F(ArchiveApiTest, WhatPlayersSaidIsHeldBackForEverWhereTheHostSaysSo) {
  begin({.comments = core::Comments::never});
  EXPECT_EQ(ok("/api/v1/games/7").at("game").at("comments"), json::array{});
  EXPECT_THAT(get("/api/v1/games/7.csa").body(), Not(HasSubstr("30 -3334FU")));
}

TEST_F(ArchiveApiTest, RecordsInEveryFormat) {
  const Response csa = get("/api/v1/games/7.csa");
  EXPECT_EQ(csa[http::field::content_disposition], "attachment; filename=\"ev+g-300-10+alice+bob+7.csa\"");
  EXPECT_THAT(csa.body(), StartsWith("V2.2\n"));
  EXPECT_THAT(csa.body(), HasSubstr("'** 30 -3334FU\n"));
  EXPECT_THAT(get("/api/v1/games/7.csa3").body(), AllOf(HasSubstr("V3.0\n"), HasSubstr("300+10+0")));
  EXPECT_THAT(get("/api/v1/games/7.kifu").body(), HasSubstr("７六歩(77)"));
  EXPECT_THAT(get("/api/v1/games/7.ki2u").body(), HasSubstr("▲７六歩"));
  EXPECT_EQ(json::parse(get("/api/v1/games/7.jkf").body()).at("header").at("先手"), "alice");
  EXPECT_THAT(get("/api/v1/games/7.usi").body(), HasSubstr("startpos moves 7g7f 3c3d"));
  EXPECT_THAT(get("/api/v1/games/7.kif")[http::field::content_type], HasSubstr("Shift_JIS"));
  EXPECT_EQ(refused("/api/v1/games/7.pgn", 404), "there is no such format");
  EXPECT_EQ(refused("/api/v1/games/7.", 404), "there is no such game");
}

// Records on the disk are EUC-JP; what it lacks is still there for who asks in UTF-8.
TEST_F(ArchiveApiTest, CommentsKeepAllTheirCharacters) {
  catalogue->notes = "2 * \xF0\x9F\x98\x80 \xEA\xB9\x80\n2 ' [bob] \xE2\x99\xA5\n";  // a smile, a Hangul, a heart
  const std::string csa = get("/api/v1/games/7.csa").body();
  EXPECT_THAT(csa, HasSubstr("-3334FU\nT3\n'*\xF0\x9F\x98\x80 \xEA\xB9\x80\n'[bob] \xE2\x99\xA5\n%"));
  EXPECT_THAT(get("/api/v1/games/7.kifu").body(), HasSubstr("*\xF0\x9F\x98\x80 \xEA\xB9\x80\n#[bob] \xE2\x99\xA5\n"));
}

// Whoever asks by curl has a terminal that obeys what it is shown.
TEST_F(ArchiveApiTest, NoRecordHoldsWhatATerminalObeys) {
  catalogue->notes =
      "1 * \x1b]0;owned\x07 \x7f\xc2\x9b"
      "31m\r 先手\n2 ' \x1b[2J\n";
  const auto is_control = [](unsigned char b) { return (b < ' ' && b != '\n' && b != '\t') || b == 0x7f; };
  for (const record::RecordFormat format : record::kRecordFormats) {
    const std::string body = get(fmt::format("/api/v1/games/7.{}", extension_of(format))).body();
    EXPECT_TRUE(std::ranges::none_of(body, is_control)) << testing::PrintToString(body);
    EXPECT_THAT(body, Not(HasSubstr("\xc2\x9b")));
    EXPECT_EQ(body.contains("]0;owned"), format != record::RecordFormat::usi) << body;
  }
  EXPECT_THAT(get("/api/v1/games/7.csa").body(), HasSubstr("'* ]0;owned    31m  先手\n-3334FU\nT3\n' [2J\n"));
}

TEST_F(ArchiveApiTest, TheRecordOfARunningGameSoFar) {
  Numbering next;
  server->publish({next(opened(77)), next(moved(77, 1, "+7776FU"))});
  EXPECT_THAT(get("/api/v1/games/77.csa").body(), HasSubstr("+7776FU\nT2\n"));
}

// Every query goes with what spectators have seen by the time at which it is asked.
TEST_F(ArchiveApiTest, OfGamesWithADelayTheCatalogueIsToldWhatHasBeenSeen) {
  begin({.now = [] { return core::Now{{}, core::Wall{100 * core::kSecond}}; },
         .delays = {{"club-*", {.seconds = 60}}, {"g-*", {.moves = 3}}}});
  for (const char* path : {"/api/v1/games", "/api/v1/games.zip", "/games.rss", "/api/v1/games/7", "/api/v1/games/7.csa",
                           "/api/v1/crosstable", "/api/v1/crosstable.csv", "/api/v1/players", "/api/v1/players/1",
                           "/api/v1/rounds", "/api/v1/openings?sfen=startpos"}) {
    catalogue->ends.clear();
    EXPECT_EQ(status(path), 200U) << path;
    const std::vector<core::EndsSeen> ends = catalogue->ends;
    ASSERT_EQ(ends.size(), 2U) << path;
    EXPECT_EQ(ends[0].games, "club-*");
    EXPECT_EQ(ends[0].until, core::Wall{40 * core::kSecond}) << path;
    EXPECT_EQ(ends[1].until, core::Wall{INT64_MAX});
  }
}

TEST_F(ArchiveApiTest, RoomsAreListedWithWhoPlaysAndWaitsAndHiddenOnesAreNot) {
  EXPECT_TRUE(holds(ok("/api/v1/rooms"), R"({"rooms": [{"name": "main", "waiting": null, "waiting_count": null}]})"))
      << "nobody has said who waits";
  Numbering next;
  core::GameOpened game = opened(7), secret = opened(8);
  game.room = "club";
  secret.room = "final";
  secret.showing = core::SpectatorDelay{.hidden = true};
  server->publish({next(core::RoomSet{.name = "final", .settings = {"games=final-*", "visibility=hidden"}}),
                   next(core::RoomSet{.name = "club",
                                      .settings = {"games=club-*", "title-ja=例会", "time=900-10F",
                                                   "visibility=seconds:60", "players=ann", "after-game=stay"},
                                      .of_file = true}),
                   next(game), next(secret)});
  std::vector<core::Waiter> lobby(
      150, {.room = "main", .game_name = "crowd-900-0", .name = "crowd", .id = {}, .builtin = false});
  lobby.push_back({.room = "club", .game_name = "club-900-0", .name = "<b>", .id = "b+1", .builtin = true});
  server->show_lobby(lobby);
  const json::value rooms = ok("/api/v1/rooms").at("rooms");
  ASSERT_EQ(rooms.as_array().size(), 2U) << "the hidden one is not there";
  EXPECT_TRUE(holds(rooms.at(1), R"({"name": "club", "title": {"ja": "例会", "en": null}, "time": {"increment_s": 10},
      "max_moves": null, "players": ["ann"], "after_game": "stay", "by_file": true, "playing": 1, "waiting_count": 1,
      "waiting": [{"name": "<b>", "id": "b+1", "builtin": true, "game": "club-900-0"}]})"));
  EXPECT_EQ(rooms.at(1).at("delay"), (json::object{{"seconds", 60}}));
  EXPECT_EQ(rooms.at(0).at("waiting").as_array().size(), 100U) << "an answer stays short, however many wait";
  EXPECT_EQ(rooms.at(0).at("waiting_count"), 150);
  EXPECT_THAT(json::serialize(rooms), Not(HasSubstr("final")));
}

TEST_F(ArchiveApiTest, RoomsSayWherePlayersConnect) {
  EXPECT_EQ(ok("/api/v1/rooms").at("csa"), json::array{}) << "nowhere";
  begin({.endpoints = {.csa = {"127.0.0.1:4081", "[::1]:4081"}, .csa_tls = {"0.0.0.0:4082"}}});
  const json::value rooms = ok("/api/v1/rooms");
  EXPECT_EQ(rooms.at("csa"), (json::array{"127.0.0.1:4081", "[::1]:4081"}));
  EXPECT_EQ(rooms.at("csa_tls"), (json::array{"0.0.0.0:4082"}));
}

// A game that is over for its players only is told as the feed has it, and so is its record.
TEST_F(ArchiveApiTest, AGameThatIsShownLateIsTheOneOfTheFeed) {
  begin({.now = [] { return kNow; }, .delays = {{"g-*", {.seconds = 60}}}});
  Numbering next;
  server->publish({next(opened(30)), next(core::GameStarted{core::GameId{30}, core::Wall{1}}),
                   next(moved(30, 1, "+7776FU")), next(ended(30))});
  const json::value game = ok("/api/v1/games/30").at("game");
  EXPECT_TRUE(holds(game, R"({"state": "agreeing", "moves": [], "end": null})"));
  EXPECT_EQ(game.at("delay"), (json::object{{"seconds", 60}}));
  for (const char* extension : {"csa", "kif", "jkf", "usi"}) {
    const Response record = get(std::string("/api/v1/games/30.") + extension);
    EXPECT_EQ(record.result(), http::status::ok) << extension;
    for (const char* secret : {"7776", "TORYO", "7g7f"})
      EXPECT_THAT(record.body(), Not(HasSubstr(secret))) << extension;
  }
  const Response page = get("/game/30/1");
  EXPECT_THAT(page.body(), HasSubstr("0手・対局中"));
  EXPECT_THAT(page.body(), Not(HasSubstr("７六歩")));
  EXPECT_EQ(get("/api/v1/games/30.png?ply=1").body(), get("/api/v1/games/30.png?ply=0").body());
}

// "name" of <meta property="og:name" content="...">.
std::string card(const Response& page, std::string_view name) {
  const std::string mark = fmt::format("property=\"og:{}\" content=\"", name);
  const std::size_t at = page.body().find(mark);
  if (at == std::string::npos) return "none";
  const std::string_view rest = std::string_view(page.body()).substr(at + mark.size());
  return std::string(rest.substr(0, rest.find('"')));
}

TEST_F(ArchiveApiTest, PagesTellCardsAndReadersWithoutScriptsWhatTheyAreAbout) {
  const Response game = get("/game/9/1", {{"Accept-Language", "en"}});
  EXPECT_EQ(game.result_int(), 200U);
  EXPECT_EQ(card(game, "title"), "☗alice – ☖bob");
  EXPECT_EQ(card(game, "description"), "g-300-10, 2 moves, White won");
  EXPECT_EQ(card(game, "image"), "http://shogi.example:8080/api/v1/games/9.png?ply=1");
  EXPECT_EQ(card(game, "url"), "http://shogi.example:8080/game/9/1");
  EXPECT_THAT(game.body(), HasSubstr("<title>☗alice – ☖bob · Fuhyō</title>"));
  EXPECT_THAT(game.body(), HasSubstr("▲７六歩"));
  EXPECT_THAT(game.body(), Not(HasSubstr("\n#"))) << "notes of programs, which its record has";
  EXPECT_THAT(get("/api/v1/games/9.ki2u").body(), HasSubstr("\n#"));
  EXPECT_EQ(game.body().find("og:title"), game.body().rfind("og:title"));
  EXPECT_EQ(card(get("/"), "title"), "Fuhyō");
  EXPECT_EQ(card(get("/game/9"), "description"), "g-300-10・2手・後手の勝ち");
  EXPECT_EQ(status("/game/10"), 404U);
  EXPECT_EQ(status("/player/alice%2B2"), 404U);
  const Response player = get("/player/alice%2B1");
  EXPECT_EQ(player.result_int(), 200U);
  EXPECT_EQ(card(player, "title"), "alice");
  EXPECT_EQ(card(player, "description"), "レート 1500・2局 2勝 0敗 0分");
  EXPECT_EQ(card(player, "image"), "http://shogi.example:8080/api/v1/games/9.png");
  EXPECT_EQ(catalogue->asked.player, "alice+1");
}

TEST_F(ArchiveApiTest, NamesInPagesStayText) {
  const std::string evil = "\"><script>alert(1)</script>\xff";
  core::GameOpened game = opened(12);
  game.black.name = evil;
  game.game_name = "<b>'&";
  server->publish({core::Transaction{{core::Seq{1}, game}}});
  const Response page = get("/game/12");
  EXPECT_EQ(page.result_int(), 200U);
  EXPECT_THAT(page.body(), Not(HasSubstr("<script>")));
  EXPECT_THAT(page.body(), Not(HasSubstr("<b>")));
  EXPECT_EQ(card(page, "title"), "☗&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\xef\xbf\xbd – ☖bob");
}

TEST_F(ArchiveApiTest, APositionIsAPicture) {
  const Response picture = get("/api/v1/games/9.png?ply=1");
  EXPECT_EQ(picture[http::field::content_type], "image/png");
  EXPECT_THAT(picture.body(), StartsWith("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(picture.body().substr(16, 8), std::string("\0\0\x03\xe8\0\0\x02\x0d", 8)) << "1000 by 525";
  EXPECT_EQ(get("/api/v1/games/9.png").body(), get("/api/v1/games/9.png?ply=2").body());
  EXPECT_NE(get("/api/v1/games/9.png?ply=0").body(), picture.body());
  EXPECT_EQ(status("/api/v1/games/9.png?ply=x"), 400U);
  EXPECT_EQ(status("/api/v1/games/10.png"), 404U);
}

TEST_F(ArchiveApiTest, PlayersRoundsBuoysAndOpenings) {
  EXPECT_EQ(ok("/api/v1/players?name=al&sort=games&limit=5&offset=3").at("players").at(0).at("rate").as_double(), 1500);
  EXPECT_EQ(catalogue->asked_players.order, core::PlayerQuery::Order::games);
  EXPECT_EQ(catalogue->asked_players.offset, 3U);
  const json::value player = ok("/api/v1/players/alice+1");
  EXPECT_EQ(player.at("days").at(0), (json::array{"2026-11-21", 1500.5, nullptr, 1'795'273'200'000}))
      << "2026-11-21T15:00Z: midnight in Japan";
  EXPECT_TRUE(holds(ok("/api/v1/rounds?limit=2"),
                    R"({"rounds": [{}, {}], "next": 4, "groups": [{"next_at_ms": 7000, "rounds": 3},
                        {"name": "floodgate-2-0", "next_at_ms": null}, {"name": "floodgate-9-0"}]})"))
      << "the second group has held none yet, the third one is held no more";
  EXPECT_TRUE(
      holds(ok("/api/v1/buoys"),
            R"({"buoys": [{"sfen": "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"}, {}, {}],
                        "sets": [{"positions": [{"title": "one"}, {}]}], "next": null})"));
  EXPECT_TRUE(holds(ok("/api/v1/buoys?limit=2"), R"({"buoys": [{}, {}], "next": "buoy_y-60-0"})"));
  EXPECT_TRUE(holds(ok("/api/v1/buoys?limit=2&after=buoy_y-60-0"),
                    R"({"buoys": [{"name": "buoy_z-60-0"}], "sets": [], "next": null})"));
  EXPECT_EQ(refused("/api/v1/buoys?limit=1001", 400), "limit: a number from 1 to 1000");
  EXPECT_EQ(ok("/api/v1/openings?sfen=startpos").at("moves").at(0).at("black"), 2);
  EXPECT_EQ(catalogue->asked_position, core::position_key(shogi::Position()));
}

TEST_F(ArchiveApiTest, ManyGamesAtOnceAndANewsFeed) {
  const Response zip = get("/api/v1/games.zip?player=a");
  EXPECT_EQ(zip[http::field::content_type], "application/zip");
  EXPECT_THAT(zip.body(), StartsWith("PK\x03\x04"));
  EXPECT_THAT(zip.body(), HasSubstr("ev+g-300-10+alice+bob+9.csa"));
  EXPECT_EQ(catalogue->asked.limit, 1000U);
  const Response rss = get("/games.rss");
  EXPECT_EQ(rss[http::field::content_type], "application/rss+xml; charset=utf-8");
  EXPECT_THAT(rss.body(), HasSubstr("<link>http://shogi.example:8080/game/9</link>"));
  begin({.hosts = {"www.example", "other.example:81"}});
  EXPECT_THAT(get("/games.rss").body(), HasSubstr("<link>http://www.example/game/9</link>")) << "a foreign name";
  EXPECT_THAT(get("/games.rss", {{"Host", "Other.example:81"}}).body(), HasSubstr("http://Other.example:81/game/9"));
  EXPECT_THAT(rss.body(), HasSubstr("<pubDate>Thu, 01 Jan 1970 00:00:03 +0000</pubDate>"));
}

TEST_F(ArchiveApiTest, ManyGamesAtOnceAreSoManyBytesAndNoMore) {
  if (test::kSanitized) GTEST_SKIP() << "megabytes of text, for which unoptimised code takes a minute";
  catalogue->notes = "1 ' " + std::string(std::size_t{12} << 20, 'x') + '\n';
  const std::string large = get("/api/v1/games.zip?player=a").body();
  EXPECT_THAT(large, HasSubstr("alice+bob+8.csa"));
  EXPECT_THAT(large, Not(HasSubstr("alice+bob+7.csa")));
}

TEST(GamesRss, NamesAreTextAndNothingThatXmlForbids) {
  core::FinishedGame game = finished(7);
  game.opened.black.name = "]]></title><script>&\x01\xef\xbf\xbf";
  game.opened.white.name = "\xef\xbf\xbe\xef\xbf\xbd";  // a noncharacter, and a character beside it
  EXPECT_THAT(games_rss({game}, "http://x"),
              HasSubstr("<title>]]&gt;&lt;/title&gt;&lt;script&gt;&amp; \xef\xbf\xbd - \xef\xbf\xbd\xef\xbf\xbd: "));
}

TEST_F(ArchiveApiTest, WhatTheCatalogueCannotSayIsSaidSo) {
  catalogue->fault = core::Catalogue::Fault{"narrow it down", true};
  EXPECT_EQ(refused("/api/v1/games", 422), "narrow it down");
  catalogue->fault = core::Catalogue::Fault{"disk I/O error at /secret/place"};
  EXPECT_EQ(refused("/api/v1/games", 503), "the archive does not answer") << "the rest is for the host";
  EXPECT_THAT(warned.get_future().get(), HasSubstr("/secret/place"));
}

TEST_F(ArchiveApiTest, WhileTheStoreIsSlowTheFeedGoesOnAndNoMoreThanSoManyWait) {
  begin({.archive = {.queries = 1}});
  std::unique_lock slow(catalogue->gate);
  auto first = std::async(std::launch::async, [&] { return status("/api/v1/games/7"); });
  catalogue->entered.acquire();
  EXPECT_EQ(status("/api/v1/games?limit=1"), 503U);
  EXPECT_EQ(status("/healthz"), 200U);
  slow.unlock();
  EXPECT_EQ(first.get(), 200U);
  EXPECT_EQ(status("/api/v1/games?limit=1"), 200U);
}

// A clock that goes on only where the test says so: every query takes a second.
TEST_F(ArchiveApiTest, WhoseQuestionsTakeLongHasSoMuchTimeAtOnceAndATenthOfItAfterwards) {
  std::atomic<std::int64_t> us = 0;
  begin({.web = {.proxy = everybody}, .archive = {.clock = [&] { return core::Instant{us}; }}});
  catalogue->works = [&] { us += core::kSecond; };
  const auto asks = [&](const char* caller, const char* what = "/api/v1/games") {
    return get(what, {{"X-Forwarded-For", caller}}).result_int();
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(asks("192.0.2.1"), 200U) << i;
  EXPECT_EQ(asks("192.0.2.1"), 200U) << "3 s took 30, of which 2 have passed";
  EXPECT_EQ(asks("192.0.2.1"), 429U);
  EXPECT_EQ(asks("192.0.2.1", "/api/v1/players"), 429U) << "whatever it is";
  EXPECT_EQ(asks("198.51.100.1"), 200U) << "another caller";
  us += 5 * core::kSecond;
  EXPECT_EQ(asks("192.0.2.1"), 429U);
  us += core::kSecond;
  EXPECT_EQ(asks("192.0.2.1"), 200U);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(status("/api/v1/games"), 200U) << "of this machine";
}

TEST_F(ArchiveApiTest, WhoAsksMuchTakesNoTurnFromWhoAsksLittle) {
  begin({.web = {.proxy = everybody}, .archive = {.queries = 3}});
  std::unique_lock slow(catalogue->gate);
  std::mutex told;
  std::condition_variable one_more;
  std::vector<std::pair<std::string, unsigned>> answers;
  const auto asks = [&](const std::string& caller) {
    return std::async(std::launch::async, [&, caller] {
      const unsigned answer = get("/api/v1/games/7", {{"X-Forwarded-For", caller}}).result_int();
      const std::lock_guard lock(told);
      answers.emplace_back(caller, answer);
      one_more.notify_one();
    });
  };
  const auto until = [&](std::size_t number) {
    std::unique_lock lock(told);
    one_more.wait(lock, [&] { return answers.size() >= number; });
  };
  std::vector<std::future<void>> all;
  for (int i = 0; i < 4; ++i) all.push_back(asks("192.0.2.1"));
  until(1);  // one is being answered, two wait, and for the fourth there is no place
  all.push_back(asks("198.51.100.1"));
  until(2);
  slow.unlock();
  for (std::future<void>& each : all) each.get();
  EXPECT_THAT(std::vector(answers.begin(), answers.begin() + 2), Each(Pair("192.0.2.1", 503U)));
  EXPECT_EQ(std::ranges::count(answers, std::pair(std::string("198.51.100.1"), 200U)), 1);
}

TEST_F(ArchiveApiTest, WhoDoesNotReadHoldsSoMuchAndNoMore) {
  begin({.unread_bytes = std::size_t{20} << 20,
         .unread_bytes_per_address = std::size_t{10} << 20,
         .web = {.proxy = everybody}});
  catalogue->notes = "1 ' " + std::string(std::size_t{6} << 20, 'x') + '\n';
  const auto ask = [&](test::TcpClient& client, int caller) {
    client.send(
        fmt::format("GET /api/v1/games/7.csa HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.{}\r\n\r\n", caller));
    return client.line();
  };
  constexpr int kLittle = 4096;  // of what it is sent it takes no more by itself
  test::TcpClient first(address, kLittle), second(address, kLittle), again(address, kLittle), third(address, kLittle),
      fourth(address, kLittle);
  EXPECT_EQ(ask(first, 1), "HTTP/1.1 200 OK\r");
  EXPECT_EQ(ask(again, 1), "HTTP/1.1 503 Service Unavailable\r") << "more than an address may leave unread";
  EXPECT_EQ(ask(second, 2), "HTTP/1.1 200 OK\r");
  EXPECT_EQ(ask(third, 3), "HTTP/1.1 200 OK\r");
  EXPECT_EQ(ask(fourth, 4), "HTTP/1.1 503 Service Unavailable\r") << "more than all may";
  first.hang_up();
  EXPECT_TRUE(test::eventually([&] {
    test::TcpClient later(address, kLittle);
    return ask(later, 4) == "HTTP/1.1 200 OK\r";
  }));
}

// Says when the thread that it was made on has ended.
struct AtThreadEnd {
  std::binary_semaphore* ended;
  ~AtThreadEnd() { ended->release(); }
};

TEST_F(ArchiveApiTest, AServerThatEndsWaitsForNoQuestion) {
  std::binary_semaphore web_thread_ended{0};
  begin({.metrics = [&] {
    thread_local const AtThreadEnd watch{&web_thread_ended};
    return std::string();
  }});
  EXPECT_EQ(status("/metrics"), 200U);
  std::unique_lock slow(catalogue->gate);
  test::TcpClient under_way(address), waits(address);
  for (test::TcpClient* client : {&under_way, &waits}) client->send("GET /api/v1/games/7 HTTP/1.1\r\nHost: x\r\n\r\n");
  catalogue->entered.acquire();
  std::thread ends([&] { server.reset(); });
  web_thread_ended.acquire();
  slow.unlock();  // the one that it is at ends
  ends.join();
  EXPECT_EQ(under_way.rest(), "");
  EXPECT_EQ(waits.rest(), "");
}

TEST(QueryTest, FormEncoding) {
  Query query("a=1+2&b=%e3%81%82&c&d=");
  EXPECT_EQ(query.text("a"), "1 2");
  EXPECT_EQ(query.text("b"), "あ");
  EXPECT_EQ(query.text("c"), "");
  EXPECT_EQ(query.text("d"), "");
  EXPECT_EQ(query.fault(), std::nullopt);
  EXPECT_EQ(percent_decoded("a+b%2B", false), "a+b+");
  for (const char* bad : {"%2", "%zz", "%+1"}) EXPECT_EQ(percent_decoded(bad, false), std::nullopt) << bad;
}

TEST(RecordFileTest, NamesAreSafeInAnyFolder) {
  EXPECT_EQ(file_name("ev+g+a/..\\\"b\n+\xe3", "csa3"), "ev+g+a_..__b_+_.csa");
}

}  // namespace
}  // namespace fuhyo::net
