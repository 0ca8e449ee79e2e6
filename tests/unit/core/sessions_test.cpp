// Logging in, names, limits, floods, pairing, deferred lines, and what a crash leaves.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/virtual_server.h"

namespace fuhyo::test {
namespace {

using Lines = std::vector<std::string>;

core::Limits limits_with(auto change) {
  core::Limits limits;
  change(limits);
  return limits;
}

Lines moves_in(const std::vector<core::Journaled>& journal) {
  Lines moves;
  for (const auto& row : journal) {
    if (const auto* move = std::get_if<core::MoveMade>(&row.fact)) moves.push_back(move->csa);
  }
  return moves;
}

const core::GameEnded* ended(const VirtualServer& server) {
  for (const auto& row : server.journal()) {
    if (const auto* end = std::get_if<core::GameEnded>(&row.fact)) return end;
  }
  return nullptr;
}

TEST(Sessions, B4_UnauthenticatedConnectionsAreCappedPerAddressAndInAll) {
  VirtualServer server(test_rules(), limits_with([](core::Limits& l) {
                         l.unauthenticated = 4;
                         l.unauthenticated_per_address = 2;
                       }));
  for (int i = 0; i < 3; ++i) server.open(fmt::format("a{}", i), "main", "192.0.2.1");
  EXPECT_TRUE(server.is_open("a1"));
  EXPECT_FALSE(server.is_open("a2"));
  for (int i = 0; i < 2; ++i) server.open(fmt::format("b{}", i), "main", "2001:db8::1");
  EXPECT_TRUE(server.is_open("b1"));
  server.open("c", "main", "192.0.2.9");
  EXPECT_FALSE(server.is_open("c"));
  server.login_x1("a0");  // no stranger any more: makes room
  server.open("d", "main", "192.0.2.9");
  EXPECT_TRUE(server.is_open("d"));
}

TEST(Sessions, SessionsPerAddressAndTheExemptList) {
  core::Rules rules = test_rules();
  rules.exempt = [](std::string_view address) { return address == "127.0.0.1"; };
  VirtualServer server(rules, limits_with([](core::Limits& l) { l.sessions_per_address = 2; }));
  for (const auto* name : {"a", "b", "c"}) server.open(name, "main", "192.0.2.1");
  EXPECT_FALSE(server.is_open("c"));
  for (const auto* name : {"x", "y", "z"}) server.open(name, "main", "127.0.0.1");
  EXPECT_TRUE(server.is_open("z"));
  server.hang_up("a");
  server.open("c", "main", "192.0.2.1");
  EXPECT_TRUE(server.is_open("c"));
}

TEST(Sessions, TooManyWrongLoginsEndTheConnection) {
  VirtualServer server;
  for (int i = 0; i < 19; ++i) server.say("A", "hello");
  EXPECT_TRUE(server.is_open("A"));
  server.say("A", "again");
  EXPECT_FALSE(server.is_open("A"));
}

TEST(Sessions, N9_AnotherProtocolEndsTheConnectionAtItsFirstLine) {
  VirtualServer server;
  for (const auto* line : {"GET / HTTP/1.1", "SSH-2.0-OpenSSH_9.2p1"}) {
    server.say(line, line);
    EXPECT_EQ(server.heard(line), (Lines{"LOGIN:incorrect", "[EOF]"})) << line;
  }
}

TEST(Sessions, WrongSecretForANameInUseChangesNothingForItsHolder) {
  VirtualServer server;
  server.start_game("A", "B");
  server.say("X", "LOGIN A wrong x1");
  EXPECT_EQ(server.heard("X"), (Lines{"LOGIN:incorrect", "username A is already connected", "[EOF]"}));
  server.say("Y", "LOGIN A wrong");
  EXPECT_EQ(server.heard("Y"), (Lines{"LOGIN:incorrect", "[EOF]"}));
  server.say("A", "+7776FU");
  EXPECT_EQ(server.heard("A"), (Lines{"+7776FU,T0"}));
}

TEST(Sessions, RightSecretReplacesASessionThatIsNotPlaying) {
  VirtualServer server;
  server.login_x1("A");
  server.login_x1("B");
  server.say("A", "%%GAME g-1-1 +");
  server.say("B", "%%GAME g-1-1 -");
  server.heard("B");
  server.say("A2", "LOGIN A pwA x1");
  EXPECT_EQ(server.heard("A2"), (Lines{"LOGIN:A OK", "##[LOGIN] +OK x1"}));
  EXPECT_FALSE(server.is_open("A"));
  EXPECT_TRUE(server.heard("B").at(0).starts_with("REJECT:"));
}

TEST(Sessions, APlayingSessionIsNotReplaced) {
  VirtualServer server;
  server.start_game("A", "B");
  server.say("A2", "LOGIN A pwA x1");
  EXPECT_EQ(server.heard("A2").at(0), "LOGIN:incorrect");
  EXPECT_TRUE(server.is_open("A"));
}

TEST(Sessions, B5_FloodsAreSlowedDownThenCut) {
  VirtualServer server;
  server.login_x1("A");
  for (int i = 0; i < 100; ++i) server.say("A", "%%LIST");
  EXPECT_FALSE(server.throttled("A"));
  server.say("A", "%%LIST");
  EXPECT_TRUE(server.throttled("A"));
  server.advance(1000);
  EXPECT_FALSE(server.throttled("A"));
  for (int i = 0; i < 1000 && server.is_open("A"); ++i) server.say("A", "");
  EXPECT_FALSE(server.is_open("A"));
}

TEST(Sessions, B6_LongListsCostMoreThanOneCommand) {
  for (const std::size_t price :
       {std::size_t{16384}, std::size_t{20}}) {  // bytes a command; a list of one is longer than 20
    VirtualServer server(test_rules(), limits_with([&](core::Limits& l) { l.list_bytes = price; }));
    server.login_x1("A");
    for (int i = 0; i < 60; ++i) server.say("A", "%%WHO");
    EXPECT_EQ(server.throttled("A"), price == 20) << price;
  }
}

TEST(Sessions, LegalMovesInTurnCostNothing) {
  core::Rules rules = test_rules();
  rules.max_moves = 0;
  VirtualServer server(rules, limits_with([](core::Limits& l) {
                         l.commands_burst = 3;
                         l.commands_per_s = 0.001;
                       }));
  // Two lines each went into the start of the game.
  server.start_game("A", "B", "g-0-0");
  const Lines black{"+2838HI", "+3848HI", "+4858HI", "+5868HI", "+6878HI", "+7828HI"};
  const Lines white{"-8272HI", "-7262HI", "-6252HI", "-5242HI", "-4282HI"};
  for (std::size_t i = 0; i < 100; ++i) {
    server.say("A", black[i % 6]);
    server.say("B", white[i % 5]);
  }
  EXPECT_EQ(moves_in(server.journal()).size(), 180u + 1);  // fourfold repetition ends it, nothing else
  EXPECT_FALSE(server.throttled("A"));
}

TEST(Sessions, ThrottlingNeverHoldsAPlayerWhoseClockRuns) {
  VirtualServer server(test_rules(), limits_with([](core::Limits& l) {
                         l.commands_burst = 5;
                         l.commands_per_s = 1;
                       }));
  server.start_game("A", "B");
  for (int i = 0; i < 10; ++i) server.say("A", "");
  EXPECT_FALSE(server.throttled("A"));
  for (int i = 0; i < 10; ++i) server.say("B", "");
  EXPECT_TRUE(server.throttled("B"));
  server.say("A", "+7776FU");
  EXPECT_FALSE(server.throttled("B"));
}

TEST(Sessions, PairsInLoginOrderNotWaitingOrder) {
  VirtualServer server;
  for (const auto* name : {"A", "B", "C"}) server.login_x1(name);
  server.say("B", "%%GAME g-1-1 -");
  server.say("A", "%%GAME g-1-1 -");
  server.say("C", "%%GAME g-1-1 *");
  const Lines heard = server.heard("C");
  EXPECT_NE(std::ranges::find(heard, "Name-:A"), heard.end());
}

TEST(Sessions, WishesForTheSameColourDoNotMeet) {
  VirtualServer server;
  for (const auto* name : {"A", "B"}) server.login_x1(name);
  server.say("A", "%%GAME g-1-1 +");
  server.say("B", "%%GAME g-1-1 +");
  EXPECT_EQ(server.heard("B"), Lines{});
  server.say("B", "%%GAME g-1-2 -");
  EXPECT_EQ(server.heard("B"), Lines{});
}

TEST(Sessions, ColoursAreDrawnBothWays) {
  int first_is_black = 0;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    core::Rules rules = test_rules();
    rules.seed = seed;
    VirtualServer server(rules);
    for (const auto* name : {"A", "B"}) server.login_x1(name);
    server.say("A", "%%GAME g-1-1 *");
    server.say("B", "%%GAME g-1-1 *");
    const Lines heard = server.heard("A");
    first_is_black += std::ranges::find(heard, "Your_Turn:+") != heard.end() ? 1 : 0;
  }
  EXPECT_GT(first_is_black, 16);
  EXPECT_LT(first_is_black, 48);
}

TEST(Sessions, RoomsAreApart) {
  VirtualServer server;
  server.open("A", "main");
  server.open("D", "demo");
  for (const auto* name : {"A", "D"}) server.login_x1(name);
  server.say("A", "%%GAME g-1-1 +");
  server.say("D", "%%GAME g-1-1 -");
  EXPECT_EQ(server.heard("D"), Lines{});
  server.say("A", "%%WHO");
  EXPECT_EQ(server.heard("A").size(), 2u);
}

TEST(Sessions, GameIdStampsGrowWithinASecond) {
  VirtualServer server;
  const std::string first = server.start_game("A", "B");
  const std::string second = server.start_game("C", "D");
  EXPECT_LT(first.substr(first.size() - 14), second.substr(second.size() - 14));
  EXPECT_EQ(first, "ev+g-300-10+A+B+20261121041440");
}

TEST(Sessions, LinesAheadOfTheirTurnArePlayedInOrderAndRecorded) {
  VirtualServer server;
  server.start_game("A", "B");
  server.say("B", "-3334FU");
  server.say("B", "-8384FU");
  server.say("B", "%TORYO");
  server.say("A", "+7776FU");
  EXPECT_EQ(server.heard("A"), (Lines{"+7776FU,T0", "-3334FU,T0"}));
  server.say("A", "+2726FU");
  server.say("A", "+2625FU");
  EXPECT_EQ(moves_in(server.journal()), (Lines{"+7776FU", "-3334FU", "+2726FU", "-8384FU", "+2625FU"}));
  ASSERT_NE(ended(server), nullptr);
  EXPECT_EQ(ended(server)->kind, core::EndKind::toryo);
  const auto notes = std::ranges::count_if(
      server.journal(), [](const core::Journaled& row) { return std::holds_alternative<core::RecordNote>(row.fact); });
  EXPECT_EQ(notes, 3);
}

TEST(Sessions, LinesAheadAreBounded) {
  VirtualServer server(test_rules(), limits_with([](core::Limits& l) { l.queued_lines = 4; }));
  server.start_game("A", "B");
  for (int i = 0; i < 4; ++i) server.say("B", "-3334FU");
  EXPECT_TRUE(server.is_open("B"));
  server.say("B", "-3334FU");
  EXPECT_FALSE(server.is_open("B"));
  EXPECT_EQ(server.heard("A"), (Lines{"%TORYO", "#RESIGN", "#WIN"}));
}

TEST(Sessions, CsaModeClosesBothSidesRightAfterTheEnd) {
  VirtualServer server;
  server.say("A", "LOGIN A g-300-10-B,ta");
  server.say("B", "LOGIN B g-300-10-W,tb");
  server.say("A", "AGREE");
  server.say("B", "AGREE");
  server.say("A", "%TORYO");
  EXPECT_FALSE(server.is_open("A"));
  EXPECT_FALSE(server.is_open("B"));
  EXPECT_EQ(server.heard("B").back(), "[EOF]");
}

// Nobody in CSA mode can ask for another game on the same connection.
TEST(Sessions, CsaModeClosesBothSidesAfterAGameThatDoesNotBegin) {
  const auto end = [](auto act) {
    VirtualServer server;
    server.say("A", "LOGIN A g-300-10-B,ta");
    server.say("B", "LOGIN B g-300-10-W,tb");
    server.say("A", "AGREE");
    server.heard("A");
    server.heard("B");
    act(server);
    const Lines a = server.heard("A"), b = server.heard("B");
    EXPECT_EQ(a, b);
    EXPECT_EQ(a.size(), 2U);
    EXPECT_EQ(a.back(), "[EOF]");
    EXPECT_TRUE(a.front().starts_with("REJECT:ev+g-300-10+A+B+")) << a.front();
    return a.front().substr(a.front().find(" by "));
  };
  EXPECT_EQ(end([](VirtualServer& server) { server.say("B", "REJECT"); }), " by B");
  EXPECT_EQ(end([](VirtualServer& server) { server.advance(120'000); }), " by the Server (timed out)");
}

TEST(Sessions, CsaModeKeepsTheRulesOfGameNames) {
  VirtualServer server;
  server.say("A", "LOGIN A hc2p_x-300-10");
  EXPECT_EQ(server.heard("A"),
            (Lines{"LOGIN:A OK", "##[ERROR] Random turn preference is not allowed for handicapped games"}));
}

TEST(Sessions, NoGameIsEndless) {
  for (const std::int32_t max_moves : {0, 9}) {
    core::Rules rules = test_rules();
    rules.max_moves = max_moves;
    VirtualServer server(rules, limits_with([](core::Limits& l) { l.plies = 3; }));
    server.start_game("A", "B");
    server.say("A", "+7776FU");
    server.say("B", "-3334FU");
    EXPECT_EQ(ended(server), nullptr);
    server.say("A", "+2726FU");
    ASSERT_NE(ended(server), nullptr);
    EXPECT_EQ(ended(server)->kind, core::EndKind::max_moves);
  }
}

TEST(Sessions, ReasonsInWords) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"+0076FU", "no such piece to move or to drop (7f): +0076FU"},
      {"+7775FU", "the piece does not move that way (7e): +7775FU"},
      {"+77", "not a move: +77"},
      {"%MATTA", "no such special move"},
      {"%TORYO", "resigned"}};
  for (const auto& [line, words] : cases) {
    VirtualServer server;
    server.start_game("A", "B");
    server.say("A", line);
    ASSERT_NE(ended(server), nullptr) << line;
    EXPECT_EQ(ended(server)->reason, words);
  }
}

TEST(Sessions, TwoPawnsAreNamedWithTheirSquare) {
  VirtualServer server;
  server.start_game("A", "B");
  for (const auto* line : {"+7776FU", "-3334FU", "+8822UM", "-3122GI", "+2726FU", "-5354FU", "+2625FU", "-5455FU",
                           "+2524FU", "-2324FU", "+2824HI", "-5556FU", "+5756FU"}) {
    server.say(line[0] == '+' ? "A" : "B", line);
  }
  server.say("B", "-0033FU");
  ASSERT_NE(ended(server), nullptr);
  EXPECT_EQ(ended(server)->reason.substr(0, 14), "two pawns at 3");
}

TEST(Recovery, InterruptedGamesCountForNobodyAndUnstartedOnesAreRejected) {
  core::Recovery recovery;
  {
    VirtualServer server;
    server.start_game("A", "B");
    server.say("A", "+7776FU");
    server.login_x1("C");
    server.login_x1("D");
    server.say("C", "%%GAME x-1-1 +");
    server.say("D", "%%GAME x-1-1 -");
    recovery.live = server.journal();
    recovery.last = server.durable();
    recovery.last_game = core::GameId{2};
    recovery.last_stamp = 20261121041441;
  }
  VirtualServer server(test_rules(), {}, recovery);
  ASSERT_EQ(server.journal().size(), 2u);
  EXPECT_EQ(core::value(server.journal()[0].seq), core::value(recovery.last) + 1);
  const auto& end = std::get<core::GameEnded>(server.journal()[0].fact);
  EXPECT_EQ(end.kind, core::EndKind::chudan);
  EXPECT_EQ(end.outcome, core::Outcome::none);
  EXPECT_EQ(end.plies, 1);
  EXPECT_NE(end.final_board.find("P6 *  * +FU"), std::string::npos);
  EXPECT_EQ(std::get<core::GameRejected>(server.journal()[1].fact).by, "the Server (restarted)");
  EXPECT_EQ(server.start_game("A", "B"), "ev+g-300-10+A+B+20261121041442");
}

TEST(Digest, TheSameEventsGiveTheSameState) {
  const auto run = [](std::string_view last) {
    VirtualServer server;
    server.start_game("A", "B");
    server.say("A", last);
    return server.server().digest();
  };
  EXPECT_EQ(run("+7776FU"), run("+7776FU"));
  EXPECT_NE(run("+7776FU"), run("+2726FU"));
}

}  // namespace
}  // namespace fuhyo::test
