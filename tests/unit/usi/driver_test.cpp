#include "engines/usi/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/shogi/usi_move.h"

namespace fuhyo::usi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Lines = std::vector<std::string>;

constexpr const char* kPosition = "position startpos";

// Ponder searches, the ends of games and engines that crash are told in tests/unit/host/bridge_test.cpp.
class DriverTest : public ::testing::Test {
 protected:
  Lines sent() { return driver.take_lines(); }
  std::vector<Driver::Event> events() { return driver.take_events(); }

  template <class Event>
  int count(const std::vector<Driver::Event>& all) {
    int n = 0;
    for (const auto& event : all) n += std::holds_alternative<Event>(event) ? 1 : 0;
    return n;
  }
  // The move answered by the only event; "-" if there is none.
  std::string answer() {
    std::string text = "-";
    for (const auto& event : events()) {
      if (const auto* got = std::get_if<Driver::Answer>(&event)) text = to_text(got->best);
    }
    return text;
  }
  std::string failure() {
    for (const auto& event : events()) {
      if (const auto* failed = std::get_if<Driver::Failed>(&event)) return failed->why;
    }
    return "";
  }

  void greet() {
    driver.start(0);
    driver.line("option name Book type string default <empty>", 5);
    driver.line("usiok", 10);
  }
  void be_ready() {
    greet();
    driver.new_game(256, 20);
    driver.line("readyok", 30);
    sent();
    events();
  }

  void be_pondering() {
    be_ready();
    driver.ponder(kPosition, {.timed = true});
    EXPECT_THAT(sent(), ElementsAre(kPosition, "go ponder btime 0 wtime 0 byoyomi 0"));
  }
  void be_asked(GoLimits limits, std::int64_t now) {
    be_ready();
    driver.think(kPosition, std::move(limits), now);
    sent();
  }

  Driver driver{Driver::Config{.options = {{"USI_Hash", "16"}, {"Book", "a b"}}, .ponder = true}};
};

TEST_F(DriverTest, ShakesHands) {
  driver.start(0);
  EXPECT_THAT(sent(), ElementsAre("usi"));
  driver.line("id name Some Engine 1.0", 1);
  driver.line("option name MaxMovesToDraw type spin default 0 min 0 max 100000", 1);
  driver.line("usiok", 2);
  EXPECT_THAT(sent(), ElementsAre("setoption name USI_Ponder value true", "setoption name USI_Hash value 16",
                                  "setoption name Book value a b"));
  EXPECT_EQ(count<Driver::Ready>(events()), 1);
  EXPECT_EQ(driver.engine_name(), "Some Engine 1.0");
  driver.new_game(320, 3);
  EXPECT_THAT(sent(), ElementsAre("setoption name MaxMovesToDraw value 320", "isready"));
  EXPECT_THAT(events(), IsEmpty());
  driver.line("readyok", 4);
  EXPECT_THAT(sent(), ElementsAre("usinewgame"));
  EXPECT_EQ(count<Driver::Ready>(events()), 1);
}

// To an engine that has the option, and only where it has another rule.
TEST_F(DriverTest, GivesTheRuleOfDeclarationsToTheEngine) {
  using enum shogi::DeclarationRule;
  constexpr std::string_view kOption =
      "option name EnteringKingRule type combo default CSARule27 var CSARule24 var TryRule";
  const auto told = [&](std::optional<shogi::DeclarationRule> rule) {
    driver.new_game(0, 3, rule);
    const auto lines = sent();
    driver.line("readyok", 4);
    sent();
    return lines;
  };
  driver.start(0);
  driver.line(kOption, 1);
  driver.line("usiok", 2);
  sent();
  EXPECT_THAT(told(POINTS_27), ElementsAre("isready")) << "it has that one";
  EXPECT_THAT(told(POINTS_24), ElementsAre("setoption name EnteringKingRule value CSARule24", "isready"));
  EXPECT_THAT(told(POINTS_24), ElementsAre("isready"));
  EXPECT_THAT(told({}), ElementsAre("isready")) << "nobody says";
  EXPECT_THAT(told(POINTS_27), ElementsAre("setoption name EnteringKingRule value CSARule27", "isready"));
  driver.start(10);
  driver.line("usiok", 11);
  sent();
  EXPECT_THAT(told(TRY), ElementsAre("isready")) << "another process, without the option";
  driver = Driver({.options = {{"EnteringKingRule", "NoEnteringKing"}}});
  driver.start(0);
  driver.line(kOption, 1);
  driver.line("usiok", 2);
  sent();
  EXPECT_THAT(told(POINTS_27), ElementsAre("setoption name EnteringKingRule value CSARule27", "isready"))
      << "its host has set another one";
}

