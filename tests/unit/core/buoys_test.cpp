// Buoys: who may set them, who starts from them, how they are used up, and what a restart finds.
#include "tests/support/accounts.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

constexpr std::string_view kName = "buoy_x-300-10";

class Buoys : public ServerTest {
 protected:
  Buoys() {
    for (const char* name : {"host", "A", "B", "C", "D"}) server.login_x1(name);
  }

  std::string answer(const std::string& client, std::string_view line) {
    const Lines lines = ask(client, line);
    return lines.empty() ? "" : lines.front();
  }
  void set(std::string_view moves = "+7776FU-3334FU", int count = 1) {
    ASSERT_EQ(answer("host", fmt::format("%%SETBUOY {} {} {}", kName, moves, count)), "##[SETBUOY] +OK");
  }
  void wants(const std::string& client, std::string_view turn) {
    server.say(client, fmt::format("%%GAME {} {}", kName, turn));
  }
  std::vector<core::GameOpened> games() const { return facts<core::GameOpened>(); }
  std::string count() { return answer("host", fmt::format("%%GETBUOYCOUNT {}", kName)); }
};

TEST_F(Buoys, PlayersWaitUntilItIsSetAndAllPairsItIsGoodForStart) {
  wants("A", "*");
  wants("B", "*");
  wants("C", "+");
  wants("D", "*");
  EXPECT_THAT(games(), IsEmpty());
  set("+7776FU,T12-3334FU", 3);
  const auto opened = games();
  ASSERT_EQ(opened.size(), 2U);
  for (const core::GameOpened& game : opened) {
    EXPECT_THAT(game.preset_moves, ElementsAre("+7776FU,T12", "-3334FU,T1"));
    EXPECT_NE(game.black.name, game.white.name);
  }
  EXPECT_EQ(count(), "##[GETBUOYCOUNT] 1");
}

// shogi-server leaves such a pair without colours and loses it at the end of the game.
TEST_F(Buoys, ColoursAreDecidedWhoeverWaited) {
  wants("A", "*");
  wants("B", "*");
  set();
  ASSERT_EQ(games().size(), 1U);
  const Lines a = server.heard("A"), b = server.heard("B");
  const bool a_black = std::ranges::find(a, "Your_Turn:+") != a.end();
  EXPECT_THAT(b, Contains(a_black ? "Your_Turn:-" : "Your_Turn:+"));
  server.agree("A", "B");
  EXPECT_THAT(server.reply(a_black ? "A" : "B", "%TORYO"), Contains("#LOSE"));
  EXPECT_THAT(server.heard(a_black ? "B" : "A"), Contains("#WIN"));
}

