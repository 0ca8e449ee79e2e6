// Pausing, resuming and restarting games: what is told, lines that come meanwhile, recovery. The clock that pauses stop
// is in clock_test.cpp, pauses at any moment are in tests/sim.
#include "server/core/games/game.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

struct Pause : ServerTest {
  void start() { server.start_game("A", "B", "g-10-0"); }
};

TEST_F(Pause, TheTimeUsedOfTheTurnIsKeptAndGoesOn) {
  start();
  server.advance(3999);
  done("pause A power cut");
  EXPECT_EQ(facts<core::GamePaused>().at(0).used_us, 3'999'000);
  for (const char* name : {"A", "B"}) {
    EXPECT_THAT(server.heard(name), ElementsAre("##[ADMIN] the game is paused: power cut"));
  }
  server.advance(3'600'000);
  done("resume A");
  EXPECT_THAT(server.heard("A"), ElementsAre("##[ADMIN] the game goes on"));
  EXPECT_THAT(server.reply("A", "+7776FU"), ElementsAre("+7776FU,T3")) << "3.999 s";
}

TEST_F(Pause, TheClockRunsOnOnlyWhenTheResumptionIsDurable) {
  start();
  server.advance(1000);
  server.admin("pause A");
  server.hold_commits(true);
  server.admin("resume A");
  server.advance(30'000);  // a slow disk is charged to nobody
  server.say("A", "+7776FU");
  EXPECT_THAT(server.heard("B"), ElementsAre("##[ADMIN] the game is paused"));
  server.hold_commits(false);
  server.commit();
  EXPECT_THAT(server.heard("B"), ElementsAre("##[ADMIN] the game goes on", "+7776FU,T1"));
}

TEST_F(Pause, AMoveOnItsWayToTheDiskIsToldAndTheNextTurnWaits) {
  start();
  server.hold_commits(true);
  server.say("A", "+7776FU");
  server.admin("pause A");
  server.advance(5000);
  server.hold_commits(false);
  server.commit();
  EXPECT_THAT(server.heard("B"), ElementsAre("+7776FU,T0", "##[ADMIN] the game is paused"));
  EXPECT_EQ(facts<core::GamePaused>().at(0).used_us, 0);
  server.advance(100'000);
  server.admin("resume A");
  server.say("B", "-3334FU");
  EXPECT_THAT(server.heard("A"), Contains("-3334FU,T0"));
}

// A client may have sent the next line already when the pause reaches it: to refuse one of them would not do.
TEST_F(Pause, MovesAreHeldInBothModes) {
  start();
  server.admin("pause A");
  server.heard("A");
  server.say("A", "+7776FU");
  server.say("A", "+2726FU");  // ahead
  server.say("B", "-3334FU");
  server.advance(60'000);
  EXPECT_THAT(server.heard("A"), IsEmpty());
  server.admin("resume A");
  EXPECT_THAT(server.heard("A"), ElementsAre("##[ADMIN] the game goes on", "+7776FU,T0", "-3334FU,T0", "+2726FU,T0"));

  VirtualServer csa;
  csa.start_csa_game("g-10-0");
  csa.advance(2500);
  EXPECT_TRUE(csa.admin("pause A").ok);
  csa.say("A", "+7776FU");
  csa.say("B", "-3334FU");
  csa.advance(60'000);
  EXPECT_THAT(csa.heard("A"), IsEmpty()) << "clients break on lines that they do not expect";
  EXPECT_TRUE(csa.admin("resume A").ok);
  EXPECT_THAT(csa.heard("A"), ElementsAre("+7776FU,T2", "-3334FU,T0"));
}

TEST_F(Pause, ALineThatHadArrivedIsChargedUpToItsArrival) {
  start();
  server.advance(3100);
  server.admin("pause A");
  server.heard("A");
  server.say("A", "+7776FU", 200);  // read at 2.9 s, comes to the core after the pause
  EXPECT_THAT(server.heard("A"), IsEmpty());
  server.advance(60'000);
  server.admin("resume A");
  EXPECT_THAT(server.heard("A"), ElementsAre("##[ADMIN] the game goes on", "+7776FU,T2"));
}

TEST_F(Pause, EitherSideMayResignAndWhoLeavesLoses) {
  for (const char* loser : {"A", "B"}) {
    server = VirtualServer();
    server.start_game("A", "B");
    server.admin("pause A");
    server.say(loser, "%TORYO");
    const auto ended = facts<core::GameEnded>().at(0);
    EXPECT_EQ(ended.kind, core::EndKind::toryo);
    EXPECT_EQ(ended.outcome, *loser == 'A' ? core::Outcome::white_wins : core::Outcome::black_wins);
  }
  server = VirtualServer();
  server.start_game("A", "B");
  server.admin("pause A");
  server.hang_up("A");
  EXPECT_EQ(facts<core::GameEnded>().at(0).kind, core::EndKind::abnormal);
}

TEST_F(Pause, WhoFollowsTheRecordReadsOfIt) {
  server.login_x1("W");
  const std::string id = server.start_game("A", "B");
  server.say("W", "%%MONITOR2ON " + id);
  server.heard("W");
  server.admin("pause A power cut");
  const std::string prefix = "##[MONITOR2][" + id + "] ";
  EXPECT_THAT(server.heard("W"), ElementsAre(prefix + "'* paused by root: power cut", prefix + "+OK"));
  server.admin("resume A");
  EXPECT_THAT(server.heard("W"), ElementsAre(prefix + "'* resumed by root", prefix + "+OK"));
}

TEST_F(Pause, WhatIsRefused) {
  EXPECT_EQ(refused("pause 1"), "there is no game 1");
  server.start_game("A", "B", "g-2-0");
  EXPECT_EQ(refused("resume A"), "it is not paused");
  server.admin("pause A");
  EXPECT_EQ(refused("pause A"), "it is paused already");
  server.admin("resume A");
  server.on_read_pass = [&](core::ConnId) {
    EXPECT_EQ(server.admin("games").text, "(no answer yet)");  // queued behind this event
    server.deliver(core::AdminLine{.token = 99, .who = "root", .text = "pause A"});
  };
  server.advance(2000);
  EXPECT_EQ(server.admin_replies().back().result.text, "too late: a flag is falling");
  EXPECT_EQ(facts<core::GameEnded>().at(0).kind, core::EndKind::time_up);
}

TEST_F(Pause, APausedGameIsInterruptedByACrashLikeAnyOther) {
  start();
  server.say("A", "+7776FU");
  server.admin("pause A");
  server.kill();
  const auto ended = facts<core::GameEnded>();
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_EQ(ended[0].kind, core::EndKind::chudan);
  EXPECT_EQ(ended[0].plies, 1);
  server.login_x1({"A", "B"});
  EXPECT_EQ(server.admin("restart 1 1").text, "it goes on from move 1") << "and can go on from where it was";
}

// ---- restarts ----

using Restart = ServerTest;

TEST_F(Restart, GoesOnFromAMoveWithTheClocksOfThatMove) {
  server.start_game("A", "B", "g-100-5F");
  const std::pair<const char*, const char*> moves[] = {{"A", "+7776FU"}, {"B", "-3334FU"}, {"A", "+2726FU"}};
  for (const auto& [who, move] : moves) {
    server.advance(7000);
    server.say(who, move);
  }
  server.forget_heard();
  EXPECT_EQ(server.admin("restart A 2 network failure").text, "it goes on from move 2");
  const auto ended = facts<core::GameEnded>().at(0);
  EXPECT_EQ(ended.kind, core::EndKind::adjudicated);
  EXPECT_EQ(ended.outcome, core::Outcome::none);
  const Lines heard = server.heard("A");
  EXPECT_EQ(heard.front(), "#CHUDAN");
  EXPECT_THAT(heard, IsSupersetOf({"+7776FU,T7", "-3334FU,T7", "To_Move:+", "Your_Turn:+"}));
  EXPECT_THAT(heard, Not(Contains("+2726FU,T7")));
  server.agree("A", "B");
  EXPECT_THAT(server.admin("games").rows.at(0), IsSupersetOf({"running", "98", "98"})) << "100 + 5 - 7";
  server.heard("B");
  EXPECT_THAT(told_after(103'000, "B"), ElementsAre("#TIME_UP", "#WIN")) << "98 + 5 s";
}

TEST_F(Restart, APlayerInCsaModeIsWaitedForAndPairedWithNobodyElse) {
  server.start_csa_game("g-10-0");
  server.say("A", "+7776FU");
  server.heard("B");
  EXPECT_THAT(server.admin("restart 1 1 power cut").text, HasSubstr("as soon as A and B are there"));
  EXPECT_THAT(server.heard("B"), ElementsAre("#CHUDAN", "[EOF]"));
  EXPECT_THAT(server.admin("games").rows.at(0), Contains("awaits players"));
  server.say("C", "LOGIN C g-10-0-W,c");
  server.open("B");
  server.say("B", "LOGIN B g-10-0-B,wrong");  // another player of that name
  EXPECT_THAT(server.heard("C"), Contains("END Game_Summary"));
  server.say("B", "REJECT");
  server.log_in("A", "A g-10-0-B,a");
  server.log_in("D", "D g-10-0-W,d");
  EXPECT_THAT(server.heard("D"), ElementsAre("LOGIN:D OK"));
  server.log_in("B", "B g-10-0,b");
  const Lines heard = server.heard("B");
  EXPECT_THAT(heard, IsSupersetOf({"Name+:A", "Name-:B", "Your_Turn:-", "+7776FU,T0"}));
  const auto opened = facts<core::GameOpened>().back();
  EXPECT_TRUE(opened.preset_spent);
  EXPECT_THAT(server.admin("games").rows, SizeIs(1));
}

TEST_F(Restart, MovesGivenWithTheStartStayFree) {
  core::GameOpened opened{.time = {.total_s = 100},
                          .start_sfen = std::string(shogi::Position::kStartSfen),
                          .preset_moves = {"+7776FU,T50", "-3334FU,T50", "+2726FU,T30"}};
  EXPECT_EQ(core::first_clock(opened).remaining_s(shogi::BLACK), 100);
  opened.preset_spent = true;
  EXPECT_EQ(core::first_clock(opened).remaining_s(shogi::BLACK), 20);
  opened.preset_free = 2;
  EXPECT_EQ(core::first_clock(opened).remaining_s(shogi::BLACK), 70);
  EXPECT_EQ(core::first_clock(opened).remaining_s(shogi::WHITE), 100);
}

TEST_F(Restart, WhatIsRefusedAndWhatIsGivenUp) {
  server.start_csa_game("g-10-0");
  EXPECT_EQ(refused("restart A 1"), "the move is a number from 0 to 0");
  EXPECT_EQ(refused("restart A -1"), "the move is a number from 0 to 0");
  EXPECT_EQ(refused("restart 7 1"), "there is no game 7 that runs or is one of the last 100");
  done("restart A 0");
  server.advance(core::Limits{}.restart_us / 1000 + 1);
  server.login_x1("Z");
  EXPECT_THAT(server.admin("games").rows, IsEmpty());
}

}  // namespace
}  // namespace fuhyo::test
