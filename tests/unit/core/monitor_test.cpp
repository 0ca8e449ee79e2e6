// Watching games, chat and the list of ratings, beyond what the recorded conversations with shogi-server show.
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

using Monitor = ServerTest;

TEST_F(Monitor, EachKindIsOnOnceAndHearsTheEnd) {
  server.login_x1("W");
  const std::string id = server.start_game("A", "B");
  for (int i = 0; i < 2; ++i) ask("W", "%%MONITOR2ON " + id);
  server.say("A", "+7776FU");
  const std::string prefix = "##[MONITOR2][" + id + "] ";
  EXPECT_THAT(server.heard("W"), ElementsAre(prefix + "+7776FU", prefix + "T0", prefix + "+OK"));
  server.say("B", "-3335FU");
  EXPECT_THAT(server.heard("W"), ElementsAre(prefix + "#ILLEGAL_MOVE", prefix + "+OK"));
}

TEST_F(Monitor, ADeclarationIsShownAsALineAndAsTheEnd) {
  server.login_x1("W");
  const std::string id = server.start_game("A", "B");
  ask("W", "%%MONITOR2ON " + id);
  server.say("A", "%KACHI");
  const std::string prefix = "##[MONITOR2][" + id + "] ";
  EXPECT_THAT(server.heard("W"),
              ElementsAre(prefix + "%KACHI", prefix + "T0", prefix + "+OK", prefix + "%KACHI", prefix + "+OK"));
}

// B16: what players say of their moves, and what they send before their turn, is not for an opponent who watches along.
TEST_F(Monitor, NobodyReadsWhatPlayersSayBeforeHeMay) {
  using enum core::Comments;
  for (const core::Comments rule : {never, after, live}) {
    serve([&](core::Rules& rules) { rules.comments = rule; });
    server.login_x1({"W", "X"});
    const std::string id = server.start_game("A", "B");
    server.say("A", "+7776FU,'* 30 -3334FU");
    server.say("A", "+2726FU");  // out of turn
    server.say("X", "%%GAME other-300-10 *");
    const auto is_told = Contains(AnyOf(HasSubstr("* 30"), HasSubstr("2726FU")));
    for (const char* reader : {"W", "X"}) {
      const Lines record = ask(reader, "%%MONITOR2ON " + id);
      EXPECT_THAT(record, Contains(HasSubstr("+7776FU")));
      if (rule == live) {
        EXPECT_THAT(record, IsSupersetOf(Lines{"##[MONITOR2][" + id + "] '** 30 -3334FU",
                                               "##[MONITOR2][" + id + "] 'Deferred +2726FU"}));
      } else {
        EXPECT_THAT(record, Not(is_told)) << core::to_string(rule);
      }
    }
    ask("X", "%%MONITOR2ON " + id + " comments");
    server.say("B", "-3334FU,'* -31");
    EXPECT_THAT(server.heard("W"), Not(Contains(HasSubstr("-31")))) << "as shogi-server";
    EXPECT_EQ(std::ranges::count(server.heard("X"), "##[MONITOR2][" + id + "] '** -31"), rule == live ? 1 : 0);
  }
}

// shogi-server tells watchers no comments, and has none of the move that ends a game even in its record.
TEST_F(Monitor, WhoAsksForCommentsHearsThatOfTheLastMove) {
  serve([](core::Rules& rules) {
    rules.comments = core::Comments::live;
    rules.max_moves = 1;
  });
  server.login_x1({"W", "X"});
  const std::string id = server.start_game("A", "B");
  ask("W", "%%MONITOR2ON " + id + " comments");
  ask("X", "%%MONITOR2ON " + id + " comments");
  ask("X", "%%MONITOR2ON " + id);
  server.say("A", "+7776FU,'* 30");
  const std::string prefix = "##[MONITOR2][" + id + "] ";
  EXPECT_THAT(server.heard("W"), ElementsAre(prefix + "+7776FU", prefix + "T0", prefix + "+OK", prefix + "'** 30",
                                             prefix + "+OK", prefix + "#MAX_MOVES", prefix + "+OK"));
  EXPECT_THAT(server.heard("X"), Not(Contains(HasSubstr("'** 30"))))
      << "it has asked for the lines of shogi-server since";
}

// A watcher that leaves is forgotten, and a game that ends forgets its watchers.
TEST_F(Monitor, EndsWithEitherSide) {
  server.login_x1("W");
  const std::string id = server.start_game("A", "B");
  ask("W", "%%MONITORON " + id);
  server.hang_up("W");
  server.say("A", "+7776FU");
  EXPECT_THAT(server.heard("B"), ElementsAre("+7776FU,T0"));
  server.login_x1("W2");
  ask("W2", "%%MONITORON " + id);
  server.say("B", "%TORYO");
  EXPECT_FALSE(server.heard("W2").empty());
  EXPECT_THAT(ask("W2", "%%MONITORON " + id), IsEmpty()) << "an unknown game";
}

TEST_F(Monitor, AsManyGamesAsTheLimit) {
  serve([](core::Limits& limits) { limits.monitors = 1; });
  server.login_x1("W");
  const std::string first = server.start_game("A", "B");
  const std::string second = server.start_game("C", "D", "h-300-10");
  ask("W", "%%MONITORON " + first);
  EXPECT_THAT(ask("W", "%%MONITORON " + second), ElementsAre("##[ERROR] too many games monitored: 1"));
  EXPECT_FALSE(ask("W", "%%MONITOR2ON " + first).empty()) << "the other kind of the same game";
}

using Chat = ServerTest;

TEST_F(Chat, GoesToExtendedModeOnly) {
  server.login_x1({"A", "B"});
  server.log_in("csa", "csa chat-300-10");
  server.heard("csa");
  EXPECT_THAT(ask("csa", "%%CHAT  hello  there "), IsEmpty());
  EXPECT_THAT(server.heard("A"), ElementsAre("##[CHAT][csa] hello  there "));
  EXPECT_THAT(server.heard("B"), ElementsAre("##[CHAT][csa] hello  there "));
  // B2: what a terminal would obey is not told on; Shift-JIS and UTF-8 are.
  EXPECT_THAT(ask("csa", "%%CHAT \x1b[2J\x07\x7f\tx \x90\xe6 \xe5\x85\x88"), IsEmpty());
  EXPECT_THAT(server.heard("A"), ElementsAre("##[CHAT][csa]  [2J  \tx \x90\xe6 \xe5\x85\x88"));
}

using Rating = ServerTest;

TEST_F(Rating, IsListedByFallingRateWithoutTheUnrated) {
  server.login_x1("A");
  auto ratings = std::make_shared<core::PlayerRatings>();
  ratings->players["low+1"] = {.name = "low", .rate = 950, .last_modified = kStartWall};
  ratings->players["high+1"] = {.name = "high", .rate = 3051.9, .last_modified = kStartWall};
  ratings->players["new+1"] = {.name = "new", .group = core::kUnratedGroup, .last_modified = kStartWall};
  server.deliver(core::RatingsChanged{ratings});
  EXPECT_THAT(ask("A", "%%RATING"), ElementsAre("##[RATING] high \t 3051 @2026-11-21",
                                                "##[RATING] low \t  950 @2026-11-21", "##[RATING] +OK"));
}

}  // namespace
}  // namespace fuhyo::test
