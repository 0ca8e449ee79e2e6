// Players who are away: the grace time after a broken line, games that go on after the end of the server, what a client
// is told of its clock, tokens. Clocks are followed by two kinds of clients, as the protocol leaves it open whether the
// T of moves in a Game_Summary is off the Total_Time.
#include <charconv>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <utility>

#include "server/core/game.h"
#include "tests/support/virtual_server.h"

namespace fuhyo::test {
namespace {

using core::ResumeRule;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Lines = std::vector<std::string>;

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

template <class F>
std::vector<F> facts(const VirtualServer& server) {
  std::vector<F> found;
  for (const core::Journaled& row : server.journal()) {
    if (const auto* fact = std::get_if<F>(&row.fact)) found.push_back(*fact);
  }
  return found;
}

void log_in_csa(VirtualServer& server, const std::string& client, std::string_view name, std::string_view secret,
                std::string_view game = "g-300-10") {
  server.open(client);
  server.say(client, fmt::format("LOGIN {} {},{}", name, game, secret));
}

// Black A (secret "a") against white B (secret "b"), agreed to and started; nothing heard so far is kept.
void start_csa_game(VirtualServer& server, std::string_view game = "g-300-10") {
  server.open("A");
  server.open("B");
  server.say("A", fmt::format("LOGIN A {}-B,a", game));
  server.say("B", fmt::format("LOGIN B {}-W,b", game));
  server.say("A", "AGREE");
  server.say("B", "AGREE");
  server.heard("A");
  server.heard("B");
}

// What a store gives back of a server that was killed.
core::Recovery after_crash(const VirtualServer& server) {
  core::Recovery recovery;
  std::set<core::GameId> over;
  for (const core::Journaled& row : server.journal()) {
    if (row.seq > server.durable()) break;
    if (std::holds_alternative<core::GameEnded>(row.fact) || std::holds_alternative<core::GameRejected>(row.fact))
      over.insert(core::game_of(row.fact));
  }
  for (const core::Journaled& row : server.journal()) {
    const core::GameId game = core::game_of(row.fact);
    if (row.seq <= server.durable() && game != core::GameId{} && !over.contains(game)) recovery.live.push_back(row);
  }
  recovery.last = server.durable();
  recovery.last_game = core::GameId{9};
  recovery.last_stamp = 20261121041441;
  return recovery;
}

std::string value_of(const Lines& lines, std::string_view key) {
  for (const std::string& line : lines) {
    if (line.starts_with(key)) return line.substr(key.size());
  }
  return "(none)";
}

int number(std::string_view text) {
  int n = -1;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

// A client's idea of its own clock: Total_Time of the summary, the T of its own moves off it (those of the summary too,
// if it deducts them), Increment on top of each move it makes.
class ClientClock {
 public:
  ClientClock(char sign, bool deducts) : sign_(sign), deducts_(deducts) {}

  void hear(const Lines& lines) {
    for (const std::string& line : lines) {
      if (line == "BEGIN Game_Summary") in_summary_ = true;
      if (line == "END Game_Summary") in_summary_ = false;
      if (line.starts_with("Total_Time:")) left_s_ = number(line.substr(11));
      if (line.starts_with("Increment:")) increment_s_ = number(line.substr(10));
      const auto t = line.find(",T");
      if (t == line.npos || line.front() != sign_ || (in_summary_ && !deducts_)) continue;
      left_s_ = std::max(0, left_s_ + (in_summary_ ? 0 : increment_s_) - number(line.substr(t + 2)));
    }
  }
  int left_s() const { return left_s_; }

 private:
  char sign_;
  bool deducts_, in_summary_ = false;
  int left_s_ = -1, increment_s_ = 0;
};

// ---- a line that breaks ----

TEST(Grace, WithoutItWhoseLineBreaksHasLostAtOnce) {
  VirtualServer server(rules_with(ResumeRule::position));
  start_csa_game(server);
  server.hang_up("A");
  EXPECT_THAT(server.heard("B"), ElementsAre("%TORYO", "#RESIGN", "#WIN", "[EOF]"));
}

TEST(Grace, TheGameGoesOnAndThePlayerComesBackToIt) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server);
  server.say("A", "+7776FU");
  server.heard("B");
  server.hang_up("A");
  EXPECT_THAT(server.heard("B"), IsEmpty());
  server.advance(59'000);
  log_in_csa(server, "A2", "A", "a", "other-60-0");
  const Lines told = server.heard("A2");
  EXPECT_EQ(told.at(0), "LOGIN:A OK");
  EXPECT_EQ(value_of(told, "Game_ID:"), "ev+g-300-10+A+B+20261121041440")
      << "the game that waits, whatever it asked for";
  EXPECT_EQ(value_of(told, "Your_Turn:"), "+");
  EXPECT_EQ(value_of(told, "To_Move:"), "-");
  EXPECT_THAT(told, Contains("+7776FU,T0"));
  server.say("A2", "AGREE");
  EXPECT_THAT(server.heard("A2"), ElementsAre("START:ev+g-300-10+A+B+20261121041440"));
  server.say("B", "-3334FU");
  EXPECT_THAT(server.heard("A2"), ElementsAre("-3334FU,T59"));
  server.advance(60'000);
  EXPECT_THAT(facts<core::GameEnded>(server), IsEmpty()) << "he is back: nothing is due any more";
  server.say("A2", "+2726FU");
  EXPECT_THAT(server.heard("B"), Contains("+2726FU,T60"));
}

TEST(Grace, WhoDoesNotComeBackInTimeHasLost) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server);
  server.hang_up("B");
  server.advance(59'999);
  EXPECT_THAT(server.heard("A"), IsEmpty());
  server.advance(1);
  EXPECT_THAT(server.heard("A"), ElementsAre("%TORYO", "#RESIGN", "#WIN", "[EOF]"));
  EXPECT_EQ(facts<core::GameEnded>(server).at(0).kind, core::EndKind::abnormal);
  EXPECT_EQ(facts<core::GameEnded>(server).at(0).reason, "did not come back");
  log_in_csa(server, "B2", "B", "b");
  EXPECT_THAT(server.heard("B2"), ElementsAre("LOGIN:B OK")) << "the game is over; he waits for another one";
}

TEST(Grace, ComingBackWithoutAgreeingIsNotComingBack) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server);
  server.hang_up("B");
  server.advance(59'000);
  log_in_csa(server, "B2", "B", "b");
  server.heard("B2");
  server.advance(119'999);
  EXPECT_THAT(server.heard("B2"), IsEmpty()) << "AGREE has its time";
  server.advance(1);
  EXPECT_THAT(server.heard("B2"),
              ElementsAre("REJECT:ev+g-300-10+A+B+20261121041440 by the Server (game over)", "[EOF]"));
  EXPECT_THAT(server.heard("A"), ElementsAre("%TORYO", "#RESIGN", "#WIN", "[EOF]"));
}

TEST(Grace, BothAwayEndsWithoutAResult) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server);
  server.hang_up("A");
  server.advance(10'000);
  server.hang_up("B");
  server.advance(50'000);
  ASSERT_EQ(facts<core::GameEnded>(server).size(), 1u);
  EXPECT_EQ(facts<core::GameEnded>(server).at(0).outcome, core::Outcome::none);
  EXPECT_EQ(facts<core::GameEnded>(server).at(0).kind, core::EndKind::chudan);
}

TEST(Grace, TheClockOfTheAbsentMoverRunsAndItsFlagFalls) {
  VirtualServer server(rules_with(ResumeRule::abort, 600));
  start_csa_game(server, "g-20-0");
  server.advance(5'000);
  server.hang_up("A");
  server.advance(14'999);
  EXPECT_THAT(server.heard("B"), IsEmpty());
  server.advance(1);
  EXPECT_THAT(server.heard("B"), ElementsAre("#TIME_UP", "#WIN", "[EOF]"));
}

TEST(Grace, AFlagThatWasBeingLookedAtStillFalls) {
  VirtualServer server(rules_with(ResumeRule::abort, 600));
  start_csa_game(server, "g-20-0");
  server.on_read_pass = [&](core::ConnId) {
    server.on_read_pass = nullptr;
    server.hang_up("A");  // the answer comes from nobody
  };
  server.advance(20'000);
  EXPECT_THAT(server.heard("B"), ElementsAre("#TIME_UP", "#WIN", "[EOF]"));
}

TEST(Grace, MovesMadeBetweenSummaryAndAgreeFollowTheStart) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server);
  server.say("A", "+7776FU");
  server.hang_up("A");
  log_in_csa(server, "A2", "A", "a");
  server.heard("A2");
  server.say("B", "-3334FU");
  EXPECT_THAT(server.heard("A2"), IsEmpty());
  server.say("A2", "AGREE");
  EXPECT_THAT(server.heard("A2"), ElementsAre("START:ev+g-300-10+A+B+20261121041440", "-3334FU,T0"));
}

TEST(Grace, WhatTheBrokenLineSaidLastIsVoidOnceAnotherSummaryWasTold) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server);
  server.say("A", "+7776FU");
  server.hold_commits(true);
  server.say("B", "-3334FU");
  server.say("A", "+2726FU");  // waits for the disk
  server.hang_up("A");
  log_in_csa(server, "A2", "A", "a");
  server.hold_commits(false);
  server.commit();
  const Lines told = server.heard("A2");
  EXPECT_THAT(told, Contains("-3334FU,T0"));
  EXPECT_THAT(told, Not(Contains("+2726FU,T0")));
  EXPECT_EQ(facts<core::MoveMade>(server).size(), 2u);
  server.say("A2", "AGREE");
  server.say("A2", "+6978KI");
  EXPECT_THAT(server.heard("A2"), Contains("+6978KI,T0"));
}

TEST(Grace, WhatTheBrokenLineSaidLastCountsWhileNobodyCameBack) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server);
  server.say("A", "+7776FU");
  server.hold_commits(true);
  server.say("B", "-3334FU");
  server.say("A", "+2726FU");
  server.hang_up("A");
  server.hold_commits(false);
  server.commit();
  EXPECT_EQ(facts<core::MoveMade>(server).size(), 3u);
  EXPECT_THAT(server.heard("B"), Contains("+2726FU,T0"));
}

