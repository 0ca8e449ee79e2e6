// Whole conversations: what the server and the engine say, and what each hears in answer.
#include "server/host/bridge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "engines/record/csa_move.h"
#include "tests/unit/host/summary_text.h"

namespace fuhyo::host {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kEmptyRank = " *  *  *  *  *  *  *  *  * ";

class BridgeTest : public ::testing::Test {
 protected:
  void make(Bridge::Config config) {
    config.name = "A";
    config.password = "secret";
    bridge.emplace(std::move(config));
  }
  static Bridge::Config x1() { return {.mode = Bridge::Mode::x1, .game = "test-10-1", .turn = '+'}; }

  // Sorts what came out.
  void take() {
    for (Bridge::Output& output : bridge->take()) {
      if (auto* line = std::get_if<Bridge::ToServer>(&output)) server.push_back(line->line);
      if (auto* line2 = std::get_if<Bridge::ToEngine>(&output)) engine.push_back(line2->line);
      if (auto* restart = std::get_if<Bridge::RestartEngine>(&output)) restarts.push_back(restart->why);
      if (auto* hangup = std::get_if<Bridge::Hangup>(&output)) hangups.push_back(hangup->why);
      if (auto* refused = std::get_if<Bridge::Refused>(&output)) refusals.push_back(refused->why);
      if (auto* ended = std::get_if<Bridge::Ended>(&output)) results.push_back(ended->result + " " + ended->reason);
      if (auto* text = std::get_if<Bridge::Log>(&output)) (text->warning ? warnings : notes).push_back(text->text);
    }
  }
  Lines to_server() {
    take();
    return std::exchange(server, {});
  }
  Lines to_engine() {
    take();
    return std::exchange(engine, {});
  }
  void hear(const Lines& lines) {
    for (const std::string& line : lines) bridge->server_line(line, now);
  }
  void says(const std::string& line) { bridge->engine_line(line, now); }
  void wait(std::int64_t ms) {
    now += ms;
    bridge->tick(now);
  }

  void start_engine() {
    bridge->engine_started(now);
    says("usiok");
    says("readyok");
  }
  void log_in() {
    start_engine();
    bridge->connected(now);
    hear({"LOGIN:A OK"});
  }
  void begin_anew(const Bridge::Config& config = {}) {
    make(config);
    log_in();
    to_engine();
    to_server();
  }
  // Up to START, with everything said so far forgotten.
  void begin(char turn, const Lines& time, const Bridge::Config& config = {}, const Lines& position = start_position(),
             const std::string& declaration = "Declaration:Jishogi 1.1") {
    begin_anew(config);
    hear(summary(turn, time, position, declaration));
    says("readyok");
    to_engine();
    to_server();
    hear({kStart});
  }
  // A game of five minutes and ten seconds of byoyomi, which has begun.
  void play(char turn = '+', const Bridge::Config& config = {}) { begin(turn, kMinutes, config); }
  // The next remark of the log that somebody waits in vain, and those after it.
  std::size_t remarks_on_names() {
    std::size_t count = 0;
    for (const Bridge::Output& output : bridge->take()) {
      const auto* text = std::get_if<Bridge::Log>(&output);
      count += text != nullptr && text->text.contains("the very same game name, here test-10-1") ? 1 : 0;
    }
    return count;
  }

  static constexpr const char* kStart = "START:ev+test-10-1+A+B+20261121041440";
  static inline const Lines kMinutes = time_block(300, 10, 0), kWon = {"%TORYO", "#RESIGN", "#WIN"};

