// What the web says of events while the core holds them: lists, pairings, results, tables and files; nothing of a game
// before spectators may know it; answers that are kept until something changes.
#include "server/net/tournament_api.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "server/net/page_about.h"
#include "tests/support/event_host.h"
#include "tests/unit/net/json_parts.h"

namespace fuhyo::net {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kPath = "/api/v1/tournaments/cup", kTable = "/api/v1/tournaments/cup/tables.csv";
constexpr std::string_view kLeague =
    "name\tcup\ntitle\tThe Cup\ntitle-ja\t杯\nformat\tround-robin\ntime\t300-10F\ncountdown-s\t60\ngap-s\t120\n";
constexpr std::string_view kSwiss = "name\tcup\nformat\tswiss\nrounds\t2\ntime\t300-10F\ncountdown-s\t60\ngap-s\t120\n";

std::string of(std::string_view settings, const std::vector<std::string>& names) {
  std::string text(settings);
  for (std::size_t i = 0; i < names.size(); ++i) text += fmt::format("entrant[{}].name\t{}\n", i, names[i]);
  return text;
}

class EventPages : public testing::Test {
 protected:
  core::Now now() const {
    const std::int64_t us = host.server().now_ms() * 1000;
    return {core::Instant{us}, core::Wall{test::kStartWall.us + us}};
  }
  void begin(const std::string& settings, const std::vector<std::string>& names) {
    const auto told = host.announce(settings);
    ASSERT_TRUE(told.ok) << told.text;
    for (const std::string& name : names) host.come_csa(name);
    pull();
  }
  void start() {
    ASSERT_TRUE(host.host("start cup").ok);
    pull();
  }
  // An event of these, until its first games are open.
  void open_games(const std::vector<std::string>& names, std::string_view settings = kLeague) {
    begin(of(settings, names), names);
    start();
    advance_s(60);
  }
  // What has become durable reaches the web.
  void pull() {
    const auto journal = host.journal();
    for (; pulled < journal.size(); ++pulled) feed.apply({journal[pulled]}, now(), true);
    feed.release(now(), true);
  }
  void advance_s(std::int64_t s) {
    host.server().advance(s * 1000);
    pull();
  }
  void play_all() {
    host.play_all();
    pull();
  }
  void begin_anew(const Feed::Options& options) {
    const auto journal = host.journal();
    feed = Feed(options, test::recovery_of(journal, host.server().durable()), now());
    pulled = journal.size();
  }

  EventReply get(std::string_view path, std::string_view query = {}) {
    return api.reply_to(path, query, feed, lobby ? &*lobby : nullptr, now().wall);
  }
  json::value cup() { return json::parse(get(kPath).body); }
  json::value row() { return json::parse(get("/api/v1/tournaments").body).at("tournaments").at(0); }
  json::value division(std::size_t stage = 0) { return cup().at("stages").at(stage).at("divisions").at(0); }
  // Of the first round.
  json::value game(std::size_t i) { return division().at("timetable").at(0).at("games").at(i); }