TEST(Grace, TheRightSecretTakesOverALineThatIsNotKnownToBeBroken) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server);
  log_in_csa(server, "thief", "A", "wrong");
  EXPECT_THAT(server.heard("thief"), ElementsAre("LOGIN:incorrect", "[EOF]"));
  EXPECT_TRUE(server.is_open("A"));
  log_in_csa(server, "A2", "A", "a");
  EXPECT_FALSE(server.is_open("A"));
  server.say("A", "+7776FU");
  server.say("A2", "AGREE");
  EXPECT_THAT(facts<core::MoveMade>(server), IsEmpty()) << "one writer";
  server.say("A2", "+7776FU");
  EXPECT_EQ(facts<core::MoveMade>(server).size(), 1u);
}

TEST(Grace, AnotherSecretDoesNotGetTheSeat) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server);
  server.hang_up("A");
  log_in_csa(server, "thief", "A", "wrong");
  EXPECT_THAT(server.heard("thief"), ElementsAre("LOGIN:A OK")) << "the name is free, the seat is not";
  server.hang_up("thief");
  log_in_csa(server, "A2", "A", "a");
  EXPECT_THAT(server.heard("A2"), Contains("BEGIN Game_Summary"));
}

TEST(Grace, FlappingKeepsOneSessionAndTheSeat) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server, "g-3000-0");
  for (int i = 0; i < 100; ++i) {
    const std::string client = "A" + std::to_string(i);
    log_in_csa(server, client, "A", "a");
    if (i % 3 == 0) server.say(client, "AGREE");
    if (i % 5 == 0) server.hang_up(client);
    server.advance(700);
  }
  EXPECT_EQ(server.server().sessions(), 2u);
  server.say("A99", "AGREE");
  server.say("A99", "+7776FU");
  EXPECT_THAT(server.heard("B"), ElementsAre("+7776FU,T70"));
}

