// The parts of `fuhyo admin`: the words on the socket, tables, completion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/un.h>

#include "server/app/admin/client.h"
#include "server/app/admin/completion.h"
#include "server/app/admin/files.h"
#include "server/app/admin/wire.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// ---- the socket ----

TEST(AdminWire, RequestsAndAnswersComeBackAsTheyWere) {
  EXPECT_EQ(read_admin_request(admin_request("pause 1 停電 \"now\"")), "pause 1 停電 \"now\"");
  const core::AdminResult result{.ok = false, .text = "no\ttab", .columns = {"a", "b"}, .rows = {{"1", "2"}, {}}};
  const std::string json = admin_answer(result);
  EXPECT_EQ(json, R"({"ok":false,"text":"no tab","columns":["a","b"],"rows":[["1","2"],[]],"offset":0,"total":2})");
  EXPECT_EQ(read_admin_answer(json)->rows, result.rows);
}

TEST(AdminWire, GarbageIsNothing) {
  for (const char* text : {"", "{", "[]", "1", R"({"line":1})", R"({"lines":""})"}) {
    EXPECT_FALSE(read_admin_request(text)) << text;
  }
  for (const char* text :
       {"", "{}", R"({"ok":true,"text":"x"})", R"({"ok":1,"text":"","columns":[],"rows":[]})",
        R"({"ok":true,"text":"","columns":[1],"rows":[]})", R"({"ok":true,"text":"","columns":[],"rows":[1]})"}) {
    EXPECT_FALSE(read_admin_answer(text)) << text;
  }
}

TEST(AdminClient, APathThatDoesNotFitIntoAnAddressIsToldAndNotCut) {
  const auto said = [](std::size_t size) {
    const std::string folder = "/" + std::string(size - 1 - admin_socket_path("/").string().size(), 'x');
    EXPECT_EQ(admin_socket_path(folder).string().size(), size);
    return ask_server(folder, "").error();
  };
  EXPECT_THAT(said(sizeof(sockaddr_un::sun_path) - 1), HasSubstr("no server runs on"));
  EXPECT_THAT(said(sizeof(sockaddr_un::sun_path)), HasSubstr("the path is too long for a socket"));
}

// ---- results ----

store::ArchivedGame game(const std::string& black, const std::string& white, core::Outcome outcome) {
  store::ArchivedGame game;
  game.opened.black.name = black;
  game.opened.white.name = white;
  game.outcome = outcome;
  return game;
}

TEST(CrossTable, PointsOrderThePlayersAndGamesWithoutResultDoNotCount) {
  using enum core::Outcome;
  const core::AdminResult table =
      cross_table({game("a", "b", black_wins), game("b", "a", draw), game("c", "a", white_wins),
                   game("b", "c", white_wins), game("b", "c", none)});
  EXPECT_EQ(table.text, "4 games");
  EXPECT_THAT(table.columns, ElementsAre("#", "name", "points", "games", "wins", "losses", "draws", "1", "2", "3"));
  EXPECT_THAT(table.rows, ElementsAre(ElementsAre("1", "a", "2.5", "3", "2", "0", "1", "*", "1-0", "1-0=1"),
                                      ElementsAre("2", "c", "1", "2", "1", "1", "0", "0-1", "*", "1-0"),
                                      ElementsAre("3", "b", "0.5", "3", "0", "2", "1", "0-1=1", "0-1", "*")));
  EXPECT_THAT(cross_table({}).rows, IsEmpty());
}

TEST(CrossTable, FortyPlayersAreCrossedAndOneMoreIsNot) {
  std::vector<store::ArchivedGame> games;
  for (int i = 0; i < 20; ++i) {
    games.push_back(game("p" + std::to_string(2 * i), "p" + std::to_string(2 * i + 1), core::Outcome::draw));
  }
  EXPECT_EQ(cross_table(games).columns.size(), 47u);
  games.push_back(game("p0", "q", core::Outcome::draw));
  EXPECT_EQ(cross_table(games).columns.size(), 7u);
}

TEST(AdminFiles, WithoutADatabaseTheReasonIsTold) {
  test::TemporaryFolder folder;
  const auto store = *store::make_store(store::store_of_folder(folder.path().string()));
  const auto result = ask_files({.store = *store, .records = folder.path()}, "results", "");
  EXPECT_FALSE(result.ok);
  EXPECT_FALSE(result.text.empty());
}

// ---- completion ----

TEST(Completion, FollowsTheTableOfCommands) {
  EXPECT_THAT(completions({}).words, testing::IsSupersetOf({"pause", "drain", "operator"}));
  EXPECT_EQ(completions({"pause"}).ask, "games");
  EXPECT_THAT(completions({"adjudicate", "1"}).words, ElementsAre("black", "white", "draw", "void"));
  EXPECT_THAT(completions({"adjudicate", "1", "draw"}).words, IsEmpty());
  EXPECT_THAT(completions({"tell"}).words, ElementsAre("all"));
  EXPECT_EQ(completions({"tell"}).ask, "sessions");
  EXPECT_EQ(completions({"allow"}).ask, "forbidden");
  EXPECT_EQ(completions({"unseat"}).ask, "engines");
  EXPECT_EQ(completions({"worker-drop"}).ask, "workers");
  EXPECT_EQ(completions({"worker"}).words, std::vector<std::string>{"add"});
  EXPECT_EQ(completions({"start", "a"}).ask, "sessions");
  EXPECT_THAT(completions({"start", "a", "b", "g-1-1"}).words, ElementsAre("startpos", "sfen", "buoy", "set"));
  EXPECT_EQ(completions({"revoke"}).ask, "accounts") << "as the console fills it";
  EXPECT_EQ(completions({"tournament-result"}).ask, "tournaments");
  EXPECT_EQ(completions({"tournament-result", "cup"}).ask, "");
  EXPECT_THAT(completions({"tell", "all", "a", "b", "c", "d", "e"}).words, IsEmpty());
  EXPECT_THAT(completions({"help"}).words, ElementsAre("ja"));
  EXPECT_THAT(completions({"help", "ja"}).words, testing::Contains("pause"));
  EXPECT_THAT(completions({"nonsense", "x"}).words, IsEmpty());
  EXPECT_THAT(completions({"limits"}).words, IsEmpty());
}

}  // namespace
}  // namespace fuhyo::app