TEST_F(Buoys, TheClocksOfABuoyAreFull) {
  set("+7776FU,T250-3334FU,T299");
  wants("A", "+");
  wants("B", "-");
  server.agree("A", "B");
  server.advance(305'000);
  EXPECT_THAT(server.reply("A", "+2726FU"), Contains("+2726FU,T305"));
}

TEST_F(Buoys, TheSetterMayPlayItself) {
  wants("A", "*");
  server.say("host", fmt::format("%%GAME {} *", kName));
  set();
  EXPECT_EQ(games().size(), 1U);
}

TEST_F(Buoys, I5_WhatIsRefusedAndWhy) {
  EXPECT_EQ(answer("A", "%%SETBUOY foo-300-10 +7776FU"), "##[ERROR] wrong buoy game name: foo-300-10");
  EXPECT_EQ(answer("A", "%%SETBUOY buoy_x-300-00 +7776FU"), "##[ERROR] wrong buoy game name: buoy_x-300-00");
  EXPECT_EQ(answer("A", "%%SETBUOY buoy_x-300-10 +7776FU 0"), "##[ERROR] invalid count: 0");
  EXPECT_EQ(answer("A", "%%SETBUOY buoy_x-300-10 +7776FU x"), "##[ERROR] invalid count: 0");
  EXPECT_EQ(answer("A", "%%SETBUOY buoy_x-300-10 +7776FU 1000001"), "##[ERROR] invalid count: 1000001");
  EXPECT_EQ(answer("A", "%%SETBUOY buoy_x-300-10 +7776FU 99999999999999999999"),
            "##[ERROR] invalid count: 9223372036854775807");
  EXPECT_EQ(answer("A", "%%SETBUOY buoy_x-300-10 +7775FU"), "##[ERROR] wrong moves: +7775FU");
  set("+7776FU-3334FU", 1'000'000);
  EXPECT_EQ(answer("A", "%%SETBUOY buoy_x-300-10 +7776FU"), "##[ERROR] duplicated buoy game name: buoy_x-300-10");
  EXPECT_EQ(answer("A", "%%DELETEBUOY buoy_x-300-10"),
            "##[ERROR] you are not allowed to delete a buoy game that you did not set: buoy_x-300-10");
  EXPECT_EQ(answer("host", "%%DELETEBUOY buoy_x-300-10"), "##[DELETEBUOY] +OK");
  EXPECT_EQ(answer("host", "%%DELETEBUOY buoy_x-300-10"), "##[ERROR] buoy game not found: buoy_x-300-10");
}

// B15: names cost nothing, so neither many of them nor many addresses take all there are.
TEST_F(Buoys, B15_NamesWithoutAccountsHaveShares) {
  core::Limits limits;
  limits.buoys_per_owner = 4;
  limits.buoys_per_throwaway = 2;
  limits.buoys_per_address = 3;
  limits.buoys = 9;
  limits.reserved_buoys = 4;
  core::Rules rules = account_rules();
  server = VirtualServer(std::move(rules), limits);
  server.admin("account-add alice");
  const std::string alice = issued(server.admin("token alice"));
  int count = 0;
  const auto sets = [&](const std::string& owner) {
    const std::string name = fmt::format("buoy_n{}-300-10", ++count);
    const std::string said = answer(owner, fmt::format("%%SETBUOY {} +7776FU", name));
    if (said == "##[SETBUOY] +OK") return true;
    EXPECT_EQ(said, "##[ERROR] too many buoys: " + name);
    return false;
  };
  for (const auto& [name, address] : {std::pair("t1", "192.0.2.1"), std::pair("t2", "192.0.2.1"),
                                      std::pair("t3", "192.0.2.3"), std::pair("t4", "192.0.2.4")}) {
    log_in(server, name, name, "x", address);
  }
  log_in(server, "alice", "alice", alice, "192.0.2.1");
  EXPECT_TRUE(sets("t1") && sets("t1"));
  EXPECT_FALSE(sets("t1")) << "of a name";
  EXPECT_TRUE(sets("t2"));
  EXPECT_FALSE(sets("t2")) << "of an address";
  EXPECT_EQ(answer("t1", "%%DELETEBUOY buoy_n1-300-10"), "##[DELETEBUOY] +OK");
  EXPECT_TRUE(sets("t2"));
  EXPECT_TRUE(sets("t3") && sets("t3"));
  EXPECT_FALSE(sets("t4")) << "of all without an account";
  EXPECT_TRUE(sets("alice") && sets("alice") && sets("alice") && sets("alice"));
  EXPECT_FALSE(sets("alice"));
}

TEST_F(Buoys, StartFromAnyPosition) {
  EXPECT_EQ(answer("host", "%%SETBUOYSFEN buoy_x-300-10 8k/9/9/9/9/9/9/9/K8 w Gg 1 G*5e,T1 2"),
            "##[ERROR] wrong position: 'G*5e,T1' is not a move");
  EXPECT_EQ(answer("host", "%%SETBUOYSFEN buoy_x-300-10 8k/9/9/9/9/9/9/9/K8 w Gg 1 -0055KI,T7 2"),
            "##[SETBUOYSFEN] +OK");
  EXPECT_EQ(count(), "##[GETBUOYCOUNT] 2");
  wants("A", "+");
  wants("B", "-");
  const Lines heard = server.heard("A");
  EXPECT_THAT(heard, IsSupersetOf({"To_Move:+", "P+00KI"}));
  EXPECT_THAT(heard, Contains("-"));  // the side to move of the position itself
  EXPECT_THAT(heard, Contains("-0055KI,T7"));
  EXPECT_THAT(answer("host", "%%SETBUOYSFEN buoy_y-300-10 nonsense b - 1"), HasSubstr("wrong position: "));
  EXPECT_EQ(answer("host", "%%SETBUOYSFEN buoy_y-300-10 sfen +P3k4/9/9/9/9/9/9/9/4K4 b - 57"), "##[SETBUOYSFEN] +OK");
  EXPECT_EQ(answer("host", "%%GETBUOYCOUNT buoy_y-300-10"), "##[GETBUOYCOUNT] 1");
  EXPECT_EQ(answer("host", "%%SETBUOYSFEN buoy_y-300-10"), "##[ERROR] unknown command: %%SETBUOYSFEN buoy_y-300-10");
}

TEST_F(Buoys, AreListedByPrefix) {
  set();
  ask("A", "%%SETBUOY buoy_a-60-0 +7776FU 3");
  EXPECT_THAT(ask("B", "%%BUOYS"),
              ElementsAre("##[BUOYS] buoy_a-60-0 3 A 1", "##[BUOYS] buoy_x-300-10 1 host 2", "##[BUOYS] +OK"));
  EXPECT_THAT(ask("B", "%%BUOYS buoy_x"), ElementsAre("##[BUOYS] buoy_x-300-10 1 host 2", "##[BUOYS] +OK"));
}

TEST_F(Buoys, AForkTakesTheMovesOfARunningGame) {
  const std::string id = server.start_game("A1", "B1", "hc2p_g-300-10F");
  for (const auto& [who, move] : {std::pair{"A1", "+7776FU"}, {"B1", "-3334FU"}, {"A1", "+2726FU"}}) {
    server.advance(2'000);
    server.say(who, move);
  }
  const std::string out_of_range = "##[ERROR] number of moves to fork is out of range: 3.";
  EXPECT_EQ(answer("C", "%%FORK " + id + " buoy_f-1-1 0"), out_of_range);
  EXPECT_EQ(answer("C", "%%FORK " + id + " buoy_f-1-1 4"), out_of_range);
  EXPECT_EQ(answer("C", "%%FORK " + id + " buoy_x-300-10 3"), "##[SETBUOY] +OK");
  EXPECT_THAT(ask("C", "%%FORK " + id),
              ElementsAre("##[FORK]: new buoy game name: buoy_hc2p_g_2-300-10F", "##[FORK] +OK", "##[SETBUOY] +OK"));
  wants("A", "+");
  wants("B", "-");
  const auto game = games().back();
  EXPECT_THAT(game.preset_moves, ElementsAre("+7776FU,T2", "-3334FU,T2", "+2726FU,T2"));
  EXPECT_THAT(game.start_sfen, HasSubstr("PPPPPPPPP/9/LNSGKGSNL")) << "the handicap comes with it";
  EXPECT_EQ(answer("C", "%%FORK nosuchgame"), "##[ERROR] wrong source game name: nosuchgame");
}

// All but the last move, under the name of the game with their number, and at its times.
TEST_F(Buoys, AForkIsNamedAfterItsGame) {
  for (const auto& [game, name] : {std::pair{"den-14400-60", "buoy_den_1-14400-60"},
                                   {"den-14400-060", "buoy_den_1-14400-060"},
                                   {"den-600-10F", "buoy_den_1-600-10F"}}) {
    VirtualServer other;
    other.login_x1("host");
    const std::string id = other.start_game("A", "B", game);
    other.say("A", "+7776FU");
    other.say("B", "-3334FU");
    other.say("host", "%%FORK " + id);
    EXPECT_EQ(other.heard("host").front(), fmt::format("##[FORK]: new buoy game name: {}", name));
    other.say("host", fmt::format("%%GETBUOYCOUNT {}", name));
    EXPECT_EQ(other.heard("host").front(), "##[GETBUOYCOUNT] 1");
  }
  const std::string id = server.start_game("A1", "B1", "a-b-60-0");
  server.say("A1", "+7776FU");
  server.say("B1", "-3334FU");
  EXPECT_EQ(answer("host", "%%FORK " + id), "##[ERROR] wrong source game name to make a new buoy game name: " + id);
}

TEST_F(Buoys, StandAfterARestart) {
  set("+7776FU", 2);
  ask("A", "%%SETBUOY buoy_gone-60-0 +7776FU");
  ask("A", "%%DELETEBUOY buoy_gone-60-0");
  wants("A", "+");
  wants("B", "-");
  server.kill();
  server.login_x1("host");
  EXPECT_THAT(ask("host", "%%BUOYS"), ElementsAre("##[BUOYS] buoy_x-300-10 1 host 1", "##[BUOYS] +OK"));
}

TEST_F(Buoys, I5_WhoeverRunsTheServerClearsThemAway) {
  for (const char* name : {"buoy_spam1-300-10", "buoy_spam2-300-10", "buoy_good-300-10"}) {
    ask("A", fmt::format("%%SETBUOY {} +7776FU", name));
  }
  const auto listed = server.admin("buoys BUOY_spam*");
  EXPECT_EQ(listed.text, "2 buoys");
  EXPECT_THAT(listed.rows.at(0), ElementsAre("buoy_spam1-300-10", "A", "1", ""));
  EXPECT_EQ(server.admin("buoys").rows.size(), 3u);
  EXPECT_EQ(server.admin("drop-buoys buoy_spam* nobody plays them").text, "2 buoys deleted");
  EXPECT_THAT(ask("host", "%%BUOYS"), ElementsAre("##[BUOYS] buoy_good-300-10 1 A 1", "##[BUOYS] +OK"));
  const auto& act = std::get<core::AdminActed>(server.journal().back().fact);
  EXPECT_EQ(act.why, "nobody plays them");
  EXPECT_FALSE(server.admin("drop-buoys buoy_spam*").ok);
  EXPECT_FALSE(server.admin("drop-buoys").ok);
  EXPECT_EQ(answer("A", "%%SETBUOY buoy_spam1-300-10 +7776FU"), "##[SETBUOY] +OK") << "its place is free again";
}

TEST_F(Buoys, I5_AForkGivesNoRightsToTheGame) {
  const std::string id = server.start_game("C", "D", "g-300-10");
  server.say("C", "+7776FU");
  server.say("D", "-3334FU");
  EXPECT_THAT(ask("A", "%%FORK " + id + " buoy_f-300-10 2"), Contains("##[SETBUOY] +OK"));
  EXPECT_THAT(answer("C", "%%DELETEBUOY buoy_f-300-10"), HasSubstr("not allowed to delete"));
  EXPECT_THAT(ask("A", "%%GETBUOYCOUNT buoy_f-300-10"), Contains("##[GETBUOYCOUNT] 1")) << "good for one game";
}

}  // namespace
}  // namespace fuhyo::test
