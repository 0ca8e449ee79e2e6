// Logging in, names, limits, floods, pairing, and what a crash leaves.
#include <optional>

#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

class Sessions : public ServerTest {
 protected:
  // Of the only game.
  std::optional<core::GameEnded> end() const {
    const auto ends = facts<core::GameEnded>();
    return ends.empty() ? std::nullopt : std::optional(ends.front());
  }
};

TEST_F(Sessions, B4_UnauthenticatedConnectionsAreCappedPerAddressAndInAll) {
  serve([](core::Limits& l) {
    l.unauthenticated = 4;
    l.unauthenticated_per_address = 2;
  });
  for (int i = 0; i < 3; ++i) server.open(fmt::format("a{}", i), "main", "192.0.2.1");
  EXPECT_TRUE(server.is_open("a1"));
  EXPECT_FALSE(server.is_open("a2"));
  for (int i = 0; i < 2; ++i) server.open(fmt::format("b{}", i), "main", "2001:db8::1");
  EXPECT_TRUE(server.is_open("b1"));
  for (int i = 0; i < 2; ++i) server.open(fmt::format("c{}", i), "main", "192.0.2.9");
  EXPECT_FALSE(server.is_open("a0")) << "one of those that hold most makes room";
  EXPECT_TRUE(server.is_open("a1") && server.is_open("b0") && server.is_open("b1") && server.is_open("c0"));
  EXPECT_FALSE(server.is_open("c1")) << "for a network that holds less";
  server.login_x1("a1");  // no stranger any more: makes room
  server.open("d", "main", "192.0.2.9");
  EXPECT_TRUE(server.is_open("d"));
}

TEST_F(Sessions, SessionsPerAddressAndTheNetworkList) {
  core::Rules rules = test_rules();
  rules.exempt = [](std::string_view address) { return address == "127.0.0.1"; };
  serve([](core::Limits& l) { l.sessions_per_address = 2; }, rules);
  for (const auto* name : {"a", "b", "c"}) server.open(name, "main", "192.0.2.1");
  EXPECT_FALSE(server.is_open("c"));
  for (const auto* name : {"x", "y", "z"}) server.open(name, "main", "127.0.0.1");
  EXPECT_TRUE(server.is_open("z"));
  server.hang_up("a");
  server.open("c", "main", "192.0.2.1");
  EXPECT_TRUE(server.is_open("c"));
}

TEST_F(Sessions, TooManyWrongLoginsEndTheConnection) {
  for (int i = 0; i < 19; ++i) server.say("A", "hello");
  EXPECT_TRUE(server.is_open("A"));
  server.say("A", "again");
  EXPECT_FALSE(server.is_open("A"));
}

TEST_F(Sessions, N9_AnotherProtocolEndsTheConnectionAtItsFirstLine) {
  for (const auto* line : {"GET / HTTP/1.1", "SSH-2.0-OpenSSH_9.2p1"}) {
    EXPECT_EQ(server.reply(line, line), (Lines{"LOGIN:incorrect", "[EOF]"})) << line;
  }
}

TEST_F(Sessions, RightSecretReplacesASessionThatIsNotPlaying) {
  server.login_x1({"A", "B"});
  server.say("A", "%%GAME g-1-1 +");
  server.say("B", "%%GAME g-1-1 -");
  server.heard("B");
  EXPECT_EQ(server.reply("A2", "LOGIN A pwA x1"), (Lines{"LOGIN:A OK", "##[LOGIN] +OK x1"}));
  EXPECT_FALSE(server.is_open("A"));
  EXPECT_TRUE(server.heard("B").at(0).starts_with("REJECT:"));
}

TEST_F(Sessions, B5_LinesBeyondTheBudgetAreAnsweredWhenItAllowsThem) {
  server.login_x1("A");
  for (int i = 0; i < 140; ++i) server.say("A", "%%LIST");
  EXPECT_THAT(server.heard("A"), SizeIs(101)) << "the burst, and what overdraws it";
  server.advance(40);
  EXPECT_THAT(server.heard("A"), IsEmpty());
  for (int i = 0; i < 3; ++i) {
    server.advance(50);
    EXPECT_THAT(server.heard("A"), SizeIs(1));
  }
  server.advance(2000);
  EXPECT_THAT(server.heard("A"), SizeIs(36)) << "nothing is lost";
}

TEST_F(Sessions, B5_FloodsAreCut) {
  for (const int more : {0, 1}) {
    server = VirtualServer();
    server.login_x1("A");
    for (int i = 0; i < 101 + 599 + more; ++i) server.say("A", "%%LIST");
    EXPECT_EQ(server.is_open("A"), more == 0) << "what takes half a minute";
    EXPECT_THAT(server.heard("A"), SizeIs(101 + more));
  }
}