TEST_F(DriverTest, AsksAndIsAnsweredOnceWhateverElseIsSaid) {
  be_ready();
  driver.think(kPosition, {.movetime_ms = 100}, 40);
  EXPECT_THAT(sent(), ElementsAre(kPosition, "go movetime 100"));
  driver.line("info depth 1 score cp 5 pv 7g7f", 50);
  EXPECT_EQ(count<Driver::Said>(events()), 1);
  for (const char* line : {"", "bestmov", "\x80\xff", "readyok", "usiok", "info", "option", "id"})
    driver.line(line, 51);
  EXPECT_TRUE(driver.thinking());
  EXPECT_EQ(failure(), "");
  driver.line("bestmove 7g7f ponder 3c3d", 60);
  EXPECT_EQ(answer(), "bestmove 7g7f ponder 3c3d");
  EXPECT_EQ(driver.deadline(), kForever);
  driver.line("bestmove 2g2f", 70);
  const auto unasked = events();
  EXPECT_EQ(count<Driver::Answer>(unasked), 0);
  EXPECT_EQ(count<Driver::Noted>(unasked), 1);
}

TEST_F(DriverTest, WishesWaitUntilTheEngineIsReady) {
  driver.start(0);
  driver.new_game(0, 0);
  driver.think(kPosition, {.depth = 1}, 0);
  EXPECT_THAT(sent(), ElementsAre("usi"));
  driver.line("usiok", 1);
  EXPECT_THAT(sent(), ::testing::Contains("isready"));
  driver.line("readyok", 2);
  EXPECT_THAT(sent(), ElementsAre("usinewgame", kPosition, "go depth 1"));
}

// Some engines answer a ponder search that found a mate at once, against the rule.
TEST_F(DriverTest, AnEarlyPonderAnswerIsKeptForTheHitAndForgottenOnAMiss) {
  for (const bool hit : {true, false}) {
    be_pondering();
    driver.line(hit ? "bestmove 2g2f" : "bestmove 1g1f", 60);
    EXPECT_EQ(answer(), "-");
    hit ? driver.ponderhit() : driver.think(kPosition, {.depth = 2}, 70);
    EXPECT_EQ(answer(), hit ? "bestmove 2g2f" : "-");
  }
  EXPECT_THAT(sent(), ElementsAre(kPosition, "go depth 2"));  // nothing runs: nothing to stop
}

TEST_F(DriverTest, AnAnswerThatIsNoMoveIsAFailure) {
  for (const auto& [limits, line, why] :
       {std::tuple{GoLimits{.depth = 1}, "bestmove (none)", "'(none)' is not a move"},
        std::tuple{GoLimits{.mate_ms = 100}, "checkmate yes", "'yes' is not a move"}}) {
    be_asked(limits, 40);
    driver.line(line, 41);
    EXPECT_THAT(failure(), HasSubstr(why));
    EXPECT_FALSE(driver.running());
  }
}

