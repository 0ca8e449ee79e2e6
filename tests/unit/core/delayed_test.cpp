// Watching games that are shown with a delay: what a watcher hears is what he would have heard without one, later.
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

constexpr std::int64_t kDelay = 30;  // s

core::Rules delayed(core::SpectatorDelay delay) {
  core::Rules rules = test_rules();
  rules.delays = {{"open-*", {}}, {"*", delay}};
  rules.resume = core::ResumeRule::position;
  rules.grace_s = 60;
  return rules;
}
core::Rules late() { return delayed({.seconds = kDelay}); }
core::Rules behind(std::int32_t moves) { return delayed({.moves = moves}); }

// A game with all that a record has, in `second` steps; who says what when. The last line ends it.
struct Said {
  std::int64_t second;
  std::string who, line;  // nobody: a command of the host
};
const std::vector<Said> kGame = {{2, "A", "+7776FU,'* 30 -3334FU"},
                                 {3, "A", "+2726FU"},  // out of turn: it waits
                                 {5, "B", "-3334FU"},
                                 {40, "B", "-8384FU"},
                                 {41, "", "pause A lunch"},
                                 {44, "", "resume A"},
                                 {60, "A", "+2625FU"},
                                 {61, "B", "%KACHI"}};

// What W (the board), V (the record) and, of the time `join`, J (both) hear by the second, the last one `end`.
std::string transcript(core::Rules rules, std::int64_t shift, std::int64_t join, std::int64_t end) {
  rules.comments = core::Comments::live;
  VirtualServer server(std::move(rules));
  for (const char* watcher : {"W", "V", "J"}) server.login_x1(watcher);
  const std::string id = server.start_game("A", "B");
  std::string text;
  const auto listen = [&](std::int64_t second) {
    for (const char* watcher : {"W", "V", "J"}) {
      for (const std::string& line : server.heard(watcher)) {
        text += fmt::format("{} {}: {}\n", second - shift, watcher, line);
      }
    }
  };
  server.say("W", "%%MONITORON " + id);
  server.say("V", "%%MONITOR2ON " + id + " comments");
  for (const char* watcher : {"W", "V"}) server.heard(watcher);  // they see how it begins, whenever that is
  auto next = kGame.begin();
  for (std::int64_t second = 0; second <= end; ++second) {
    server.advance_to(second * 1000);
    for (; next != kGame.end() && next->second == second; ++next) {
      if (next->who.empty()) {
        EXPECT_TRUE(server.admin(next->line).ok);
      } else {
        server.say(next->who, next->line);
      }
    }
    listen(second);
    if (second == join + shift) {
      for (const char* how : {"%%SHOW ", "%%MONITORON ", "%%MONITOR2ON "}) server.say("J", how + id);
      listen(second);
    }
  }
  return text;
}

using Delayed = ServerTest;

TEST_F(Delayed, WatchersHearAllOfItSoManySecondsLater) {
  for (const std::int64_t join : {1, 4, 5, 42, 60, 61}) {
    const std::string at_once = transcript(test_rules(), 0, join, 90);
    EXPECT_THAT(at_once, AllOf(HasSubstr("'** 30 -3334FU"), HasSubstr("'* paused by root"), HasSubstr("%KACHI,T1"),
                               HasSubstr("J: ")));
    EXPECT_EQ(transcript(late(), kDelay, join, 90 + kDelay), at_once) << join;
  }
}

TEST_F(Delayed, NothingIsHeardBefore) {
  server = VirtualServer(late());
  server.login_x1("W");
  const std::string id = server.start_game("A", "B");
  ask("W", "%%MONITORON " + id);
  const Lines start = ask("W", "%%SHOW " + id);
  EXPECT_THAT(start, Contains("##[SHOW] Current_Turn:0"));
  server.say("A", "+7776FU");
  server.say("B", "%TORYO");
  EXPECT_EQ(server.heard("B").back(), "#LOSE") << "its players wait for nobody";
  EXPECT_THAT(ask("W", "%%LIST"), ElementsAre("##[LIST] +OK"));
  server.advance(kDelay * 1000 - 1);
  EXPECT_THAT(server.heard("W"), IsEmpty());
  EXPECT_EQ(ask("W", "%%SHOW " + id), start);
  server.advance(1);
  const Lines heard = server.heard("W");
  EXPECT_THAT(heard, Contains("##[MONITOR][" + id + "] Last_Move:+7776FU,T0"));
  ASSERT_GE(heard.size(), 2U);
  EXPECT_EQ(heard[heard.size() - 2], "##[MONITOR][" + id + "] %TORYO");
  EXPECT_THAT(ask("W", "%%SHOW " + id), ElementsAre("##[SHOW] +OK")) << "it is over for everybody";
}