TEST_F(Sessions, B5_LongLinesWaitUnread) {
  serve([](core::Limits& l) { l.held_bytes = 40; });
  server.login_x1("A");
  for (int i = 0; i < 101; ++i) server.say("A", "%%LIST");
  for (int i = 0; i < 5; ++i) server.say("A", "%%VERSION");
  EXPECT_TRUE(server.throttled("A"));
  server.advance(50);
  EXPECT_FALSE(server.throttled("A"));
}

TEST_F(Sessions, B5_WhatWasSaidBeforeTheEndCounts) {
  server.login_x1({"A", "B"});
  for (int i = 0; i < 110; ++i) server.say("A", "%%CHAT hello");
  server.heard("B");
  server.hang_up("A");
  EXPECT_THAT(server.heard("B"), SizeIs(9));
}

TEST_F(Sessions, B6_LongAnswersCostMoreThanOneCommand) {
  for (const std::size_t price : {std::size_t{16384}, std::size_t{20}}) {  // bytes a command; the answers are longer
    for (const char* const asks : {"%%WHO", "%%VERSION"}) {
      serve([&](core::Limits& l) { l.answer_bytes = price; });
      server.login_x1("A");
      int answered = 0;
      for (int i = 0; i < 60; ++i) answered += server.reply("A", asks).empty() ? 0 : 1;
      EXPECT_EQ(answered == 60, price == 16384) << price << " " << asks;
    }
  }
}

TEST_F(Sessions, LegalMovesInTurnCostNothing) {
  core::Rules rules = test_rules();
  rules.max_moves = 0;
  serve(
      [](core::Limits& l) {
        l.commands_burst = 3;
        l.commands_per_s = 0.001;
      },
      rules);
  // Two lines each went into the start of the game.
  server.start_game("A", "B", "g-0-0");
  const Lines black{"+2838HI", "+3848HI", "+4858HI", "+5868HI", "+6878HI", "+7828HI"};
  const Lines white{"-8272HI", "-7262HI", "-6252HI", "-5242HI", "-4282HI"};
  for (std::size_t i = 0; i < 100; ++i) {
    server.say("A", black[i % 6]);
    server.say("B", white[i % 5]);
  }
  EXPECT_THAT(facts<core::MoveMade>(), SizeIs(180 + 1));  // fourfold repetition ends it, nothing else
  EXPECT_FALSE(server.throttled("A"));
}

TEST_F(Sessions, NobodyWaitsWhileHisClockRuns) {
  serve([](core::Limits& l) {
    l.commands_burst = 5;
    l.commands_per_s = 1;
  });
  server.start_game("A", "B");
  server.heard("B");
  for (int i = 0; i < 10; ++i) EXPECT_THAT(server.reply("A", ""), SizeIs(1));
  for (int i = 0; i < 10; ++i) server.say("B", "");
  server.say("B", "-3334FU");
  EXPECT_THAT(server.heard("B"), SizeIs(testing::Lt(10)));
  server.say("A", "+7776FU");
  server.advance(0);
  EXPECT_THAT(server.heard("B"), IsSupersetOf({"+7776FU,T0", "-3334FU,T0"})) << "what he has said before, too";
}

TEST_F(Sessions, PairsInLoginOrderNotWaitingOrder) {
  server.login_x1({"A", "B", "C"});
  server.say("B", "%%GAME g-1-1 -");
  server.say("A", "%%GAME g-1-1 -");
  const Lines heard = server.reply("C", "%%GAME g-1-1 *");
  EXPECT_NE(std::ranges::find(heard, "Name-:A"), heard.end());
}

TEST_F(Sessions, WishesForTheSameColourDoNotMeet) {
  server.login_x1({"A", "B"});
  server.say("A", "%%GAME g-1-1 +");
  EXPECT_THAT(server.reply("B", "%%GAME g-1-1 +"), IsEmpty());
  EXPECT_THAT(server.reply("B", "%%GAME g-1-2 -"), IsEmpty());
}

TEST_F(Sessions, ColoursAreDrawnBothWays) {
  int first_is_black = 0;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    serve([&](core::Rules& rules) { rules.seed = seed; });
    server.login_x1({"A", "B"});
    server.say("A", "%%GAME g-1-1 *");
    server.say("B", "%%GAME g-1-1 *");
    const Lines heard = server.heard("A");
    first_is_black += std::ranges::find(heard, "Your_Turn:+") != heard.end() ? 1 : 0;
  }
  EXPECT_GT(first_is_black, 16);
  EXPECT_LT(first_is_black, 48);
}

TEST_F(Sessions, RoomsAreApart) {
  server.open("A", "main");
  server.open("D", "demo");
  server.login_x1({"A", "D"});
  server.say("A", "%%GAME g-1-1 +");
  EXPECT_THAT(server.reply("D", "%%GAME g-1-1 -"), IsEmpty());
  server.say("A", "%%WHO");
  EXPECT_EQ(server.heard("A").size(), 2u);
}

