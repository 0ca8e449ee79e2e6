// Players who are away: the grace time after a lost connection, games that go on after the end of the server, what a
// client is told of its clock, tokens. That it is so for every clock, whoever goes when: tests/sim/absence_audit.cpp.
#include "server/core/games/game.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

using core::ResumeRule;

constexpr std::string_view kId = "ev+g-300-10+A+B+20261121041440", kStart = "START:ev+g-300-10+A+B+20261121041440";
constexpr std::string_view kGameOver = "REJECT:ev+g-300-10+A+B+20261121041440 by the Server (game over)";

core::Rules rules_with(ResumeRule resume, std::int32_t grace_s = 0) {
  core::Rules rules = test_rules();
  rules.resume = resume;
  rules.grace_s = grace_s;
  return rules;
}

core::Rules with_tokens(core::Rules rules) {
  rules.reconnect_token = [](std::string_view game, std::string_view name) {
    return std::to_string(game.size()) + std::string(name) + std::string(28, '0');
  };
  return rules;
}

std::string value_of(const Lines& lines, std::string_view key) {
  for (const std::string& line : lines) {
    if (line.starts_with(key)) return line.substr(key.size());
  }
  return "(none)";
}

// Black A (secret "a") against white B (secret "b"), agreed to and started; nothing heard so far is kept.
class Away : public ServerTest {
 protected:
  explicit Away(core::Rules rules) : ServerTest(std::move(rules)) { server.start_csa_game(); }
  void begin(core::Rules rules, std::string_view game = "g-300-10") {
    server = VirtualServer(std::move(rules));
    server.start_csa_game(game);
  }
  // The player of that letter logs in; what he is told.
  Lines come(const std::string& client, std::string_view game = "g-300-10") {
    const char secret = client[0] == 'A' ? 'a' : 'b';
    server.log_in(client, fmt::format("{} {},{}", client[0], game, secret));
    return server.heard(client);
  }
  // ... and agrees; what he is told of the summary, and from the start on.
  Lines come_back(const std::string& client) {
    Lines told = come(client);
    for (std::string& line : ask(client, "AGREE")) told.push_back(std::move(line));
    return told;
  }
  std::string state() { return server.admin("games").rows.at(0).at(1); }
};

struct Grace : Away {
  Grace() : Away(rules_with(ResumeRule::abort, 60)) {}
};
struct Resume : Away {
  Resume() : Away(rules_with(ResumeRule::position)) {}
};
struct Token : Away {
  Token() : Away(with_tokens(rules_with(ResumeRule::abort, 60))) {}
};

// ---- a connection that is lost ----