  std::optional<Bridge> bridge;
  std::int64_t now = 1'000'000;
  Lines server, engine, restarts, hangups, refusals, results, warnings, notes;
};

// ---- logging in ----

TEST_F(BridgeTest, LogsInOnceTheEngineIsReady) {
  make({});
  bridge->connected(now);
  EXPECT_THAT(to_server(), IsEmpty());
  bridge->engine_started(now);
  says("usiok");
  EXPECT_THAT(to_server(), IsEmpty());
  says("readyok");
  EXPECT_THAT(to_server(), ElementsAre("LOGIN A secret"));
}

TEST_F(BridgeTest, ExtendedModeAsksForAGameAndSaysWhatTheHostSays) {
  make(x1());
  log_in();
  EXPECT_THAT(to_server(), ElementsAre("LOGIN A secret x1", "%%GAME test-10-1 +"));
  hear({"##[LOGIN] +OK x1", "##[ADMIN] you are never paired in test-10-1: no rounds"});
  take();
  EXPECT_THAT(notes, Contains("the server says: you are never paired in test-10-1: no rounds"));
  EXPECT_THAT(warnings, IsEmpty()) << "most of it is news: a round begins";
  EXPECT_THAT(refusals, IsEmpty());
}

// Somebody may have mistyped the name of the game.
TEST_F(BridgeTest, AfterAMinuteWithoutAGameTheLogSaysOnceWhatPairsPlayers) {
  Bridge::Config config = x1();
  config.patience_ms = 60'000;
  begin_anew(config);
  EXPECT_LE(bridge->deadline(), now + 60'000);
  wait(59'999);
  EXPECT_EQ(remarks_on_names(), 0u);
  wait(1);
  EXPECT_EQ(remarks_on_names(), 1u);
  wait(600'000);
  EXPECT_EQ(remarks_on_names(), 0u);
  begin_anew(config);
  hear(summary('+', kMinutes));
  take();
  wait(60'000);
  EXPECT_EQ(remarks_on_names(), 0u) << "there is a game in time";
}

// ---- seats ----

class SeatedBridge : public BridgeTest {
 protected:
  void log_in_with_seats() {
    Bridge::Config config = x1();
    config.needs_seat = true;
    config.seat_ms = 1'000;
    make(std::move(config));
    log_in();
  }
  // A game for which the engine is ready, and which has no seat yet.
  std::vector<Bridge::SeatWanted> be_offered_a_game() {
    log_in_with_seats();
    bridge->set_open(true, now);
    bridge->take();
    hear(summary('+', time_block(10, 1, 0)));
    auto wanted = outputs<Bridge::SeatWanted>();
    says("readyok");
    EXPECT_THAT(to_server(), IsEmpty()) << "no seat";
    return wanted;
  }
  template <class Kind>
  std::vector<Kind> outputs() {
    std::vector<Kind> found;
    for (Bridge::Output& output : bridge->take()) {
      if (auto* one = std::get_if<Kind>(&output)) found.push_back(*one);
    }
    return found;
  }
};

TEST_F(SeatedBridge, WaitsOutsideOfTheLobbyUntilItIsTold) {
  log_in_with_seats();
  EXPECT_THAT(to_server(), ElementsAre("LOGIN A secret x1"));
  bridge->set_open(true, now);
  EXPECT_THAT(to_server(), ElementsAre("%%GAME test-10-1 +"));
  bridge->set_open(true, now);
  EXPECT_THAT(to_server(), IsEmpty());
  bridge->set_open(false, now);
  EXPECT_THAT(to_server(), ElementsAre("%%GAME"));
}

TEST_F(SeatedBridge, AgreesWithASeatOnlyAndAsksAnewForEachGame) {
  const auto wanted = be_offered_a_game();
  ASSERT_EQ(wanted.size(), 1u);
  EXPECT_FALSE(wanted[0].goes_on);
  EXPECT_EQ(wanted[0].opponent, "B");
  bridge->seat(now);
  EXPECT_THAT(to_server(), ElementsAre("AGREE"));
  hear({"START:" + wanted[0].game_id, "#SENNICHITE", "#DRAW"});
  EXPECT_THAT(to_server(), IsEmpty()) << "others come first";
  bridge->set_open(true, now);
  EXPECT_THAT(to_server(), ElementsAre("%%GAME test-10-1 +"));
}

TEST_F(SeatedBridge, DoesNotLetAnOpponentWaitForEver) {
  be_offered_a_game();
  EXPECT_EQ(bridge->deadline(), now + 1'000);
  wait(999);
  EXPECT_THAT(to_server(), IsEmpty());
  wait(1);
  EXPECT_THAT(to_server(), ElementsAre("REJECT"));
  bridge->seat(now);
  EXPECT_THAT(to_server(), IsEmpty()) << "too late";
}

TEST_F(SeatedBridge, AGameThatHadBegunGoesOn) {
  log_in_with_seats();
  hear(summary('+', kMinutes, start_position() + Lines{"+2726FU,T0", "-3334FU,T0"}));
  ASSERT_TRUE(outputs<Bridge::SeatWanted>().at(0).goes_on);
}

TEST_F(SeatedBridge, MeasuresWhatItThoughtBesideWhatWasCharged) {
  be_offered_a_game();
  bridge->seat(now);
  bridge->take();
  hear({kStart});
  now += 700;
  says("bestmove 2g2f");
  now += 5;
  hear({"+2726FU,T1"});
  const auto thoughts = outputs<Bridge::Thought>();
  ASSERT_EQ(thoughts.size(), 1u);
  EXPECT_EQ(thoughts[0].waited_ms, 0);
  EXPECT_EQ(thoughts[0].thought_ms, 700);
  EXPECT_EQ(thoughts[0].charged_ms, 1'000);
}

TEST_F(BridgeTest, GreetsWithItsFirstMove) {
  Bridge::Config config = x1();
  config.greeting = "Good evening.";
  config.comments = true;
  play('+', config);
  says("bestmove 2g2f");
  EXPECT_THAT(to_server(), Contains("+2726FU,'Good evening."));
  hear({"+2726FU,T1", "-3334FU,T1"});
  says("bestmove 7g7f");
  EXPECT_THAT(to_server(), Contains("+7776FU"));
}

TEST_F(BridgeTest, RefusalsAreReported) {
  make({});
  start_engine();
  bridge->connected(now);
  hear({"LOGIN:incorrect"});
  take();
  EXPECT_THAT(refusals, ElementsAre(HasSubstr("refused the login of 'A': a wrong password, or")));

  make({});
  start_engine();
  bridge->connected(now);
  hear({"HTTP/1.1 400 Bad Request"});
  take();
  EXPECT_THAT(refusals, Contains(HasSubstr("the CSA port")));

  make(x1());
  log_in();
  hear({"##[ERROR] bad game name: test-10-1."});
  take();
  EXPECT_THAT(refusals, Contains(HasSubstr("bad game name")));
}

TEST_F(BridgeTest, AgreesOnceTheEngineIsReadyForTheGame) {
  begin_anew();
  hear(summary('+', kMinutes));
  EXPECT_THAT(to_engine(), ElementsAre("isready"));
  EXPECT_THAT(to_server(), IsEmpty());
  says("readyok");
  EXPECT_THAT(to_server(), ElementsAre("AGREE"));
  EXPECT_THAT(to_engine(), ElementsAre("usinewgame"));
}

TEST_F(BridgeTest, RejectsASummaryThatItCannotReadAndHangsUpOnOneWithoutEnd) {
  begin_anew();
  hear(summary('+', kMinutes, {"nonsense"}));
  EXPECT_THAT(to_server(), ElementsAre("REJECT"));
  EXPECT_THAT(warnings, Contains(HasSubstr("Game_Summary")));
  begin_anew();
  hear({"BEGIN Game_Summary"});
  hear(Lines(5'001, "Key:value"));
  take();
  EXPECT_THAT(hangups, Contains(HasSubstr("does not end")));
}

TEST_F(BridgeTest, ARejectedGameIsFollowedByTheNext) {
  begin_anew(x1());
  hear(summary('+', kMinutes));
  says("readyok");
  to_server();
  hear({"REJECT:ev+test-10-1+A+B+20261121041440 by B"});
  EXPECT_THAT(to_server(), ElementsAre("%%GAME test-10-1 +"));
  EXPECT_THAT(results, ElementsAre(HasSubstr("rejected")));
  EXPECT_EQ(bridge->games_played(), 0);
}

// ---- time controls, as the engine is told of them ----

TEST_F(BridgeTest, Byoyomi) {
  play();
  EXPECT_THAT(to_engine(), ElementsAre("position startpos", "go btime 300000 wtime 300000 byoyomi 10000"));
  now += 12'000;
  says("bestmove 7g7f");
  EXPECT_THAT(to_server(), ElementsAre("+7776FU"));
  hear({"+7776FU,T12"});
  hear({"-3334FU,T299"});
  EXPECT_THAT(to_engine(),
              ElementsAre("position startpos moves 7g7f 3c3d", "go btime 288000 wtime 1000 byoyomi 10000"));
}

struct ToldTime {
  const char* name;
  Lines time;
  std::string position, go;  // as the engine is told
  Lines heard{};             // White's turn else
  Bridge::Config config{};
  Lines start = start_position();
};

TEST_F(BridgeTest, TheEngineIsToldWhereAndOnWhichClocksItPlays) {
  const Lines each = time_block(600, 0, 0, "1sec", "Time+") + time_block(60, 5, 0, "1sec", "Time-");
  Lines handicap = start_position();
  handicap[7] = std::string("P8") + kEmptyRank;
  const Lines gone_on = start_position() + Lines{"+7776FU,T1", "-3334FU,T1"};
  const std::string start = "position startpos", moved = start + " moves 7g7f";
  const std::string without_bishop = "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL b - 1";
  const ToldTime cases[] = {
      {"sudden death", time_block(900, 0, 0), moved, "btime 800000 wtime 900000 byoyomi 0", {"+7776FU,T100"}},
      {"minutes", time_block(15, 1, 0, "1min"), start, "btime 900000 wtime 900000 byoyomi 60000"},
      {"milliseconds", time_block(1500, 0, 100, "1msec"), start, "btime 1500 wtime 1500 binc 100 winc 100"},
      {"each side's own", each, moved, "btime 598500 wtime 60000 byoyomi 5000", {"+7776FU,T1.5"}},
      {"unlimited", time_block(0, 0, 0), start, "movetime 400", {}, {.unlimited = usi::GoLimits{.movetime_ms = 400}}},
      {"a margin", time_block(10, 1, 0), start, "btime 9700 wtime 10000 byoyomi 1000", {}, {.margin_ms = 300}},
      {"a game goes on", kMinutes, moved + " 3c3d", "btime 299000 wtime 299000 byoyomi 10000", {}, {}, gone_on},
      {"a handicap", kMinutes, without_bishop, "btime 300000 wtime 300000 byoyomi 10000", {}, {}, handicap},
  };
  for (const ToldTime& told : cases) {
    SCOPED_TRACE(told.name);
    begin(told.heard.empty() ? '+' : '-', told.time, told.config, told.start);
    if (!told.heard.empty()) EXPECT_THAT(to_engine(), IsEmpty());
    hear(told.heard);
    EXPECT_THAT(to_engine(), ElementsAre(told.position, "go " + told.go));
  }
}

// ---- the game ----

TEST_F(BridgeTest, CommentsAreSeenFromBlackAndNeedALineThatFitsTheMove) {
  play('-', {.comments = true});
  hear({"+7776FU,T1"});
  says("info depth 5 score cp 120 pv 3c3d 2g2f 8c8d 1i1h 1a1b");
  says("bestmove 3c3d");
  EXPECT_THAT(to_server(), ElementsAre("-3334FU,'* -120 +2726FU -8384FU +1918KY -1112KY"));
  play('+', {.comments = true});
  says("info depth 5 score mate +7 pv 7g7f 1a1a 3c3d");  // the second move is impossible: cut there
  says("info depth 6 multipv 2 score cp 5 pv 2g2f");
  says("bestmove 7g7f");
  EXPECT_THAT(to_server(), ElementsAre("+7776FU,'* 100000"));
  hear({"+7776FU,T1", "-3334FU,T1"});
  says("info depth 5 score cp 30 pv 2g2f");
  says("bestmove 1g1f");
  EXPECT_THAT(to_server(), ElementsAre("+1716FU"));
}

TEST_F(BridgeTest, PromotionsAndDropsAreSpelledAsCsaDoes) {
  begin('+', kMinutes, {}, start_position() + Lines{"+7776FU,T1", "-3334FU,T1"});
  says("bestmove 8h2b+");
  EXPECT_THAT(to_server(), ElementsAre("+8822UM"));
  hear({"+8822UM,T1", "-3122GI,T1"});
  says("bestmove B*4e");
  EXPECT_THAT(to_server(), ElementsAre("+0045KA"));
}

TEST_F(BridgeTest, ResignsForTheEngine) {
  play();
  says("bestmove resign");
  EXPECT_THAT(to_server(), ElementsAre("%TORYO"));
  hear({"%TORYO", "#RESIGN", "#LOSE"});
  EXPECT_THAT(to_engine(), Contains("gameover lose"));
  EXPECT_THAT(results, ElementsAre("lose #RESIGN"));
  EXPECT_EQ(bridge->games_played(), 1);
}

TEST_F(BridgeTest, DeclaresOnlyWhatHolds) {
  play();
  says("bestmove win");
  EXPECT_THAT(to_server(), ElementsAre("%TORYO"));
  EXPECT_THAT(warnings, Contains(HasSubstr("declares a win")));

  // 30 points: enough by the rule of 27, not by that of 24.
  Lines entered = {"P1+KI+KI+KI+KI+OU *  *  *  * ", "P2+GI+GI+GI+GI+FU+FU *  *  * "};
  for (const char rank : {'3', '4', '5', '6', '7', '8'}) entered.push_back(std::string("P") + rank + kEmptyRank);
  entered = entered + Lines{"P9 *  *  *  *  *  *  *  * -OU", "P+00HI00HI00KA00KA", "+"};
  begin('+', kMinutes, {}, entered);
  says("bestmove win");
  EXPECT_THAT(to_server(), ElementsAre("%KACHI"));
  begin('+', kMinutes, {}, entered, "Entering_King_Rule:CSARule24");
  says("bestmove win");
  EXPECT_THAT(to_server(), ElementsAre("%TORYO"));
}

TEST_F(BridgeTest, EveryEndIsUnderstood) {
  const std::vector<std::pair<Lines, std::string>> ends = {
      {{"%TORYO", "#RESIGN", "#WIN"}, "win #RESIGN"},
      {{"#TIME_UP", "#LOSE"}, "lose #TIME_UP"},
      {{"#ILLEGAL_MOVE", "#WIN"}, "win #ILLEGAL_MOVE"},
      {{"#SENNICHITE", "#DRAW"}, "draw #SENNICHITE"},
      {{"#OUTE_SENNICHITE", "#LOSE"}, "lose #OUTE_SENNICHITE"},
      {{"%KACHI,T3", "%KACHI", "#JISHOGI", "#WIN"}, "win #JISHOGI"},
      {{"#MAX_MOVES", "#CENSORED"}, "censored #MAX_MOVES"},
      {{"#CHUDAN"}, "chudan "},
  };
  for (const auto& [lines, result] : ends) {
    results.clear();
    play();
    hear(lines);
    EXPECT_THAT(to_engine(), Contains("stop"));
    EXPECT_THAT(results, ElementsAre(result));
    EXPECT_FALSE(bridge->in_game());
  }
}

// ---- after the game ----

TEST_F(BridgeTest, CsaModeHangsUpAfterEachGame) {
  play();
  hear(kWon);
  take();
  EXPECT_THAT(hangups, ElementsAre("the game is over"));
  EXPECT_FALSE(bridge->done());
  bridge->disconnected("", now);
  to_server();
  bridge->connected(now);
  says("bestmove 7g7f");  // the search of the former game
  EXPECT_THAT(to_server(), ElementsAre("LOGIN A secret"));

  play();
  to_engine();
  bridge->disconnected("reset by peer", now);  // in the middle of it
  EXPECT_THAT(to_engine(), ElementsAre("stop"));
  EXPECT_EQ(results.back(), "lost line reset by peer");
  says("bestmove 7g7f");
  bridge->connected(now);
  EXPECT_THAT(to_server(), ElementsAre("LOGIN A secret"));
}

TEST_F(BridgeTest, ExtendedModeStaysAndAsksAgainUntilItHasPlayedEnough) {
  auto config = x1();
  config.games = 2;
  play('+', config);
  hear(kWon);
  EXPECT_THAT(to_server(), ElementsAre("%%GAME test-10-1 +"));
  EXPECT_FALSE(bridge->done());
  config.games = 1;
  play('+', config);
  hear(kWon);
  EXPECT_THAT(to_server(), ElementsAre("LOGOUT"));
  EXPECT_TRUE(bridge->done());
}

TEST_F(BridgeTest, FinishWaitsForTheGame) {
  play('+', x1());
  bridge->finish(now);
  EXPECT_FALSE(bridge->done());
  hear({"#TIME_UP", "#WIN"});
  EXPECT_TRUE(bridge->done());
  make(x1());
  log_in();
  bridge->finish(now);
  EXPECT_TRUE(bridge->done());
}

// The engine still thinks about the former game while the next one begins.
TEST_F(BridgeTest, StaleAnswersDoNotReachTheNextGame) {
  play('+', x1());
  hear({"#TIME_UP", "#LOSE"});
  to_engine();
  to_server();
  hear(summary('+', kMinutes));
  says("bestmove 9g9f");
  EXPECT_THAT(to_server(), IsEmpty());
  EXPECT_THAT(to_engine(), ElementsAre("gameover lose", "isready"));
  says("bestmove 1g1f");
  says("readyok");
  EXPECT_THAT(to_server(), ElementsAre("AGREE"));
  hear({"START:x"});
  says("bestmove 7g7f");
  EXPECT_THAT(to_server(), ElementsAre("+7776FU"));
}

// ---- keep-alive ----

TEST_F(BridgeTest, KeepsTheLineAlive) {
  begin_anew();
  wait(29'999);
  EXPECT_THAT(to_server(), IsEmpty());
  EXPECT_EQ(bridge->deadline(), now + 1);
  wait(1);
  EXPECT_THAT(to_server(), ElementsAre(""));
  hear({""});
  wait(29'999);
  EXPECT_THAT(to_server(), IsEmpty());
  begin_anew({.keep_alive_ms = 0});
  wait(1'000'000);
  EXPECT_THAT(to_server(), IsEmpty());
}

// ---- pondering ----

TEST_F(BridgeTest, PonderHitAndMiss) {
  play('+', {.ponder = true});
  to_engine();
  now += 2'000;
  says("bestmove 7g7f ponder 3c3d");
  EXPECT_THAT(to_engine(), IsEmpty());  // only once the server has echoed the move
  hear({"+7776FU,T2"});
  EXPECT_THAT(to_engine(),
              ElementsAre("position startpos moves 7g7f 3c3d", "go ponder btime 298000 wtime 300000 byoyomi 10000"));
  hear({"-3334FU,T5"});
  EXPECT_THAT(to_engine(), ElementsAre("ponderhit"));
  says("bestmove 2g2f ponder 8c8d");
  EXPECT_THAT(to_server(), ElementsAre("+7776FU", "+2726FU"));
  hear({"+2726FU,T1"});
  to_engine();
  hear({"-4132KI,T1"});
  EXPECT_THAT(to_engine(), ElementsAre("stop"));
  says("bestmove 1g1f");
  EXPECT_THAT(to_engine(),
              ElementsAre("position startpos moves 7g7f 3c3d 2g2f 4a3b", "go btime 297000 wtime 294000 byoyomi 10000"));
  EXPECT_THAT(to_server(), IsEmpty());
}

TEST_F(BridgeTest, PondersOnlyOnWhatCanBeAndWhereTheMachineCarriesIt) {
  for (const std::string guess : {"5e5d", "3c3d"}) {
    play('+', {.ponder = true});
    if (guess == "3c3d") bridge->set_may_ponder(false, now);
    says("bestmove 7g7f ponder " + guess);
    to_engine();
    hear({"+7776FU,T2"});
    EXPECT_THAT(to_engine(), IsEmpty()) << guess;
  }
  hear({"-3334FU,T5"});
  says("bestmove 2g2f ponder 8c8d");
  to_engine();
  bridge->set_may_ponder(true, now);
  hear({"+2726FU,T1"});
  EXPECT_THAT(to_engine(), Contains(HasSubstr("go ponder")));
  bridge->set_may_ponder(false, now);
  EXPECT_THAT(to_engine(), ElementsAre("stop")) << "its opponent is back, and thinks";
  says("bestmove 2f2e");
  hear({"-8384FU,T1"});
  EXPECT_THAT(to_engine(), Contains(HasSubstr("go btime"))) << "no ponderhit: that search is over";
}

// ---- engines that misbehave ----

TEST_F(BridgeTest, AnIllegalMoveIsResignedAndLogged) {
  play();
  says("bestmove 5e5d");
  EXPECT_THAT(to_server(), ElementsAre("%TORYO"));
  EXPECT_THAT(warnings, Contains(AllOf(HasSubstr("illegal move, 5e5d"), HasSubstr("lnsgkgsnl"))));
}

TEST_F(BridgeTest, NonsenseOfTheServerAndASecondAnswerAreIgnored) {
  play();
  hear({"", "##[CHAT][B] hello", "hello", "#", "%", "START:again", "LOGIN:A OK", "END Game_Summary"});
  says("bestmove 7g7f");
  says("bestmove 2g2f");
  EXPECT_THAT(to_server(), ElementsAre("+7776FU"));
}

TEST_F(BridgeTest, ACrashedEngineIsRestartedAndGoesOnWithLessTime) {
  begin('+', time_block(60, 0, 0));
  to_engine();
  now += 2'000;
  bridge->engine_closed("killed by signal 11", now);
  take();
  EXPECT_THAT(restarts, ElementsAre(HasSubstr("signal 11")));
  now += 1'000;
  start_engine();
  EXPECT_THAT(to_engine(), AllOf(Contains("position startpos"), Contains("go btime 57000 wtime 60000 byoyomi 0")));
  says("bestmove 7g7f");
  EXPECT_THAT(to_server(), ElementsAre("+7776FU"));
  hear({"+7776FU,T3"});
  bridge->engine_closed("exit status 1", now);  // on the opponent's turn
  start_engine();
  to_engine();
  hear({"-3334FU,T1"});
  EXPECT_THAT(to_engine(), Contains("position startpos moves 7g7f 3c3d"));
}

TEST_F(BridgeTest, AnEngineThatKeepsCrashingResigns) {
  begin('+', time_block(600, 0, 0));
  for (int i = 0; i < 3; ++i) {
    bridge->engine_closed("exit status 1", now);
    start_engine();
    EXPECT_THAT(to_server(), IsEmpty());
  }
  bridge->engine_closed("exit status 1", now);
  EXPECT_THAT(to_server(), ElementsAre("%TORYO"));
}

TEST_F(BridgeTest, AnEngineThatKeepsCrashingOnTheOpponentsTurnSaysNothingThen) {
  begin('-', time_block(600, 0, 0));
  for (int i = 0; i < 5; ++i) {
    bridge->engine_closed("exit status 1", now);
    start_engine();
    EXPECT_THAT(to_server(), IsEmpty());
  }
}

TEST_F(BridgeTest, ALateEngineIsToldToMove) {
  begin('+', time_block(0, 10, 0));
  to_engine();
  wait(9'799);
  EXPECT_THAT(to_engine(), IsEmpty());
  EXPECT_EQ(bridge->deadline(), now + 1);
  wait(1);
  EXPECT_THAT(to_engine(), ElementsAre("stop"));
  says("bestmove 7g7f");
  EXPECT_THAT(to_server(), ElementsAre("+7776FU"));
}

TEST_F(BridgeTest, AHangingEnginesNewestThoughtIsPlayed) {
  begin('+', time_block(0, 10, 0));
  says("info depth 9 score cp 10 pv 2g2f 3c3d");
  wait(9'800);
  wait(99);
  EXPECT_THAT(to_server(), IsEmpty());
  wait(1);
  EXPECT_THAT(to_server(), ElementsAre("+2726FU"));
  EXPECT_THAT(warnings, Contains(HasSubstr("late")));
  wait(3'000);  // it does not even answer "stop"
  take();
  EXPECT_THAT(restarts, ElementsAre(HasSubstr("no bestmove")));
}

TEST_F(BridgeTest, ASilentEnginesMoveIsMadeForItAndThatOfOneThatIsAway) {
  begin('+', time_block(0, 10, 0));
  wait(9'800);
  wait(100);
  const Lines sent = to_server();
  ASSERT_EQ(sent.size(), 1u);
  const auto csa = record::parse_csa_move(sent.front());
  ASSERT_TRUE(csa);
  EXPECT_TRUE(shogi::Position().is_legal(*record::resolve(shogi::Position(), *csa)));
  EXPECT_THAT(warnings, Contains(HasSubstr("any legal move")));
  begin('+', time_block(0, 2, 0));
  bridge->engine_closed("exit status 1", now);
  wait(1'900);
  EXPECT_EQ(to_server().size(), 1u);
}

// What was seen is kept back twice, from the engine and from the flag.
TEST_F(BridgeTest, OnALateMachineMoreTimeIsKeptBackAQuarterOfAMoveAtMost) {
  make({});
  bridge->woke_late(900, now);  // before the game: of another time
  log_in();
  hear(summary('+', time_block(0, 10, 0)));
  says("readyok");
  to_engine();
  to_server();
  hear({kStart});
  EXPECT_THAT(to_engine(), Contains("go btime 0 wtime 0 byoyomi 10000"));
  bridge->woke_late(300, now);
  wait(10'000 - 200 - 600 - 1);
  EXPECT_THAT(to_engine(), IsEmpty());
  wait(1);
  EXPECT_THAT(to_engine(), ElementsAre("stop"));
  says("bestmove 7g7f");
  hear({"+7776FU,T9", "-3334FU,T1"});
  EXPECT_THAT(to_engine(), Contains("go btime 0 wtime 0 byoyomi 9400"));
  wait(9'200);
  wait(400);
  EXPECT_EQ(to_server().size(), 2u);  // the second for an engine that says nothing

  begin('+', time_block(0, 2, 0));
  bridge->woke_late(60'000, now);
  says("bestmove 7g7f");
  hear({"+7776FU,T0", "-3334FU,T1"});
  EXPECT_THAT(to_engine(), Contains("go btime 0 wtime 0 byoyomi 1500"));
}

// Of its own deadline, of the answer to "stop", and of a charge that no rounding explains.
TEST_F(BridgeTest, SeesForItselfHowLateTheMachineIs) {
  const auto next_byoyomi = [this](std::int64_t stop_at, std::int64_t answer_at, const std::string& charged) {
    begin('+', time_block(0, 20, 0));
    wait(stop_at);
    wait(answer_at - stop_at);
    says("bestmove 7g7f");
    to_engine();
    hear({"+7776FU,T" + charged, "-3334FU,T1"});
    return to_engine().back();
  };
  EXPECT_EQ(next_byoyomi(19'800, 19'850, "19"), "go btime 0 wtime 0 byoyomi 20000");
  EXPECT_EQ(next_byoyomi(19'800, 19'860, "19"), "go btime 0 wtime 0 byoyomi 19880");
  EXPECT_EQ(next_byoyomi(19'870, 19'870, "19"), "go btime 0 wtime 0 byoyomi 19860");
  EXPECT_EQ(next_byoyomi(500, 500, "1"), "go btime 0 wtime 0 byoyomi 20000");
  EXPECT_EQ(next_byoyomi(500, 500, "2"), "go btime 0 wtime 0 byoyomi 19000");
}

// Letting go of the wrong guess took the engine a while: that time is not there any more.
TEST_F(BridgeTest, ASlowStopShortensTheNextThought) {
  begin('+', time_block(10, 0, 0), {.ponder = true});
  says("bestmove 7g7f ponder 3c3d");
  hear({"+7776FU,T0", "-8384FU,T0"});
  now += 1'500;
  to_engine();
  says("bestmove 1g1f");
  EXPECT_THAT(to_engine(), Contains("go btime 8500 wtime 10000 byoyomi 0"));
}

TEST_F(BridgeTest, WithoutAClockAHangIsNoticedToo) {
  begin('+', time_block(0, 0, 0), {.unlimited = usi::GoLimits{.movetime_ms = 400}, .hang_ms = 5'000});
  to_engine();
  wait(5'400);
  EXPECT_THAT(to_engine(), ElementsAre("stop"));
  wait(3'000);
  take();
  EXPECT_THAT(restarts, ElementsAre(HasSubstr("no bestmove")));
  start_engine();
  EXPECT_THAT(to_engine(), Contains("go movetime 400"));
}

TEST_F(BridgeTest, AnEngineThatNeverGetsReadyRejectsTheGame) {
  begin_anew(x1());
  hear(summary('+', kMinutes));
  wait(30'000);  // keep-alive
  wait(30'000);
  EXPECT_THAT(to_server(), ElementsAre("", "REJECT"));
  EXPECT_THAT(restarts, ElementsAre(HasSubstr("no readyok")));
  hear({"REJECT:x by A"});
  EXPECT_THAT(to_server(), ElementsAre("%%GAME test-10-1 +"));
}

// ---- servers that misbehave ----

TEST_F(BridgeTest, AnImpossibleMoveOfTheServerStopsTheEngineOnly) {
  play();
  says("bestmove 7g7f");
  hear({"+7776FU,T1", "-5554FU,T1"});
  EXPECT_THAT(warnings, IsEmpty());
  take();
  EXPECT_THAT(warnings, Contains(HasSubstr("impossible here: -5554FU,T1")));
  to_server();
  says("bestmove 2g2f");
  EXPECT_THAT(to_server(), IsEmpty());
  hear({"#ILLEGAL_MOVE", "#WIN"});
  take();
  EXPECT_THAT(results, ElementsAre("win #ILLEGAL_MOVE"));
}

// ---- pace and rest ----

TEST_F(BridgeTest, KeepsThePaceWithHalfOfWhatTheClockAllowsAtMost) {
  begin('+', time_block(0, 0, 0), {.unlimited = usi::GoLimits{.movetime_ms = 400}, .min_move_ms = 1'000});
  now += 400;
  says("bestmove 7g7f");
  EXPECT_THAT(to_server(), IsEmpty());
  EXPECT_EQ(bridge->deadline(), now + 600);
  wait(600);
  EXPECT_THAT(to_server(), ElementsAre("+7776FU"));

  begin('+', time_block(0, 4, 0), {.min_move_ms = 3'000});
  says("bestmove 7g7f");
  EXPECT_EQ(bridge->deadline(), now + 2'000);
  wait(2'000);
  EXPECT_THAT(to_server(), ElementsAre("+7776FU"));
}

TEST_F(BridgeTest, ThePaceDiffersByPositionWithinItsBounds) {
  std::set<std::int64_t> paces;
  for (const char* opening : {"+7776FU", "+2726FU", "+5756FU", "+1716FU"}) {
    begin('-', time_block(300, 0, 0), {.min_move_ms = 1'000, .more_move_ms = 3'000});
    hear({std::string(opening) + ",T1"});
    says("bestmove 3c3d");
    paces.insert(bridge->deadline() - now);
  }
  EXPECT_EQ(paces.size(), 4U);
  EXPECT_GE(*paces.begin(), 1'000);
  EXPECT_LE(*paces.rbegin(), 4'000);
}

TEST_F(BridgeTest, RestsAfterAGameBeforeItWaitsForAnotherOne) {
  Bridge::Config config = x1();
  config.rest_ms = 10'000;
  play('-', config);
  hear(kWon);
  EXPECT_THAT(to_server(), IsEmpty());
  EXPECT_EQ(bridge->deadline(), now + 10'000);
  wait(4'000);
  bridge->set_open(false, now);
  bridge->set_open(true, now);
  wait(5'999);
  EXPECT_THAT(to_server(), IsEmpty());
  wait(1);
  EXPECT_THAT(to_server(), ElementsAre("%%GAME test-10-1 +"));
  wait(10'000);
  EXPECT_THAT(to_server(), IsEmpty()) << "once";

  play('-', config);
  bridge->set_open(false, now);
  hear(kWon);
  wait(10'000);
  EXPECT_THAT(to_server(), IsEmpty()) << "it is kept out of the lobby";
  bridge->set_open(true, now);
  EXPECT_THAT(to_server(), ElementsAre("%%GAME test-10-1 +"));
}

}  // namespace
}  // namespace fuhyo::host