TEST_F(Sessions, LinesAheadAreBounded) {
  serve([](core::Limits& l) { l.queued_lines = 4; });
  server.start_game("A", "B");
  for (int i = 0; i < 4; ++i) server.say("B", "-3334FU");
  EXPECT_TRUE(server.is_open("B"));
  server.say("B", "-3334FU");
  EXPECT_FALSE(server.is_open("B"));
  EXPECT_EQ(server.heard("A"), (Lines{"%TORYO", "#RESIGN", "#WIN"}));
}

// Nobody in CSA mode can ask for another game on the same connection.
TEST_F(Sessions, CsaModeClosesBothSidesAfterAGameThatDoesNotBegin) {
  const auto rejected_by = [&](auto act) {
    server = VirtualServer();
    server.log_in("A", "A g-300-10-B,ta");
    server.log_in("B", "B g-300-10-W,tb");
    server.say("A", "AGREE");
    server.forget_heard();
    act();
    const Lines a = server.heard("A"), b = server.heard("B");
    EXPECT_EQ(a, b);
    EXPECT_THAT(a, ElementsAre(StartsWith("REJECT:ev+g-300-10+A+B+"), "[EOF]"));
    return a.front().substr(a.front().find(" by "));
  };
  EXPECT_EQ(rejected_by([&] { server.say("B", "REJECT"); }), " by B");
  EXPECT_EQ(rejected_by([&] { server.advance(120'000); }), " by the Server (timed out)");
}

TEST_F(Sessions, CsaModeKeepsTheRulesOfGameNames) {
  EXPECT_EQ(server.reply("A", "LOGIN A hc2p_x-300-10"),
            (Lines{"LOGIN:A OK", "##[ERROR] Random turn preference is not allowed for handicapped games"}));
}

TEST_F(Sessions, NoGameIsEndless) {
  for (const std::int32_t max_moves : {0, 9}) {
    core::Rules rules = test_rules();
    rules.max_moves = max_moves;
    serve([](core::Limits& l) { l.plies = 3; }, rules);
    server.start_game("A", "B");
    server.say("A", "+7776FU");
    server.say("B", "-3334FU");
    EXPECT_FALSE(end());
    server.say("A", "+2726FU");
    ASSERT_TRUE(end());
    EXPECT_EQ(end()->kind, core::EndKind::max_moves);
  }
}

TEST_F(Sessions, ReasonsInWords) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"+0076FU", "no such piece to move or to drop (7f): +0076FU"},
      {"+7775FU", "the piece does not move that way (7e): +7775FU"},
      {"+77", "not a move: +77"},
      {"%MATTA", "no such special move"},
      {"%TORYO", "resigned"}};
  for (const auto& [line, words] : cases) {
    server = VirtualServer();
    server.start_game("A", "B");
    server.say("A", line);
    ASSERT_TRUE(end()) << line;
    EXPECT_EQ(end()->reason, words);
  }
}

TEST_F(Sessions, TwoPawnsAreNamedWithTheirSquare) {
  server.start_game("A", "B");
  for (const auto* line : {"+7776FU", "-3334FU", "+8822UM", "-3122GI", "+2726FU", "-5354FU", "+2625FU", "-5455FU",
                           "+2524FU", "-2324FU", "+2824HI", "-5556FU", "+5756FU"}) {
    server.say(line[0] == '+' ? "A" : "B", line);
  }
  server.say("B", "-0033FU");
  ASSERT_TRUE(end());
  EXPECT_EQ(end()->reason.substr(0, 14), "two pawns at 3");
}

TEST_F(Sessions, OfACrashInterruptedGamesCountForNobodyAndUnstartedOnesAreRejected) {
  server.start_game("A", "B");
  server.say("A", "+7776FU");
  server.login_x1({"C", "D"});
  server.say("C", "%%GAME x-1-1 +");
  server.say("D", "%%GAME x-1-1 -");
  const std::vector<core::Journaled> before = server.journal();
  const core::Recovery recovery{
      .last = server.durable(), .last_game = core::GameId{2}, .last_stamp = 20261121041441, .live = before};
  server = VirtualServer(test_rules(), {}, recovery);
  ASSERT_EQ(server.journal().size(), 2u);
  EXPECT_EQ(core::value(server.journal()[0].seq), core::value(recovery.last) + 1);
  ASSERT_TRUE(end());
  EXPECT_EQ(end()->kind, core::EndKind::chudan);
  EXPECT_EQ(end()->outcome, core::Outcome::none);
  EXPECT_EQ(end()->plies, 1);
  EXPECT_THAT(end()->final_board, HasSubstr("P6 *  * +FU"));
  EXPECT_EQ(std::get<core::GameRejected>(server.journal()[1].fact).by, "the Server (restarted)");
  EXPECT_EQ(server.start_game("A", "B"), "ev+g-300-10+A+B+20261121041442");
}

}  // namespace
}  // namespace fuhyo::test
