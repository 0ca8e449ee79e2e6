// docs/openapi.json says what there is, no more and no less, and examples of real answers are as it says.
#include <fstream>
#include <gtest/gtest.h>
#include <ranges>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

#include <boost/json.hpp>

#include "server/net/analysis_api.h"
#include "server/net/archive_json.h"
#include "server/net/archive_query.h"
#include "server/net/feed.h"
#include "server/net/feed_json.h"
#include "server/net/http_routes.h"
#include "server/net/rooms_json.h"
#include "server/net/tournament_api.h"
#include "tests/unit/net/fake_analyst.h"
#include "tests/unit/net/some_facts.h"

namespace fuhyo::net {
namespace {

namespace json = boost::json;

json::object document() {
  std::ostringstream text;
  text << std::ifstream(FUHYO_SOURCE_DIR "/docs/openapi.json").rdbuf();
  return json::parse(text.str()).as_object();
}

json::object& operator/(json::object& parent, std::string_view key) { return parent.at(key).as_object(); }

// "/api/v1/games/*" is "/api/v1/games/{id}" there.
std::string template_of(std::string_view path) {
  std::string text(path);
  if (const std::size_t star = text.find('*'); star != text.npos) text.replace(star, 1, "{id}");
  return text;
}

TEST(OpenApi, HasEveryRouteThatIsForPrograms) {
  std::set<std::string> there, written;
  for (const HttpRoute& route : http_routes()) {
    const bool watched = route.path == "/healthz" || route.path == "/readyz" || route.path == "/metrics";
    if (!route.path.starts_with("/api/") && !watched) continue;
    std::string method(route.method);
    for (char& letter : method) letter = static_cast<char>(letter | 0x20);
    there.insert(method + " " + template_of(route.path));
  }
  json::object whole = document();
  EXPECT_TRUE(whole.at("openapi").as_string().starts_with("3.1"));
  std::set<std::string> names;
  for (auto& [path, operations] : whole / "paths") {
    for (auto& [method, operation] : operations.as_object()) {
      written.insert(std::string(method) + " " + std::string(path));
      EXPECT_FALSE(operation.at("summary").as_string().empty());
      EXPECT_FALSE(operation.at("responses").as_object().empty());
      EXPECT_TRUE(names.insert(std::string(operation.at("operationId").as_string())).second);
    }
  }
  EXPECT_EQ(written, there);
}

void collect_references(const json::value& value, std::set<std::string>& found) {
  if (const json::object* object = value.if_object()) {
    for (const auto& [key, member] : *object) {
      if (key == "$ref") found.insert(std::string(member.as_string()));
      collect_references(member, found);
    }
  }
  if (const json::array* array = value.if_array()) {
    for (const json::value& element : *array) collect_references(element, found);
  }
}

TEST(OpenApi, NamesNothingThatIsNotThere) {
  json::object whole = document();
  std::set<std::string> used;
  collect_references(whole, used);
  std::set<std::string> defined;
  for (const std::string kind : {"schemas", "parameters"}) {
    for (const auto& [name, part] : whole / "components" / kind) {
      defined.insert("#/components/" + kind + "/" + std::string(name));
    }
  }
  EXPECT_EQ(used.size(), defined.size());
  for (const std::string& reference : used) EXPECT_TRUE(defined.contains(reference)) << reference;
}

std::set<std::string> keys_of(const json::object& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object) keys.insert(std::string(key));
  return keys;
}

std::set<std::string> keys_of_schema(std::string_view name) {
  json::object whole = document();
  json::object& schemas = whole / "components" / "schemas";
  json::object& schema = schemas / name;
  if (!schema.contains("allOf")) return keys_of(schema / "properties");
  std::set<std::string> keys;
  for (json::value& part : schema.at("allOf").as_array()) {
    const json::value* reference = part.as_object().if_contains("$ref");
    json::object& own =
        reference == nullptr
            ? part.as_object()
            : schemas /
                  std::string_view(reference->as_string()).substr(std::string_view("#/components/schemas/").size());
    keys.merge(keys_of(own / "properties"));
  }
  return keys;
}

TEST(OpenApi, SaysWhichKeysEventsHave) {
  Numbering next;
  Feed feed{{.comments = core::Comments::live}, core::Recovery{}, kNow};
  const auto data = [&](core::Fact fact) {
    return data_of(feed.apply(next(std::move(fact)), kNow, false).front().text).as_object();
  };
  json::object opening = data(opened(7));
  EXPECT_EQ(keys_of(opening), keys_of_schema("Opened"));
  EXPECT_EQ(keys_of(opening / "game"), keys_of_schema("Game"));
  EXPECT_EQ(keys_of(opening / "game" / "black"), keys_of_schema("Seat"));
  EXPECT_EQ(keys_of(opening / "game" / "time"), keys_of_schema("TimeRule"));
  EXPECT_EQ(keys_of(data(core::GameStarted{core::GameId{7}, core::Wall{1}})), keys_of_schema("Started"));
  EXPECT_EQ(keys_of(data(moved(7, 1, "+7776FU", "* 3"))), keys_of_schema("Moved"));
  EXPECT_EQ(keys_of(json::parse(commentary_json(core::GameId{7}, {})).as_object()), keys_of_schema("Commentary"));
  EXPECT_EQ(keys_of(data(ended(7))), keys_of_schema("Ended"));
  json::object whole =
      json::parse(game_json(*feed.find(core::GameId{7}), core::Wall{1}, core::Comments::live, true)).as_object();
  EXPECT_EQ(keys_of(whole), keys_of_schema("WholeGame"));
  std::set<std::string> keys = keys_of_schema("Game");
  keys.insert("comments");
  EXPECT_EQ(keys_of(whole / "game"), keys);
}

// An answer, and what it holds, have the keys of their schemas: "GameList", "ArchivedSeat in games.black".
void expect_keys(const json::value& value, std::initializer_list<std::string_view> places) {
  for (const std::string_view place : places) {
    const std::size_t in = place.find(" in ");
    const std::string_view path = in == place.npos ? "" : place.substr(in + 4);
    const json::value* at = &value;
    for (const auto key : std::views::split(path, '.')) {
      if (at->is_array()) at = &at->at(0);
      at = &at->at(std::string_view(key.begin(), key.end()));
    }
    if (at->is_array()) at = &at->at(0);
    EXPECT_EQ(keys_of(at->as_object()), keys_of_schema(place.substr(0, in))) << place;
  }
}

TEST(OpenApi, SaysWhichKeysTheArchiveHas) {
  core::FinishedGame game{.opened = opened(7), .ended = ended(7)};
  const json::value games = json::parse(games_json({game}, true));
  expect_keys(games, {"GameList", "GameRow in games", "ArchivedSeat in games.black"});
  const auto crossed = core::CrossTable::of({"a+1", "b+"}, {{"a+1", "b+", core::Outcome::draw, 1}});
  const json::value cross = json::parse(cross_json({.table = crossed, .players = 2, .games = 1}));
  expect_keys(cross, {"CrossTable", "CrossTotal in total", "CrossPlayer in players"});
  const core::PlayerRow row{.id = "a+1", .name = "a"};
  const json::value players = json::parse(players_json({.total = 1, .players = {row}}));
  expect_keys(players, {"PlayerList", "Player in players"});
  const json::value player =
      json::parse(player_json({.player = row, .days = {}, .rivals = {{"b+2", {}}}, .ends = {{"toryo", {}}}}, {}));
  expect_keys(player, {"PlayerPage", "Tally in black", "Rival in opponents", "EndTally in ends"});
  const core::RoundRow round{.group = "g", .games = {{"a+1", "b+2", {}, {}}}};
  const json::value rounds = json::parse(rounds_json({.groups = {{"g", 1}}, .rounds = {round}}, {}, false));
  expect_keys(rounds, {"RoundList", "RoundGroup in groups", "Round in rounds", "RoundGame in rounds.games"});
  const json::value buoys = json::parse(
      buoys_json({core::BuoySet{.name = "buoy_x-1-0"}, core::PositionSetLoaded{.name = "s", .text = "startpos"}}, 100));
  expect_keys(buoys, {"Buoys", "Buoy in buoys", "PositionSet in sets", "SetPosition in sets.positions"});
  core::Rooms standing;
  standing.apply(core::RoomSet{.name = "club", .settings = {"games=club-*", "time=900-5F"}});
  const std::vector<core::Waiter> lobby = {{.room = "main", .game_name = "g-1-0", .name = "a", .id = "a+1"}};
  const json::value rooms = json::parse(rooms_json(standing, {}, &lobby, {}, core::Wall{1}));
  expect_keys(rooms, {"RoomList", "Room in rooms", "RoomTitle in rooms.title", "RoomWaiter in rooms.waiting"});
  const json::value openings = json::parse(continuations_json({{.move = "7g7f", .games = 1}}));
  expect_keys(openings, {"Openings", "Continuation in moves"});
}

// A round of three: a game that is over, and one who has no opponent; a second round is told.
std::vector<core::Journaled> some_event() {
  namespace event = core::tournament;
  Numbering next;
  std::vector<core::Journaled> facts;
  const auto add = [&](core::Fact fact) { facts.push_back(next(std::move(fact)).front()); };
  const auto decide = [&](event::Decision decision) {
    add(core::TournamentDecided{.event = "cup", .decision = std::move(decision), .starts = core::Wall{1'000'000}});
  };
  add(core::TournamentSet{.name = "cup", .text = "name\tcup\nformat\tswiss\nrounds\t2\nbye\t0\ntime\t300-10F\n"});
  for (const char* name : {"ann", "bob", "cat"}) decide(event::Entered{.entrant = {.player = name}});
  decide(event::DivisionFormed{.division = {}, .members = {{"ann", 1}, {"bob", 2}, {"cat", 3}}});
  decide(event::RoundPaired{.round = 1, .pairings = {{.black = "ann", .white = "bob"}}, .byes = {{.player = "cat"}}});
  decide(event::GameResult{.game = {},
                           .black = "ann",
                           .white = "bob",
                           .outcome = core::Outcome::black_wins,
                           .end = core::EndKind::toryo,
                           .record = "r"});
  return facts;
}

TEST(OpenApi, SaysWhichKeysEventsOfTheServerHave) {
  const Feed feed{{}, {.keyed_facts = some_event()}, kNow};
  TournamentApi api{core::TimeZone{}};
  const auto get = [&](std::string_view path) {
    return json::parse(api.reply_to(path, "", feed, nullptr, core::Wall{1}).body);
  };
  const json::value list = get("/api/v1/tournaments");
  expect_keys(list, {"TournamentList", "TournamentRow in tournaments", "TournamentPlace in tournaments.stage",
                     "DivisionRow in tournaments.divisions"});
  const json::value whole = get("/api/v1/tournaments/cup");
  expect_keys(
      whole,
      {"Tournament", "TournamentWords in explained", "TournamentEntry in entry", "Entrant in entrants",
       "TournamentStage in stages", "TournamentDivision in stages.divisions",
       "TournamentRound in stages.divisions.timetable", "TournamentGame in stages.divisions.timetable.games",
       "TournamentBye in stages.divisions.timetable.byes", "TournamentTable in stages.divisions.table",
       "TournamentTableRow in stages.divisions.table.rows", "TournamentTurn in stages.divisions.table.rows.rounds",
       "TournamentMark in stages.divisions.table.rows.rounds.games"});
}

TEST(OpenApi, SaysWhichKeysAnAnalysisHas) {
  FakeAnalyst analyst;
  core::FinishedGame game{.opened = opened(7), .ended = ended(7), .moves = "+7776FU -3334FU"};
  const json::value position = json::parse(analysis_reply(analyst, game, {.ply = 1}, "a").body);
  expect_keys(position, {"PositionAnalysis", "AnalysedLine in lines"});
  const json::value whole = json::parse(analysis_reply(analyst, game, {}, "a").body);
  expect_keys(whole, {"GameAnalysis", "AnalysedPoint in points", "MoveMark in marks"});
}

// Every key that a game list takes is written down, and no other one.
TEST(OpenApi, SaysWhichGamesMayBeAskedFor) {
  json::object whole = document();
  for (auto& [name, parameter] : whole / "components" / "parameters") {
    const json::value* choices = parameter.at("schema").as_object().if_contains("enum");
    std::string value = choices != nullptr ? std::string(choices->at(0).as_string()) : "7";
    if (name == "from" || name == "to") value = "2026-11-22";
    if (name == "position") value = "startpos";
    if (name == "end") value = "toryo";
    Query query("player=a&" + std::string(name) + "=" + value);
    if (name == "player") query = Query("player=a");
    std::ignore = game_query(query);
    EXPECT_EQ(query.fault(), std::nullopt) << name;
  }
}

// ... and a cross table takes those of them that say nothing of one side or one page.
TEST(OpenApi, SaysOfWhichGamesACrossTableIs) {
  json::object whole = document();
  const auto keys = [&](std::string_view path) {
    std::set<std::string> found;
    for (const json::value& parameter : (whole / "paths" / path / "get").at("parameters").as_array()) {
      const json::value* reference = parameter.as_object().if_contains("$ref");
      const std::string_view name =
          reference == nullptr ? parameter.at("name").as_string() : std::string_view(reference->as_string());
      found.emplace(name.substr(name.rfind('/') + 1));
    }
    return found;
  };
  std::set<std::string> expected = keys("/api/v1/games");
  for (const char* key : {"color", "won", "before", "limit"}) EXPECT_EQ(expected.erase(key), 1U);
  expected.insert("players");
  EXPECT_EQ(keys("/api/v1/crosstable"), expected);
  EXPECT_EQ(keys("/api/v1/crosstable.csv"), expected);
  for (const std::string& key : keys("/api/v1/games")) {
    if (key == "player") continue;
    Query query("player=a&" + key + "=");
    std::ignore = cross_query(query);
    EXPECT_EQ(!query.fault(), expected.contains(key)) << key;
  }
}

}  // namespace
}  // namespace fuhyo::net