// Whoever watches may stop, and come back, also when the players have gone home.
TEST_F(Delayed, WatchersComeAndGo) {
  serve([](core::Limits& limits) { limits.monitors = 1; }, late());
  for (const char* watcher : {"W", "Off", "Gone", "Out", "Late"}) server.login_x1(watcher);
  const std::string id = server.start_game("A", "B");
  for (const char* watcher : {"W", "Off", "Gone", "Out"}) ask(watcher, "%%MONITOR2ON " + id);
  server.say("A", "+7776FU");
  server.say("B", "%TORYO");
  EXPECT_THAT(ask("Off", "%%MONITOR2OFF " + id), IsEmpty());
  server.hang_up("Gone");
  server.say("Out", "LOGOUT");
  server.heard("Out");
  server.advance(10'000);
  EXPECT_THAT(ask("Late", "%%MONITOR2ON " + id),
              AllOf(Contains(HasSubstr("$EVENT")), Not(Contains(HasSubstr("+7776FU")))));
  server.advance(20'000);
  const std::string prefix = "##[MONITOR2][" + id + "] ";
  for (const char* watcher : {"W", "Late"}) {
    EXPECT_THAT(server.heard(watcher),
                ElementsAre(prefix + "+7776FU", prefix + "T0", prefix + "+OK", prefix + "%TORYO", prefix + "+OK"));
  }
  for (const char* watcher : {"Off", "Gone", "Out"}) EXPECT_THAT(server.heard(watcher), Each("[EOF]")) << watcher;
  const std::string other = server.start_game("C", "D");
  EXPECT_THAT(ask("W", "%%MONITORON " + other), Not(Contains(HasSubstr("too many"))));
}

TEST_F(Delayed, AGameThatNeverBeganIsGone) {
  server = VirtualServer(behind(2));
  for (const char* player : {"A", "B", "W"}) server.login_x1(player);
  server.say("A", "%%GAME g-300-10 +");
  server.say("B", "%%GAME g-300-10 -");
  const Lines list = ask("W", "%%LIST");
  const std::string id = list.front().substr(std::string_view("##[LIST] ").size());
  EXPECT_GT(ask("W", "%%MONITOR2ON " + id).size(), 5U);
  server.say("A", "REJECT");
  EXPECT_THAT(ask("W", "%%SHOW " + id), ElementsAre("##[SHOW] +OK"));
  server.hang_up("W");
}

// A buoy out of a running game shows its moves.
TEST_F(Delayed, AForkKnowsNoMoreThanWatchers) {
  server = VirtualServer(behind(1));
  server.login_x1("W");
  const std::string id = server.start_game("A", "B");
  server.say("A", "+7776FU");
  EXPECT_THAT(ask("W", "%%FORK " + id + " buoy_x-300-10 1"),
              ElementsAre("##[ERROR] number of moves to fork is out of range: 0."));
  server.say("B", "-3334FU");
  EXPECT_THAT(ask("W", "%%FORK " + id + " buoy_x-300-10 1"), ElementsAre("##[SETBUOY] +OK"));
  EXPECT_THAT(ask("W", "%%FORK " + id + " buoy_y-300-10 2"),
              ElementsAre("##[ERROR] number of moves to fork is out of range: 1."));
}

TEST_F(Delayed, AWatcherHearsNothingThatIsNotDurable) {
  server = VirtualServer(delayed({.seconds = 1}));
  server.login_x1("W");
  const std::string id = server.start_game("A", "B");
  ask("W", "%%MONITOR2ON " + id);
  server.hold_commits(true);
  server.say("A", "+7776FU");
  server.advance(5'000);
  EXPECT_THAT(server.heard("W"), IsEmpty());
  server.commit();
  EXPECT_EQ(server.heard("W").size(), 3U);
}

}  // namespace
}  // namespace fuhyo::test
