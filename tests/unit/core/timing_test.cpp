// Time: when a flag may fall, which move is late, and how long the server waits. That every clock is charged by
// arrivals alone, and nobody for a slow disk, is audited by tests/sim.
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

using Timing = ServerTest;

TEST_F(Timing, I7_FlagFallsAtTheMicrosecondAndOnlyAfterAReadPass) {
  server.start_game("A", "B", "g-2-0");
  int passes = 0;
  server.on_read_pass = [&](core::ConnId) { ++passes; };
  server.advance(1999);
  EXPECT_THAT(server.heard("A"), IsEmpty());
  EXPECT_EQ(passes, 0);
  server.advance(1);
  EXPECT_EQ(passes, 1);
  EXPECT_EQ(server.heard("A"), (Lines{"#TIME_UP", "#LOSE"}));
  EXPECT_EQ(server.heard("B"), (Lines{"#TIME_UP", "#WIN"}));
}

TEST_F(Timing, KeepAlivesAreAnsweredWhileTheStoreIsAwayUnlessSomethingGatedIsBefore) {
  server.start_game("A", "B");
  server.login_x1("C");
  server.hold_commits(true);
  server.say("A", "+7776FU");
  EXPECT_EQ(server.reply("C", ""), (Lines{""}));
  EXPECT_THAT(server.reply("B", ""), IsEmpty());
  server.commit();
  EXPECT_EQ(server.heard("B"), (Lines{"+7776FU,T0", ""}));
}

TEST_F(Timing, AgreeTimesOutAfterTwoMinutesExactly) {
  server.login_x1({"A", "B"});
  server.say("A", "%%GAME g-2-0 +");
  server.say("B", "%%GAME g-2-0 -");
  server.say("A", "AGREE");
  server.forget_heard();
  server.advance(119'999);
  EXPECT_THAT(server.heard("A"), IsEmpty());
  server.advance(1);
  const Lines heard = server.heard("B");
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_TRUE(heard[0].starts_with("REJECT:ev+g-2-0+A+B+"));
  EXPECT_TRUE(heard[0].ends_with(" by the Server (timed out)"));
}

TEST_F(Timing, LoginMustComeInTime) {
  server.open("A");
  server.advance(19'999);
  EXPECT_TRUE(server.is_open("A"));
  server.advance(1);
  EXPECT_FALSE(server.is_open("A"));
}

TEST_F(Timing, DrainEndsWithTheLastGame) {
  server.start_game("A", "B");
  server.deliver(core::Drain{});
  EXPECT_FALSE(server.drained());
  server.log_in("C", "C pw x1");
  EXPECT_FALSE(server.is_open("C"));
  server.say("A", "%TORYO");
  EXPECT_TRUE(server.drained());
  server.heard("A");
  EXPECT_EQ(server.reply("A", "%%GAME g-300-10 *"),
            (Lines{"##[ERROR] As the service is going to shutdown shortly, starting new games is not allowed now."}));
}

TEST_F(Timing, I7_NoLagIsBelieved) {
  server.start_game("A", "B", "g-300-10");
  server.advance(5000);
  server.say("A", "+7776FU,T0");
  EXPECT_EQ(server.heard("B"), (Lines{"+7776FU,T5"})) << "what it says of its own time";
}

TEST_F(Timing, I7_AMoveIsInTimeOrLateByTheMicrosecondOfItsArrival) {
  for (const std::int64_t off_us : {-1000, -1, 0, 1, 1000}) {
    server = VirtualServer();
    server.start_game("A", "B", "g-2-0");
    const std::int64_t flag_us = (server.now_ms() + 2000) * 1000;
    bool delivered = false;
    server.on_read_pass = [&](core::ConnId conn) {
      if (std::exchange(delivered, true)) return;
      server.deliver(core::ClientLine{conn, "+7776FU", core::Instant{flag_us + off_us}});
    };
    server.advance(2000);
    EXPECT_EQ(server.heard("B").back(), off_us < 0 ? "+7776FU,T1" : "#WIN") << off_us;
  }
}

}  // namespace
}  // namespace fuhyo::test