TEST(Grace, LogoutIsNoBrokenLine) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server);
  server.say("A", "LOGOUT");
  EXPECT_THAT(server.heard("B"), ElementsAre("%TORYO", "#RESIGN", "#WIN", "[EOF]"));
}

TEST(Grace, RefusingToGoOnLoses) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server);
  server.hang_up("A");
  log_in_csa(server, "A2", "A", "a");
  server.heard("A2");
  server.say("A2", "REJECT");
  EXPECT_THAT(server.heard("A2"),
              ElementsAre("REJECT:ev+g-300-10+A+B+20261121041440 by the Server (game over)", "[EOF]"));
  EXPECT_THAT(server.heard("B"), ElementsAre("%TORYO", "#RESIGN", "#WIN", "[EOF]"));
}

TEST(Grace, ThePlayerIsSeatedAgainInExtendedModeToo) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  server.start_game("A", "B");
  server.hang_up("A");
  EXPECT_THAT(server.heard("B"), ElementsAre("##[ADMIN] A is away, and may come back within 60 s"));
  server.open("A2");
  server.say("A2", "LOGIN A pwA x1");
  server.say("A2", "%%GAME g-300-10 *");  // as such clients do; it has a game already
  EXPECT_THAT(server.heard("A2"), Contains("##[ERROR] you are in agree_waiting status. GAME is valid in connected or "
                                           "game_waiting status"));
  server.say("A2", "AGREE");
  EXPECT_THAT(server.heard("A2"), Contains(testing::StartsWith("START:")));
  EXPECT_THAT(server.heard("B"), ElementsAre("##[ADMIN] A is back"));
}