  mutable test::EventHost host;
  Feed feed{{}, {}, {{}, test::kStartWall}};
  TournamentApi api{core::TimeZone{}};
  std::optional<std::vector<core::Waiter>> lobby;
  std::size_t pulled = 0;
};

TEST_F(EventPages, AnAnnouncedEventIsExplainedInBothLanguages) {
  EXPECT_EQ(get("/api/v1/tournaments").body,
            fmt::format(R"({{"v":1,"now_ms":{},"tournaments":[]}})", test::kStartWall.us / 1000));
  begin(of(kLeague, {"ann", "bob"}), {"cat"});
  EXPECT_TRUE(holds(row(), R"({"name": "cup", "title": {"ja": "杯", "en": "The Cup"}, "phase": "announced",
      "entrants": 3})"))
      << "who waits for an open event has entered it";
  const json::value whole = cup();
  EXPECT_EQ(whole.at("games"), "cup-*");
  EXPECT_EQ(whole.at("explained").at("en").at(0), "The Cup (cup)");
  EXPECT_THAT(json::serialize(whole.at("explained").at("ja")), HasSubstr("総当たり"));
  EXPECT_TRUE(holds(division(), R"({"table": null, "next_at_ms": null, "time": {"increment_s": 10}, "white_time": null,
      "declaration": "27", "rules": "official"})"))
      << "its host starts it";
}

TEST_F(EventPages, TheCardOfAnEventShowsItsNewestGame) {
  const auto pictured = [&] { return about_event(feed.events().find("cup")->event, "", PageLanguage::en).pictured; };
  begin(of(kLeague, {}), {"ann", "bob", "cat", "dan"});
  start();
  EXPECT_EQ(pictured(), core::GameId{});
  advance_s(60);
  const json::value second = game(1);
  ASSERT_TRUE(second.at("id").is_uint64() || second.at("id").is_int64()) << second;
  EXPECT_EQ(core::value(pictured()), second.at("id").to_number<std::uint64_t>()) << "of those that are played";
  play_all();
  EXPECT_EQ(core::value(pictured()), second.at("id").to_number<std::uint64_t>()) << "of those that are over";
}

TEST_F(EventPages, DifferentClocksAndTheRuleOfDeclarationsAreTold) {
  begin(
      "name\tcup\nformat\tround-robin\ntime-black\t600-0\ntime-white\t120-5F\ndeclaration\ttry\n"
      "rules\tshogi-server\nentrant[0].name\tann\nentrant[1].name\tbob\n",
      {});
  EXPECT_TRUE(holds(division(), R"({"time": {"total_s": 600}, "white_time": {"increment_s": 5}, "declaration": "try",
      "rules": "shogi-server"})"));
  EXPECT_THAT(json::serialize(cup().at("explained").at("en")), HasSubstr("Black 10 min, White 2 min"));
}

TEST_F(EventPages, ATimetableIsToldInTheServersZone) {
  begin(of("name\tcup\nformat\tround-robin\ntime\t300-10F\nstarts\t2026-11-21 06:00\n", {"ann", "bob"}), {});
  api = TournamentApi(core::TimeZone{.spans = {{INT64_MIN, 3600}}});
  EXPECT_EQ(division().at("starts_at_ms").at(0), 1795237200000) << "05:00 UTC";
  EXPECT_EQ(division().at("next_at_ms"), 1795237200000);
}

TEST_F(EventPages, RoundsGamesAndTablesFollowTheEvent) {
  begin(of(kLeague, {"ann", "bob", "cat", "dan"}), {"ann", "bob", "cat", "dan"});
  start();
  const std::int64_t begins_ms = (test::kStartWall.us / 1000) + 60'000;
  EXPECT_EQ(row().at("divisions").at(0).at("round_at_ms"), begins_ms) << "what the page counts down to";
  EXPECT_EQ(game(0).at("state"), "waiting");
  EXPECT_EQ(game(0).at("id"), nullptr);
  advance_s(60);
  for (const core::GameOpened& game : host.open_games()) host.agree(game);
  pull();
  const json::value running = game(1);
  EXPECT_EQ(running.at("state"), "playing");
  EXPECT_EQ(row().at("playing"), 2);
  EXPECT_EQ(cup().at("entrants").at(0).at("state"), "plays");
  EXPECT_EQ(division().at("table").at("rows").at(0).at("rounds").at(0).at("pending"), true);
  const core::GameOpened first = host.open_games()[0];
  host.finish(first, true);
  pull();
  const json::value over = game(0);
  EXPECT_TRUE(holds(over, R"({"state": "over", "game": "1.1", "outcome": "black", "how": "play", "end": "toryo",
      "plies": 1})"));
  EXPECT_EQ(over.at("black").as_string(), first.black.name);
  EXPECT_EQ(over.at("record").as_string(), first.csa_id);
  EXPECT_EQ(over.at("id"), core::value(first.game));
  EXPECT_EQ(division().at("table").at("rows").at(0).at("player").as_string(), first.black.name);
  EXPECT_EQ(division().at("table").at("rows").at(0).at("points"), 1.0);
  host.finish(host.open_games()[0], true);
  pull();
  for (int next = 2; next <= 3; ++next) {
    advance_s(120);
    play_all();
  }
  EXPECT_EQ(row().at("phase"), "over");
  EXPECT_EQ(division().at("final"), true);
  EXPECT_EQ(division().at("timetable").as_array().size(), 3U);
  EXPECT_EQ(division().at("next_at_ms"), nullptr);
  EXPECT_NE(division().at("table").at("rows").at(0).at("performance"), nullptr);
}

TEST_F(EventPages, OfAResultThatIsNotToBeSeenNothingIsToldNorWhatFollowsIt) {
  const Feed::Options late{.delays = {{"cup-*", {.seconds = 300}}}, .first_id = 1000};
  feed = Feed(late, {}, now());
  open_games({"ann", "bob", "cat", "dan"}, kSwiss);
  play_all();
  advance_s(60);
  ASSERT_EQ(host.decided<core::tournament::RoundPaired>().size(), 2U) << "the second round is told";
  const auto nothing_yet = [&] {
    EXPECT_EQ(division().at("round"), 1);
    EXPECT_EQ(game(0).at("state"), "waiting");
    EXPECT_EQ(game(0).at("outcome"), nullptr);
    EXPECT_EQ(division().at("table").at("rows").at(0).at("points"), 0.0);
    EXPECT_THAT(get(kTable).body, Not(HasSubstr("+ 1")));
  };
  nothing_yet();
  begin_anew(late);
  nothing_yet();
  advance_s(239);
  nothing_yet();
  ASSERT_TRUE(feed.next_release());
  EXPECT_LE(*feed.next_release(), now().mono + core::kSecond);
  advance_s(1);
  EXPECT_EQ(game(1).at("state"), "over");
  EXPECT_EQ(game(0).at("state"), "over");
  EXPECT_EQ(division().at("round"), 2);
  EXPECT_THAT(get(kTable).body, HasSubstr("+ 1"));
}

TEST_F(EventPages, OfADeletedEventThereIsNoPage) {
  begin(of(kLeague, {"ann", "bob"}), {"ann", "bob"});
  EXPECT_EQ(get(kPath).status, 200U);
  ASSERT_TRUE(host.host("delete cup").ok);
  pull();
  for (const bool anew : {false, true}) {
    if (anew) begin_anew({.first_id = 1000});
    EXPECT_EQ(get(kPath).status, 404U);
    EXPECT_EQ(get("/api/v1/tournaments/cup/tables.html").status, 404U);
    EXPECT_THAT(get("/api/v1/tournaments").body, HasSubstr(R"("tournaments":[])"));
  }
  begin(of(kLeague, {"ann", "cat", "dan"}), {});
  EXPECT_EQ(row().at("entrants"), 4) << "another one of the name, which bob, who still waits, enters as well";
}

// What its end holds back is seen before it goes.
TEST_F(EventPages, ADeletedEventIsSeenUntilItsLastResultHasBeen) {
  feed = Feed({.delays = {{"cup-*", {.seconds = 300}}}, .first_id = 1000}, {}, now());
  open_games({"ann", "bob"});
  play_all();
  ASSERT_TRUE(host.host("delete cup").ok);
  advance_s(299);
  EXPECT_EQ(game(0).at("outcome"), nullptr);
  advance_s(1);
  EXPECT_EQ(get(kPath).status, 404U);
  open_games({"cat", "dan"});
  play_all();
  EXPECT_EQ(row().at("phase"), "running") << "results of the next one are held back as well";
}

TEST_F(EventPages, ARoomHidesResultsAsWell) {
  ASSERT_TRUE(host.server().admin("set-room hall games=cup-* visibility=seconds:30").ok);
  open_games({"ann", "bob"});
  play_all();
  EXPECT_EQ(game(0).at("outcome"), nullptr);
  EXPECT_EQ(row().at("phase"), "running");
  begin_anew({.first_id = 1000});
  EXPECT_EQ(game(0).at("outcome"), nullptr);
  EXPECT_EQ(row().at("phase"), "running") << "that it is over says that the game is";
  advance_s(30);
  EXPECT_NE(game(0).at("outcome"), nullptr);
  EXPECT_EQ(row().at("phase"), "over");
}

TEST_F(EventPages, AHiddenGameIsThereWithItsEnd) {
  const Feed::Options hidden{.delays = {{"cup-*", {.hidden = true}}}, .first_id = 1000};
  feed = Feed(hidden, {}, now());
  open_games({"ann", "bob"});
  host.agree(host.open_games()[0]);
  pull();
  EXPECT_EQ(game(0).at("state"), "waiting");
  host.finish(host.open_games()[0], true);
  pull();
  EXPECT_EQ(game(0).at("state"), "over");
  EXPECT_EQ(row().at("playing"), 0);
}

TEST_F(EventPages, AStartKnowsWhatWasDecidedAndWhatRuns) {
  open_games({"ann", "bob", "cat", "dan"});
  for (const core::GameOpened& game : host.open_games()) host.agree(game);
  host.finish(host.open_games()[0], true);
  pull();
  const json::value before = cup();
  EXPECT_EQ(game(0).at("id"), core::value(host.results()[0].id)) << "of its record";
  begin_anew({});
  EXPECT_EQ(cup(), before);
  EXPECT_EQ(row().at("playing"), 1);
}

TEST_F(EventPages, WhoIsHereIsToldWhereItIsKnown) {
  begin(of(kLeague, {"ann", "bob", "cat"}), {});
  EXPECT_EQ(cup().at("entrants").at(0).at("state"), nullptr) << "on a web node";
  lobby = {{.room = "main", .game_name = "cup-1-1", .name = "ann", .id = {}},
           {.room = "main", .game_name = "cup-b-1-1", .name = "bob", .id = {}},
           {.room = "main", .game_name = "cup-1-1", .name = "zoe", .id = {}}};
  EXPECT_EQ(cup().at("entrants").at(0).at("state"), "waits");
  EXPECT_EQ(cup().at("entrants").at(1).at("state"), "away") << "he waits for another event";
  ASSERT_TRUE(host.host("withdraw cup cat").ok);
  pull();
  EXPECT_EQ(cup().at("entrants").at(2).at("state"), "left");
}

TEST_F(EventPages, WhoMustNotMeetIsTold) {
  begin(of(kSwiss, {"ann", "bob", "cat"}) + "entrant[0].group\tlab\nentrant[0].group\tclub\napart\tbob cat\n", {});
  ASSERT_TRUE(host.host("enter cup cat group=lab").ok);
  pull();
  EXPECT_TRUE(holds(cup(), R"({"entrants": [{"groups": ["lab", "club"]}, {"groups": []}, {"groups": ["lab"]}],
      "apart": [["bob", "cat"]]})"));
}

TEST_F(EventPages, TheSameAnswerHasTheSameTagUntilSomethingChanges) {
  begin(of(kLeague, {"ann", "bob"}), {"ann", "bob"});
  const EventReply first = get(kPath);
  EXPECT_THAT(first.etag, StartsWith("W/\""));
  host.server().advance(5'000);
  EXPECT_EQ(get(kPath).etag, first.etag);
  EXPECT_NE(get(kPath).body, first.body) << "it bears its time";
  const std::string list = get("/api/v1/tournaments").etag;
  lobby.emplace();
  const std::string known = get(kPath).etag;
  EXPECT_NE(known, first.etag) << "nobody is here";
  start();
  const std::string told = get(kPath).etag;
  EXPECT_NE(told, known);
  EXPECT_NE(get("/api/v1/tournaments").etag, list);
  advance_s(60);
  EXPECT_NE(get(kPath).etag, told) << "the game has begun";
}

TEST_F(EventPages, TablesAreFiles) {
  begin(of(kLeague, {"ann", "bob"}), {"ann", "bob"});
  EXPECT_EQ(get(kTable).status, 404U) << "nobody is in the table yet";
  start();
  advance_s(60);
  play_all();
  const EventReply csv = get(kTable, "division=main/main&lang=ja");
  EXPECT_EQ(csv.content_type, "text/csv; charset=utf-8; header=present");
  EXPECT_EQ(csv.file_name, "cup.csv");
  EXPECT_THAT(csv.body, HasSubstr("○"));
  EXPECT_THAT(get(kTable, "view=rounds").body, HasSubstr(",round 1"));
  EXPECT_THAT(get(kTable).body, Not(HasSubstr(",round 1")));
  EXPECT_THAT(get("/api/v1/tournaments/cup/tables.html").body, HasSubstr("<h1>The Cup</h1>"));
  EXPECT_THAT(get("/api/v1/tournaments/cup/tables.txt").body, HasSubstr("ann"));
}

TEST_F(EventPages, WrongQuestionsAreRefusedInWords) {
  begin(of(kLeague, {"ann", "bob"}), {});
  for (const char* path : {"/api/v1/tournaments/club", "/api/v1/tournaments/", "/api/v1/tournaments/cup/tables.pdf"}) {
    EXPECT_EQ(get(path).status, 404U) << path;
  }
  EXPECT_EQ(get("/api/v1/tournaments", "x=1").status, 400U);
  EXPECT_EQ(get(kPath, "x=1").status, 400U);
  for (const char* query : {"lang=fr", "view=tree", "division=Z"}) EXPECT_EQ(get(kTable, query).status, 400U) << query;
  EXPECT_THAT(get(kTable, "division=Z").body, HasSubstr("is none of"));
  EXPECT_EQ(get(kPath, "x=1").etag, "");
}

}  // namespace
}  // namespace fuhyo::net