TEST_F(DriverTest, NoUsiokInTime) {
  driver.start(1000);
  EXPECT_EQ(driver.deadline(), 31'000);
  driver.tick(30'999);
  EXPECT_EQ(failure(), "");
  driver.tick(31'000);
  EXPECT_THAT(failure(), HasSubstr("no usiok"));
}

TEST_F(DriverTest, SignsOfLifeProlongTheWaitForReadyok) {
  greet();
  driver.new_game(0, 0);
  driver.line("", 59'000);
  driver.tick(60'000);
  EXPECT_EQ(failure(), "");
  driver.tick(119'000);
  EXPECT_THAT(failure(), HasSubstr("no readyok"));
}

TEST_F(DriverTest, WhyItDoesNotGetReadyItMayHaveSaid) {
  greet();
  driver.new_game(0, 0);
  driver.line("info string Error! no such file: a.bin", 10);
  driver.line("info string Error! EvalFile: nn.bin cannot be read", 20);
  driver.line("info string loading", 30);
  driver.line("info depth 1 score cp Error", 40);
  EXPECT_EQ(driver.with_complaint("it ended"), "it ended; it said: Error! EvalFile: nn.bin cannot be read");
  driver.tick(10'039);
  EXPECT_TRUE(driver.running());
  driver.tick(10'040);
  EXPECT_EQ(failure(), "no readyok within 10000 ms; it said: Error! EvalFile: nn.bin cannot be read");
  driver.start(70'000);
  driver.tick(100'000);
  EXPECT_EQ(failure(), "no usiok within 30000 ms") << "that was the former process";
}

TEST_F(DriverTest, AnErrorBeforeIsreadyDoesNotHurryTheNetworkThatIsReadBehindIt) {
  driver.start(0);
  driver.line("info string Error! no such option", 5);
  driver.line("usiok", 10);
  driver.new_game(0, 20);
  EXPECT_EQ(driver.deadline(), 60'020);
}

TEST_F(DriverTest, TheSameMoveAgainIsAnAnswerOfWhoHasThoughtAboutIt) {
  be_asked({.depth = 1}, 40);
  driver.line("bestmove 7g7f", 41);
  EXPECT_EQ(answer(), "bestmove 7g7f");
  driver.think("position startpos moves 7g7f 3c3d", {.depth = 1}, 50);
  driver.line("bestmove 7g7f", 51);
  EXPECT_EQ(answer(), "-") << "the former answer, as far as anybody knows";
  EXPECT_EQ(driver.repeated_answer(), "bestmove 7g7f");
  driver.line("info depth 3 score cp 42", 52);
  driver.line("bestmove 7g7f", 53);
  EXPECT_EQ(answer(), "bestmove 7g7f");
  driver.think("position startpos moves 7g7f 3c3d 7g7f", {.depth = 1}, 60);
  EXPECT_EQ(driver.repeated_answer(), "");
}

TEST_F(DriverTest, TheSameMoveAgainAndNothingElseIsAWrongAnswer) {
  be_asked({.depth = 1}, 40);
  driver.line("bestmove 7g7f", 41);
  driver.think("position startpos moves 7g7f 3c3d", {.depth = 1}, 50);
  driver.line("bestmove 7g7f", 51);
  driver.hurry(100);
  driver.tick(3'100);
  EXPECT_THAT(failure(), HasSubstr("former answer again: bestmove 7g7f"));
}

TEST_F(DriverTest, AComplaintHasItsLengthAndIsOverWithReadyok) {
  greet();
  driver.line("info string Error! " + std::string(1000, 'x'), 15);
  EXPECT_EQ(driver.with_complaint("").size(), std::string("; it said: ").size() + 300);
  driver.new_game(0, 20);
  driver.line("readyok", 30);
  EXPECT_EQ(count<Driver::Noted>(events()), 1) << "an engine that is ready all the same";
  EXPECT_EQ(driver.with_complaint("it ended"), "it ended");
  driver.think(kPosition, {.depth = 1}, 40);
  driver.line("info string Error! no network", 41);
  EXPECT_EQ(driver.with_complaint("it ended"), "it ended") << "what it says in a game is told as it comes";
}

TEST_F(DriverTest, SettingsThatTheEngineDoesNotTakeAreNoted) {
  Driver choosy({.if_declared = {{"Threads", "1"}, {"USI_Hash", "16"}}, .options = {{"Level", "31"}, {"Levle", "3"}}});
  choosy.start(0);
  choosy.line("option name Level type spin default 5 min 1 max 30", 1);
  choosy.line("usiok", 2);
  EXPECT_THAT(choosy.take_lines(),
              ElementsAre("usi", "setoption name USI_Ponder value false", "setoption name USI_Hash value 16",
                          "setoption name Level value 31", "setoption name Levle value 3"));
  const auto all = choosy.take_events();
  ASSERT_EQ(count<Driver::Noted>(all), 2);
  EXPECT_EQ(std::get<Driver::Noted>(all[0]).text, "option Level: a number from 1 to 30 expected, not '31'");
  EXPECT_EQ(std::get<Driver::Noted>(all[1]).text, "no option named 'Levle'");
  choosy.start(10);
  choosy.line("option name Level type combo default a var " + std::string(2'000, 'a'), 11);
  choosy.line("usiok", 12);
  EXPECT_EQ(std::get<Driver::Noted>(choosy.take_events().at(0)).text.size(), 300U) << "not all that an engine declares";
}

TEST_F(DriverTest, HurryStopsOnceAndThenTimesOut) {
  for (const bool answered : {true, false}) {
    be_asked({.depth = 99}, 0);
    driver.hurry(1'000);
    driver.hurry(1'001);
    EXPECT_THAT(sent(), ElementsAre("stop"));
    if (!answered) continue;
    driver.line("bestmove 7g7f", 1'010);
    EXPECT_EQ(answer(), "bestmove 7g7f");
    EXPECT_EQ(driver.deadline(), kForever);
  }
  driver.tick(3'999);
  EXPECT_EQ(failure(), "");
  driver.tick(4'000);
  EXPECT_THAT(failure(), HasSubstr("no bestmove"));
}

TEST_F(DriverTest, AQuestionForAMateIsAnsweredByOne) {
  be_ready();
  driver.think(kPosition, {.mate_ms = 100}, 40);
  EXPECT_THAT(sent(), ElementsAre(kPosition, "go mate 100"));
  driver.line("checkmate G*5b", 50);
  const auto all = events();
  ASSERT_EQ(count<Driver::Solved>(all), 1);
  EXPECT_EQ(to_text(std::get<Driver::Solved>(all.front()).answer), "checkmate G*5b");
  EXPECT_FALSE(driver.answer_owed());
  driver.line("checkmate G*5b", 60);
  EXPECT_EQ(count<Driver::Noted>(events()), 1) << "nobody asked again";
}

TEST_F(DriverTest, OfAnAbandonedQuestionForAMateTheAnswerIsDropped) {
  be_asked({.mate_ms = kForever}, 40);
  driver.think(kPosition, {.depth = 1}, 50);
  driver.line("checkmate timeout", 60);
  EXPECT_EQ(count<Driver::Solved>(events()), 0);
  EXPECT_EQ(sent().back(), "go depth 1");
  driver.line("checkmate nomate", 70);
  EXPECT_TRUE(driver.thinking()) << "that is no answer to a question for a move";
  driver.line("bestmove 7g7f", 80);
  EXPECT_EQ(answer(), "bestmove 7g7f");
}

TEST_F(DriverTest, ForAnyPositionsTheSameMoveMayBeTheAnswerTwice) {
  driver = Driver({.any_positions = true});
  be_ready();
  for (const char* position : {"position startpos", "position startpos moves 7g7f 3c3d"}) {
    driver.think(position, {}, 40);
    driver.line("bestmove 2g2f", 50);
    EXPECT_EQ(answer(), "bestmove 2g2f") << position;
  }
}

}  // namespace
}  // namespace fuhyo::usi