TEST_F(Grace, TheGameGoesOnAndThePlayerComesBackToIt) {
  server.say("A", "+7776FU");
  server.heard("B");
  server.hang_up("A");
  EXPECT_THAT(server.heard("B"), IsEmpty());
  server.advance(59'000);
  const Lines told = come("A2", "other-60-0");
  EXPECT_EQ(told.at(0), "LOGIN:A OK");
  EXPECT_EQ(value_of(told, "Game_ID:"), kId) << "the game that waits, whatever it asked for";
  EXPECT_EQ(value_of(told, "Your_Turn:"), "+");
  EXPECT_EQ(value_of(told, "To_Move:"), "-");
  EXPECT_THAT(told, Contains("+7776FU,T0"));
  EXPECT_THAT(ask("A2", "AGREE"), ElementsAre(kStart));
  server.say("B", "-3334FU");
  EXPECT_THAT(server.heard("A2"), ElementsAre("-3334FU,T59"));
  server.advance(60'000);
  EXPECT_THAT(facts<core::GameEnded>(), IsEmpty()) << "he is back: nothing is due any more";
  server.say("A2", "+2726FU");
  EXPECT_THAT(server.heard("B"), Contains("+2726FU,T60"));
}

TEST_F(Grace, WhoDoesNotComeBackInTimeHasLost) {
  server.hang_up("B");
  EXPECT_THAT(told_after(60'000, "A"), ElementsAre("%TORYO", "#RESIGN", "#WIN", "[EOF]"));
  EXPECT_EQ(facts<core::GameEnded>().at(0).kind, core::EndKind::abnormal);
  EXPECT_EQ(facts<core::GameEnded>().at(0).reason, "did not come back");
  EXPECT_THAT(come("B2"), ElementsAre("LOGIN:B OK")) << "the game is over; he waits for another one";
}

TEST_F(Grace, ComingBackWithoutAgreeingIsNotComingBack) {
  server.hang_up("B");
  server.advance(59'000);
  come("B2");
  EXPECT_THAT(told_after(120'000, "B2"), ElementsAre(kGameOver, "[EOF]"));
  EXPECT_THAT(server.heard("A"), ElementsAre("%TORYO", "#RESIGN", "#WIN", "[EOF]"));
}

TEST_F(Grace, AFlagThatWasBeingLookedAtStillFalls) {
  begin(rules_with(ResumeRule::abort, 60), "g-20-0");
  server.on_read_pass = [&](core::ConnId) {
    server.on_read_pass = nullptr;
    server.hang_up("A");  // the answer comes from nobody
  };
  server.advance(20'000);
  EXPECT_THAT(server.heard("B"), ElementsAre("#TIME_UP", "#WIN", "[EOF]"));
}

TEST_F(Grace, WhatTheBrokenLineSaidLastIsVoidOnceAnotherSummaryWasTold) {
  server.say("A", "+7776FU");
  server.hold_commits(true);
  server.say("B", "-3334FU");
  server.say("A", "+2726FU");  // waits for the disk
  server.hang_up("A");
  server.log_in("A2", "A g-300-10,a");
  server.hold_commits(false);
  server.commit();
  const Lines told = server.heard("A2");
  EXPECT_THAT(told, Contains("-3334FU,T0"));
  EXPECT_THAT(told, Not(Contains("+2726FU,T0")));
  EXPECT_EQ(facts<core::MoveMade>().size(), 2u);
  server.say("A2", "AGREE");
  EXPECT_THAT(ask("A2", "+6978KI"), Contains("+6978KI,T0"));
}

TEST_F(Grace, TheRightSecretTakesOverALineThatIsNotKnownToBeBroken) {
  server.log_in("thief", "A g-300-10,wrong");
  EXPECT_THAT(server.heard("thief"), ElementsAre("LOGIN:incorrect", "[EOF]"));
  EXPECT_TRUE(server.is_open("A"));
  come("A2");
  EXPECT_FALSE(server.is_open("A"));
  server.say("A", "+7776FU");
  server.say("A2", "AGREE");
  EXPECT_THAT(facts<core::MoveMade>(), IsEmpty()) << "one writer";
  server.say("A2", "+7776FU");
  EXPECT_EQ(facts<core::MoveMade>().size(), 1u);
}

TEST_F(Grace, AnotherSecretDoesNotGetTheSeat) {
  server.hang_up("A");
  server.log_in("thief", "A g-300-10,wrong");
  EXPECT_THAT(server.heard("thief"), ElementsAre("LOGIN:A OK")) << "the name is free, the seat is not";
  server.hang_up("thief");
  EXPECT_THAT(come("A2"), Contains("BEGIN Game_Summary"));
}

TEST_F(Grace, LogoutIsNoBrokenLine) {
  server.say("A", "LOGOUT");
  EXPECT_THAT(server.heard("B"), ElementsAre("%TORYO", "#RESIGN", "#WIN", "[EOF]"));
}

TEST_F(Grace, RefusingToGoOnLoses) {
  server.hang_up("A");
  come("A2");
  EXPECT_THAT(ask("A2", "REJECT"), ElementsAre(kGameOver, "[EOF]"));
  EXPECT_THAT(server.heard("B"), ElementsAre("%TORYO", "#RESIGN", "#WIN", "[EOF]"));
}

TEST_F(Grace, ThePlayerIsSeatedAgainInExtendedModeToo) {
  server = VirtualServer(rules_with(ResumeRule::abort, 60));
  server.start_game("A", "B");
  server.hang_up("A");
  EXPECT_THAT(server.heard("B"), ElementsAre("##[ADMIN] A is away, and may come back within 60 s"));
  server.log_in("A2", "A pwA x1");
  server.say("A2", "%%GAME g-300-10 *");  // as such clients do; it has a game already
  EXPECT_THAT(server.heard("A2"), Contains("##[ERROR] you are in agree_waiting status. GAME is valid in connected or "
                                           "game_waiting status"));
  EXPECT_THAT(server.reply("A2", "AGREE"), Contains(StartsWith("START:")));
  EXPECT_THAT(server.heard("B"), ElementsAre("##[ADMIN] A is back"));
}

TEST_F(Grace, TheRecordSaysWhoWasAway) {
  server.hang_up("A");
  come_back("A2");
  EXPECT_THAT(facts<core::RecordNote>(),
              ElementsAre(Field(&core::RecordNote::text, "A is away"), Field(&core::RecordNote::text, "A is back")));
}

// ---- what a client is told of its clock ----

TEST_F(Grace, OfTheTurnInWhichHeComesBackAPlayerIsToldTheRest) {
  server.advance(7'300);
  server.say("A", "+7776FU");  // T7
  server.say("B", "-3334FU");
  server.advance(5'200);
  server.hang_up("A");
  server.advance(3'100);
  EXPECT_EQ(value_of(come_back("A2"), "Total_Time:"), "284") << "8.3 s are gone: never told more than there is";
  server.advance(2'700);
  EXPECT_THAT(server.reply("A2", "+2726FU"), Contains("+2726FU,T2"));
  EXPECT_THAT(server.heard("B"), Contains("+2726FU,T11")) << "the others hear the whole turn";
  const core::MoveMade made = facts<core::MoveMade>().at(2);
  EXPECT_EQ(made.spent_s, 11) << "the record keeps the true time";
  EXPECT_EQ(made.remaining_s, 282);
  server.say("B", "-8384FU");
  server.advance(1'500);
  EXPECT_THAT(server.reply("A2", "+2625FU"), Contains("+2625FU,T1"));
}

TEST_F(Grace, AMoveWithinTheSecondOfComingBackCostsTheTruthAndNeverMore) {
  server.advance(2'200);
  server.hang_up("A");
  EXPECT_EQ(value_of(come_back("A2"), "Total_Time:"), "297");
  server.advance(300);
  EXPECT_THAT(server.reply("A2", "+7776FU"), ElementsAre("+7776FU,T0")) << "2.5 s: T2, although 3 were told to be gone";
  EXPECT_EQ(facts<core::MoveMade>().at(0).remaining_s, 298);
}

TEST_F(Grace, InByoyomiNoMoreThanTheRestCanBeTold) {
  begin(rules_with(ResumeRule::abort, 60), "g-5-30");
  server.advance(20'000);
  server.hang_up("A");
  const Lines told = come("A2");
  EXPECT_EQ(value_of(told, "Total_Time:"), "0");
  EXPECT_EQ(value_of(told, "Byoyomi:"), "30") << "as of every later move; of this one 15 s are left";
  server.say("A2", "AGREE");
  server.advance(14'999);
  EXPECT_THAT(server.reply("A2", "+7776FU"), Contains("+7776FU,T29"))
      << "34 s, of which the 5 of Total_Time were told to be gone";
}

TEST_F(Grace, AsPlayedTellsTheTimesAsTheyWere) {
  core::Rules rules = rules_with(ResumeRule::abort, 60);
  rules.times_as_played = true;
  begin(rules);
  server.advance(12'000);
  server.say("A", "+7776FU");
  server.hang_up("A");
  const Lines told = come("A2");
  EXPECT_EQ(value_of(told, "Total_Time:"), "300");
  EXPECT_THAT(told, Contains("+7776FU,T12"));
}

// ---- the end of the server ----

TEST_F(Resume, BothPlayersComeBackAndTheGameGoesOn) {
  server.advance(8'000);
  server.say("A", "+7776FU");
  server.advance(20'000);
  server.kill();
  EXPECT_EQ(facts<core::GameSuspended>().at(0).used_us, 0) << "nobody knows what the crash interrupted";
  EXPECT_EQ(server.server().games("main"), 0u);
  server.advance(60'000);
  const Lines white = come("B");
  EXPECT_EQ(value_of(white, "Total_Time:"), "300") << "the time of the crash is charged to nobody";
  EXPECT_THAT(white, Contains("+7776FU,T0"));
  EXPECT_THAT(server.reply("B", "AGREE"), IsEmpty()) << "the other one is not there";
  server.advance(59'000);
  EXPECT_EQ(value_of(come("A"), "Total_Time:"), "292") << "each his own";
}

TEST_F(Resume, TheTurnThatWasInterruptedBeginsWhenBothAreBack) {
  server.say("A", "+7776FU");
  server.kill();
  come("A");
  come("B");
  server.say("B", "AGREE:ev+g-300-10+A+B+20261121041440");
  server.advance(30'000);
  server.say("A", "AGREE");
  server.heard("A");
  EXPECT_THAT(server.heard("B"), Contains(kStart));
  ASSERT_EQ(facts<core::GameContinued>().size(), 1u);
  EXPECT_EQ(server.server().games("main"), 1u);
  server.advance(3'500);
  server.say("B", "-3334FU");
  EXPECT_THAT(server.heard("A"), ElementsAre("-3334FU,T3"));
  server.advance(310'000);
  EXPECT_THAT(server.heard("B"), Contains("#TIME_UP")) << "flags fall as ever";
}

TEST_F(Resume, OneWhoComesBackAloneWins) {
  server.kill();
  come_back("B");
  EXPECT_THAT(told_after(120'000, "B"), ElementsAre(kStart, "%TORYO", "#RESIGN", "#WIN", "[EOF]"));
  EXPECT_EQ(facts<core::GameEnded>().at(0).outcome, core::Outcome::white_wins);
}

TEST_F(Resume, IfNobodyComesItCountsForNobody) {
  core::Rules rules = rules_with(ResumeRule::position);
  rules.resume_window_us = 5 * core::kSecond;
  server.kill(rules);
  server.advance(4'999);
  EXPECT_THAT(facts<core::GameEnded>(), IsEmpty());
  server.advance(1);
  EXPECT_EQ(facts<core::GameEnded>().at(0).outcome, core::Outcome::none);
}

TEST_F(Resume, AbortIsDecidedWhenTheGameIsOpenedNotWhenTheServerComesBack) {
  begin(rules_with(ResumeRule::abort));
  server.kill(rules_with(ResumeRule::position));
  EXPECT_EQ(facts<core::GameEnded>().at(0).kind, core::EndKind::chudan);
}

TEST_F(Resume, AGameThatAwaitsAVerdictSeatsNobodyUntilTheHostSaysSo) {
  begin(rules_with(ResumeRule::adjudicate));
  server.kill();
  EXPECT_THAT(come("A"), ElementsAre("LOGIN:A OK"));
  server.advance(3'600'000);
  EXPECT_THAT(facts<core::GameEnded>(), IsEmpty());
  EXPECT_EQ(state(), "awaits a verdict");
  EXPECT_TRUE(server.admin("resume 1").ok);
  EXPECT_THAT(server.heard("A"), Contains("BEGIN Game_Summary")) << "he is here";
  come("B");
  server.agree("A", "B");
  EXPECT_EQ(state(), "running");
}

TEST_F(Resume, AVerdictEndsAGameThatAwaitsOne) {
  begin(rules_with(ResumeRule::adjudicate));
  server.kill();
  EXPECT_TRUE(server.admin("adjudicate 1 white power cut at a lost position").ok);
  EXPECT_EQ(facts<core::GameEnded>().at(0).outcome, core::Outcome::white_wins);
}

TEST_F(Resume, TheTimeUsedIsKnownAfterAnOrderlyStop) {
  server.advance(7'400);
  server.deliver(core::Stop{});
  EXPECT_TRUE(server.drained());
  EXPECT_EQ(facts<core::GameSuspended>().at(0).used_us, 7'400'000);
  server.hang_up("A");
  server.hang_up("B");
  EXPECT_THAT(facts<core::GameEnded>(), IsEmpty());
  server.kill();
  EXPECT_THAT(facts<core::GameSuspended>(), IsEmpty()) << "it stands already";
  EXPECT_EQ(value_of(come("A"), "Total_Time:"), "292");
  EXPECT_EQ(value_of(come("B"), "Total_Time:"), "300");
  server.agree("A", "B");
  server.advance(1'600);
  server.say("A", "+7776FU");
  EXPECT_EQ(facts<core::MoveMade>().at(0).spent_s, 9);
  EXPECT_THAT(server.heard("A"), Contains("+7776FU,T1"));
  EXPECT_THAT(server.heard("B"), Contains("+7776FU,T9"));
}

TEST_F(Resume, StopEndsGamesWhoseRuleIsToAbortThem) {
  begin(rules_with(ResumeRule::abort));
  server.deliver(core::Stop{});
  EXPECT_THAT(server.heard("A"), ElementsAre("#CHUDAN", "[EOF]"));
  EXPECT_TRUE(server.drained());
}

TEST_F(Resume, BuiltInPlayersAreKnownByTheirNames) {
  server = VirtualServer(rules_with(ResumeRule::position));
  const auto play = [&](std::uint64_t first, const std::string& secret) {
    const core::ConnId one{first}, two{first + 1};
    for (const auto& [conn, name] : {std::pair{one, "one"}, {two, "two"}}) {
      open_builtin(server, conn, name, "demo");
      say_builtin(server, conn, fmt::format("LOGIN {} g-300-10,{}", name, secret));
    }
    for (const core::ConnId conn : {one, two}) say_builtin(server, conn, "AGREE");
  };
  play(101, "s1");
  ASSERT_EQ(facts<core::GameStarted>().size(), 1u);
  server.kill();
  play(103, "another");
  EXPECT_EQ(facts<core::GameContinued>().size(), 1u) << testing::PrintToString(server.notes());
}

// ---- tokens ----

TEST_F(Token, IsToldWhereItIsOfUseAndBringsThePlayerBackWithoutAgreeing) {
  server = VirtualServer(with_tokens(rules_with(ResumeRule::abort, 60)));
  server.log_in("A", "A g-300-10-B,a");
  server.log_in("B", "B g-300-10-W,b");
  const Lines summary = server.heard("A");
  const std::string token = value_of(summary, "Reconnect_Token:");
  EXPECT_EQ(token, "30A0000000000000000000000000000");
  EXPECT_EQ(*(summary.end() - 2), "Reconnect_Token:" + token) << "right before the end";
  server.agree("A", "B");
  server.advance(2'000);
  server.say("A", "+7776FU");
  server.advance(3'500);
  server.log_in("A2", fmt::format("A g-300-10-B,a reconnect:{}+{}", kId, token));
  EXPECT_FALSE(server.is_open("A")) << "taken over";
  const Lines told = server.heard("A2");
  EXPECT_THAT(told, Contains("P7+FU+FU * +FU+FU+FU+FU+FU+FU")) << "the position as it is";
  const Lines state(std::find(told.begin(), told.end(), "BEGIN Reconnect_State"), told.end());
  EXPECT_THAT(state, ElementsAre("BEGIN Reconnect_State", "Current_Turn:-", "Black_Time_Remaining_Ms:298000",
                                 "White_Time_Remaining_Ms:296500", "Last_Move:+7776FU", "END Reconnect_State"))
      << "the time of the turn under way is off";
  server.say("B", "-3334FU");
  EXPECT_THAT(server.heard("A2"), ElementsAre("-3334FU,T3"));
}

TEST_F(Token, AWrongOneIsRefused) {
  for (const char* bad : {"reconnect:ev+g-300-10+A+B+20261121041440+00", "reconnect:nonsense", "reconnect:+",
                          "reconnect:ev+g-300-10+A+B+20261121041440+30B0000000000000000000000000000"}) {
    server.log_in("A2", fmt::format("A g-300-10-B,a {}", bad));
    server.advance(1000);
    EXPECT_THAT(server.heard("A2"), ElementsAre("LOGIN:incorrect")) << bad;
  }
  EXPECT_TRUE(server.is_open("A"));
}

TEST_F(Token, IsNotToldWhereNobodyMayComeBack) {
  server = VirtualServer(with_tokens(rules_with(ResumeRule::abort)));
  server.log_in("A", "A g-300-10-B,a");
  server.log_in("B", "B g-300-10-W,b");
  EXPECT_EQ(value_of(server.heard("A"), "Reconnect_Token:"), "(none)");
}

TEST_F(Token, WorksAfterTheEndOfTheServer) {
  begin(with_tokens(rules_with(ResumeRule::position)));
  server.say("A", "+7776FU");
  server.kill();
  server.log_in("A", fmt::format("A g-300-10-B,a reconnect:{}+30A0000000000000000000000000000", kId));
  EXPECT_THAT(server.heard("A"), ElementsAre("LOGIN:A OK")) << "the clocks stand until the other one is there";
  EXPECT_EQ(come_back("B").back(), kStart);
  EXPECT_EQ(server.heard("A").back(), "END Reconnect_State");
}

}  // namespace
}  // namespace fuhyo::test