TEST(Grace, TheRecordSaysWhoWasAway) {
  VirtualServer server(rules_with(ResumeRule::abort, 60));
  start_csa_game(server);
  server.hang_up("A");
  log_in_csa(server, "A2", "A", "a");
  server.say("A2", "AGREE");
  const auto notes = facts<core::RecordNote>(server);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].text, "A is away");
  EXPECT_EQ(notes[1].text, "A is back");
}

// ---- what a client is told of its clock ----

class OwnClock : public testing::TestWithParam<std::pair<const char*, bool>> {};

TEST_P(OwnClock, StaysRightThroughBrokenLines) {
  const auto [game, deducts] = GetParam();
  VirtualServer server(rules_with(ResumeRule::abort, 600));
  start_csa_game(server, game);
  ClientClock black('+', deducts);
  const auto truth = [&](std::size_t of) {
    const auto moves = facts<core::MoveMade>(server);
    return moves.at(of).remaining_s;
  };
  server.advance(7'300);
  server.say("A", "+7776FU");  // T7
  server.advance(4'900);
  server.say("B", "-3334FU");
  server.advance(5'200);
  server.hang_up("A");  // in the middle of its turn
  server.advance(3'100);
  log_in_csa(server, "A2", "A", "a");
  server.say("A2", "AGREE");
  black.hear(server.heard("A2"));
  EXPECT_EQ(black.left_s(), truth(0) - 9) << "8.3 s of the turn are gone: never told more than there is";
  server.advance(2'700);
  server.say("A2", "+2726FU");  // 11.0 s
  EXPECT_THAT(server.heard("B"), Contains("+2726FU,T11")) << "the others hear the whole turn";
  black.hear(server.heard("A2"));
  EXPECT_EQ(black.left_s(), truth(2));
  EXPECT_EQ(facts<core::MoveMade>(server).at(2).spent_s, 11) << "the record keeps the true time";
  server.say("B", "-8384FU");
  server.advance(1'500);
  server.say("A2", "+2625FU");
  black.hear(server.heard("A2"));
  EXPECT_EQ(black.left_s(), truth(4));
}

INSTANTIATE_TEST_SUITE_P(Clients, OwnClock,
                         testing::Values(std::pair("g-300-0", false), std::pair("g-300-0", true),
                                         std::pair("g-300-10", false), std::pair("g-300-10", true),
                                         std::pair("g-300-5F", false), std::pair("g-300-5F", true)));

TEST(OwnClock, AMoveWithinTheSecondOfComingBackCostsTheTruthAndNeverMore) {
  VirtualServer server(rules_with(ResumeRule::abort, 600));
  start_csa_game(server, "g-300-0");
  ClientClock black('+', false);
  server.advance(2'200);
  server.hang_up("A");
  log_in_csa(server, "A2", "A", "a");
  server.say("A2", "AGREE");
  server.advance(300);
  server.say("A2", "+7776FU");  // 2.5 s: T2, although 3 were told to be gone
  const Lines told = server.heard("A2");
  EXPECT_EQ(told.back(), "+7776FU,T0");
  black.hear(told);
  EXPECT_EQ(facts<core::MoveMade>(server).at(0).remaining_s, 298);
  EXPECT_EQ(black.left_s(), 297) << "a second less than there is, never more";
}

TEST(OwnClock, InByoyomiNoMoreThanTheRestCanBeTold) {
  VirtualServer server(rules_with(ResumeRule::abort, 600));
  start_csa_game(server, "g-5-30");
  server.advance(20'000);
  server.hang_up("A");
  log_in_csa(server, "A2", "A", "a");
  const Lines told = server.heard("A2");
  EXPECT_EQ(value_of(told, "Total_Time:"), "0");
  EXPECT_EQ(value_of(told, "Byoyomi:"), "30") << "as of every later move; of this one 15 s are left";
  server.say("A2", "AGREE");
  server.advance(14'999);
  server.say("A2", "+7776FU");
  EXPECT_THAT(server.heard("A2"), Contains("+7776FU,T29")) << "34 s, of which the 5 of Total_Time were told to be gone";
}

TEST(OwnClock, AStopWatchIsToldInWholeUnits) {
  VirtualServer server(rules_with(ResumeRule::abort, 6000));
  start_csa_game(server, "g-900-060");
  server.advance(61'000);
  server.hang_up("A");
  log_in_csa(server, "A2", "A", "a");
  const Lines told = server.heard("A2");
  EXPECT_EQ(value_of(told, "Time_Unit:"), "1min");
  EXPECT_EQ(value_of(told, "Total_Time:"), "13") << "15 min less a begun second minute";
}

TEST(OwnClock, AsPlayedTellsTheTimesAsTheyWere) {
  core::Rules rules = rules_with(ResumeRule::abort, 60);
  rules.times_as_played = true;
  VirtualServer server(rules);
  start_csa_game(server);
  server.advance(12'000);
  server.say("A", "+7776FU");
  server.hang_up("A");
  log_in_csa(server, "A2", "A", "a");
  const Lines told = server.heard("A2");
  EXPECT_EQ(value_of(told, "Total_Time:"), "300");
  EXPECT_THAT(told, Contains("+7776FU,T12"));
}

// ---- the end of the server ----

TEST(Resume, BothPlayersComeBackAndTheGameGoesOn) {
  core::Recovery recovery;
  {
    VirtualServer server(rules_with(ResumeRule::position));
    start_csa_game(server);
    server.advance(8'000);
    server.say("A", "+7776FU");
    server.advance(20'000);
    recovery = after_crash(server);
  }
  VirtualServer server(rules_with(ResumeRule::position), {}, recovery);
  EXPECT_EQ(facts<core::GameSuspended>(server).at(0).used_us, 0) << "nobody knows what the crash interrupted";
  EXPECT_EQ(server.server().games("main"), 0u);
  server.advance(60'000);
  log_in_csa(server, "B", "B", "b");
  const Lines white = server.heard("B");
  EXPECT_EQ(value_of(white, "Total_Time:"), "300") << "the time of the crash is charged to nobody";
  EXPECT_THAT(white, Contains("+7776FU,T0"));
  server.say("B", "AGREE");
  EXPECT_THAT(server.heard("B"), IsEmpty()) << "the other one is not there";
  server.advance(59'000);
  log_in_csa(server, "A", "A", "a");
  EXPECT_EQ(value_of(server.heard("A"), "Total_Time:"), "292") << "each his own";
}

TEST(Resume, TheTurnThatWasInterruptedBeginsWhenBothAreBack) {
  core::Recovery recovery;
  {
    VirtualServer server(rules_with(ResumeRule::position));
    start_csa_game(server);
    server.say("A", "+7776FU");
    recovery = after_crash(server);
  }
  VirtualServer server(rules_with(ResumeRule::position), {}, recovery);
  log_in_csa(server, "A", "A", "a");
  log_in_csa(server, "B", "B", "b");
  server.say("B", "AGREE:ev+g-300-10+A+B+20261121041440");
  server.advance(30'000);
  server.say("A", "AGREE");
  server.heard("A");
  EXPECT_THAT(server.heard("B"), Contains("START:ev+g-300-10+A+B+20261121041440"));
  ASSERT_EQ(facts<core::GameContinued>(server).size(), 1u);
  EXPECT_EQ(server.server().games("main"), 1u);
  server.advance(3'500);
  server.say("B", "-3334FU");
  EXPECT_THAT(server.heard("A"), ElementsAre("-3334FU,T3"));
  server.advance(310'000);
  EXPECT_THAT(server.heard("B"), Contains("#TIME_UP")) << "flags fall as ever";
}

TEST(Resume, OneWhoComesBackAloneWins) {
  core::Recovery recovery;
  {
    VirtualServer server(rules_with(ResumeRule::position));
    start_csa_game(server);
    recovery = after_crash(server);
  }
  VirtualServer server(rules_with(ResumeRule::position), {}, recovery);
  log_in_csa(server, "B", "B", "b");
  server.say("B", "AGREE");
  server.heard("B");
  server.advance(119'999);
  EXPECT_THAT(server.heard("B"), IsEmpty());
  server.advance(1);
  EXPECT_THAT(server.heard("B"),
              ElementsAre("START:ev+g-300-10+A+B+20261121041440", "%TORYO", "#RESIGN", "#WIN", "[EOF]"));
  EXPECT_EQ(facts<core::GameEnded>(server).at(0).outcome, core::Outcome::white_wins);
}

TEST(Resume, IfNobodyComesItCountsForNobody) {
  core::Recovery recovery;
  {
    VirtualServer server(rules_with(ResumeRule::position));
    start_csa_game(server);
    recovery = after_crash(server);
  }
  core::Rules rules = rules_with(ResumeRule::position);
  rules.resume_window_us = 5 * core::kSecond;
  VirtualServer server(rules, {}, recovery);
  server.advance(4'999);
  EXPECT_THAT(facts<core::GameEnded>(server), IsEmpty());
  server.advance(1);
  EXPECT_EQ(facts<core::GameEnded>(server).at(0).outcome, core::Outcome::none);
}

TEST(Resume, AbortIsDecidedWhenTheGameIsOpenedNotWhenTheServerComesBack) {
  core::Recovery recovery;
  {
    VirtualServer server(rules_with(ResumeRule::abort));
    start_csa_game(server);
    recovery = after_crash(server);
  }
  VirtualServer server(rules_with(ResumeRule::position), {}, recovery);
  EXPECT_EQ(facts<core::GameEnded>(server).at(0).kind, core::EndKind::chudan);
}

TEST(Resume, AGameThatAwaitsAVerdictSeatsNobodyUntilTheHostSaysSo) {
  core::Recovery recovery;
  {
    VirtualServer server(rules_with(ResumeRule::adjudicate));
    start_csa_game(server);
    recovery = after_crash(server);
  }
  VirtualServer server(rules_with(ResumeRule::adjudicate), {}, recovery);
  log_in_csa(server, "A", "A", "a");
  EXPECT_THAT(server.heard("A"), ElementsAre("LOGIN:A OK"));
  server.advance(3'600'000);
  EXPECT_THAT(facts<core::GameEnded>(server), IsEmpty());
  EXPECT_EQ(server.admin("games").rows.at(0).at(1), "awaits a verdict");
  EXPECT_TRUE(server.admin("resume 1").ok);
  EXPECT_THAT(server.heard("A"), Contains("BEGIN Game_Summary")) << "he is here";
  log_in_csa(server, "B", "B", "b");
  server.say("A", "AGREE");
  server.say("B", "AGREE");
  EXPECT_EQ(server.admin("games").rows.at(0).at(1), "running");
}

TEST(Resume, AVerdictEndsAGameThatAwaitsOne) {
  core::Recovery recovery;
  {
    VirtualServer server(rules_with(ResumeRule::adjudicate));
    start_csa_game(server);
    recovery = after_crash(server);
  }
  VirtualServer server(rules_with(ResumeRule::adjudicate), {}, recovery);
  EXPECT_TRUE(server.admin("adjudicate 1 white power cut at a lost position").ok);
  EXPECT_EQ(facts<core::GameEnded>(server).at(0).outcome, core::Outcome::white_wins);
}

TEST(Resume, TheTimeUsedIsKnownAfterAnOrderlyStop) {
  core::Recovery recovery;
  {
    VirtualServer server(rules_with(ResumeRule::position));
    start_csa_game(server);
    server.advance(7'400);
    server.deliver(core::Stop{});
    EXPECT_TRUE(server.drained());
    EXPECT_EQ(facts<core::GameSuspended>(server).at(0).used_us, 7'400'000);
    server.hang_up("A");
    server.hang_up("B");
    EXPECT_THAT(facts<core::GameEnded>(server), IsEmpty());
    recovery = after_crash(server);
  }
  VirtualServer server(rules_with(ResumeRule::position), {}, recovery);
  EXPECT_THAT(facts<core::GameSuspended>(server), IsEmpty()) << "it stands already";
  log_in_csa(server, "A", "A", "a");
  log_in_csa(server, "B", "B", "b");
  EXPECT_EQ(value_of(server.heard("A"), "Total_Time:"), "292");
  EXPECT_EQ(value_of(server.heard("B"), "Total_Time:"), "300");
  server.say("A", "AGREE");
  server.say("B", "AGREE");
  server.advance(1'600);
  server.say("A", "+7776FU");
  EXPECT_EQ(facts<core::MoveMade>(server).at(0).spent_s, 9);
  EXPECT_THAT(server.heard("A"), Contains("+7776FU,T1"));
  EXPECT_THAT(server.heard("B"), Contains("+7776FU,T9"));
}

TEST(Resume, StopEndsGamesWhoseRuleIsToAbortThem) {
  VirtualServer server(rules_with(ResumeRule::abort));
  start_csa_game(server);
  server.deliver(core::Stop{});
  EXPECT_THAT(server.heard("A"), ElementsAre("#CHUDAN", "[EOF]"));
  EXPECT_TRUE(server.drained());
}

TEST(Resume, StopSaysWhenItsFactsAreDurable) {
  VirtualServer server(rules_with(ResumeRule::position));
  start_csa_game(server);
  server.hold_commits(true);
  server.deliver(core::Stop{});
  EXPECT_FALSE(server.drained());
  server.commit();
  EXPECT_TRUE(server.drained());
}

TEST(Resume, AGameOfOneCrashSurvivesTheNextOnes) {
  core::Recovery recovery;
  std::vector<core::Journaled> all;
  {
    VirtualServer server(rules_with(ResumeRule::position));
    start_csa_game(server);
    server.say("A", "+7776FU");
    recovery = after_crash(server);
    all = recovery.live;
  }
  for (int crash = 0; crash < 3; ++crash) {
    VirtualServer server(rules_with(ResumeRule::position), {}, recovery);
    log_in_csa(server, "A", "A", "a");
    log_in_csa(server, "B", "B", "b");
    server.say("A", "AGREE");
    server.say("B", "AGREE");
    if (crash == 1) server.say("B", "-3334FU");
    recovery.last = server.durable();
    for (const core::Journaled& row : server.journal()) recovery.live.push_back(row);
  }
  VirtualServer server(rules_with(ResumeRule::position), {}, recovery);
  log_in_csa(server, "A", "A", "a");
  const Lines told = server.heard("A");
  EXPECT_THAT(told, Contains("-3334FU,T0"));
  EXPECT_EQ(value_of(told, "To_Move:"), "+");
}

TEST(Resume, WhatAnOperatorPausedStaysPaused) {
  core::Recovery recovery;
  {
    VirtualServer server(rules_with(ResumeRule::position));
    start_csa_game(server);
    server.advance(4'000);
    server.admin("pause A");
    recovery = after_crash(server);
  }
  VirtualServer server(rules_with(ResumeRule::position), {}, recovery);
  log_in_csa(server, "A", "A", "a");
  log_in_csa(server, "B", "B", "b");
  server.say("A", "AGREE");
  server.say("B", "AGREE");
  EXPECT_EQ(server.admin("games").rows.at(0).at(1), "paused");
  server.advance(1'000'000);
  EXPECT_TRUE(server.admin("resume A").ok);
  server.advance(1'000);
  server.say("A", "+7776FU");
  EXPECT_EQ(facts<core::MoveMade>(server).at(0).spent_s, 5) << "4 s before the pause";
}

TEST(Resume, BuiltInPlayersAreKnownByTheirNames) {
  core::Recovery recovery;
  const auto enter = [](VirtualServer& server, std::uint64_t conn, const std::string& name, const std::string& secret) {
    server.deliver(core::Opened{.conn = core::ConnId{conn}, .door = core::Door::builtin, .room = "demo", .peer = name});
    server.deliver(core::Line{.conn = core::ConnId{conn}, .text = fmt::format("LOGIN {} g-300-10,{}", name, secret)});
  };
  const auto say = [](VirtualServer& server, std::uint64_t conn, const std::string& text) {
    server.deliver(core::Line{.conn = core::ConnId{conn}, .text = text});
  };
  {
    VirtualServer server(rules_with(ResumeRule::position));
    enter(server, 101, "one", "s1");
    enter(server, 102, "two", "s1");
    say(server, 101, "AGREE");
    say(server, 102, "AGREE");
    ASSERT_EQ(facts<core::GameStarted>(server).size(), 1u);
    recovery = after_crash(server);
  }
  VirtualServer server(rules_with(ResumeRule::position), {}, recovery);
  enter(server, 103, "one", "another");
  enter(server, 104, "two", "another");
  say(server, 103, "AGREE");
  say(server, 104, "AGREE");
  EXPECT_EQ(facts<core::GameContinued>(server).size(), 1u) << testing::PrintToString(server.notes());
}

// ---- tokens ----

TEST(Token, IsToldWhereItIsOfUseAndBringsThePlayerBackWithoutAgreeing) {
  VirtualServer server(with_tokens(rules_with(ResumeRule::abort, 60)));
  server.open("A");
  server.open("B");
  server.say("A", "LOGIN A g-300-10-B,a");
  server.say("B", "LOGIN B g-300-10-W,b");
  const Lines summary = server.heard("A");
  const std::string token = value_of(summary, "Reconnect_Token:");
  EXPECT_EQ(token, "30A0000000000000000000000000000");
  EXPECT_EQ(*(summary.end() - 2), "Reconnect_Token:" + token) << "right before the end";
  server.say("A", "AGREE");
  server.say("B", "AGREE");
  server.advance(2'000);
  server.say("A", "+7776FU");
  server.advance(3'500);
  const std::string game = "ev+g-300-10+A+B+20261121041440";
  server.open("A2");
  server.say("A2", fmt::format("LOGIN A g-300-10-B,a reconnect:{}+{}", game, token));
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

TEST(Token, AWrongOneIsRefused) {
  VirtualServer server(with_tokens(rules_with(ResumeRule::abort, 60)));
  start_csa_game(server);
  for (const char* bad : {"reconnect:ev+g-300-10+A+B+20261121041440+00", "reconnect:nonsense", "reconnect:+",
                          "reconnect:ev+g-300-10+A+B+20261121041440+30B0000000000000000000000000000"}) {
    server.open("A2");
    server.say("A2", fmt::format("LOGIN A g-300-10-B,a {}", bad));
    server.advance(1000);
    EXPECT_THAT(server.heard("A2"), ElementsAre("LOGIN:incorrect")) << bad;
  }
  EXPECT_TRUE(server.is_open("A"));
}

TEST(Token, IsNotToldWhereNobodyMayComeBack) {
  VirtualServer server(with_tokens(rules_with(ResumeRule::abort)));
  server.open("A");
  server.open("B");
  server.say("A", "LOGIN A g-300-10-B,a");
  server.say("B", "LOGIN B g-300-10-W,b");
  EXPECT_EQ(value_of(server.heard("A"), "Reconnect_Token:"), "(none)");
}

TEST(Token, WorksAfterTheEndOfTheServer) {
  core::Recovery recovery;
  {
    VirtualServer server(with_tokens(rules_with(ResumeRule::position)));
    start_csa_game(server);
    server.say("A", "+7776FU");
    recovery = after_crash(server);
  }
  VirtualServer server(with_tokens(rules_with(ResumeRule::position)), {}, recovery);
  const std::string game = "ev+g-300-10+A+B+20261121041440";
  server.open("A");
  server.say("A", fmt::format("LOGIN A g-300-10-B,a reconnect:{}+30A0000000000000000000000000000", game));
  EXPECT_THAT(server.heard("A"), ElementsAre("LOGIN:A OK")) << "the clocks stand until the other one is there";
  log_in_csa(server, "B", "B", "b");
  server.say("B", "AGREE");
  EXPECT_EQ(server.heard("A").back(), "END Reconnect_State");
  EXPECT_EQ(server.heard("B").back(), "START:" + game);
}

// ---- a process that stood still ----

TEST(Stall, IsChargedToNobody) {
  VirtualServer server(rules_with(ResumeRule::abort));
  start_csa_game(server, "g-10-0");
  server.advance(4'000);
  const core::Instant from{server.now_ms() * 1000};
  server.deliver(core::Stalled{.from = from, .to = from + 7'000'000});
  server.advance(7'000);
  EXPECT_THAT(server.heard("A"), IsEmpty());
  server.advance(5'000);
  server.say("A", "+7776FU");
  EXPECT_THAT(server.heard("A"), ElementsAre("+7776FU,T9"));
  server.advance(9'999);
  EXPECT_THAT(server.heard("A"), IsEmpty());
  server.advance(1);
  EXPECT_THAT(server.heard("A"), Contains("#TIME_UP")) << "White's own 10 s";
}

}  // namespace
}  // namespace fuhyo::test
