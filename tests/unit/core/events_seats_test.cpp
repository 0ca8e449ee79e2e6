// Built-in players in events: what only the server's own queue for seats keeps away is here; what is gone has lost.
#include "tests/unit/core/event_test.h"

namespace fuhyo::test {
namespace {

using core::Outcome;
using namespace core::tournament;

constexpr core::ConnId kOni{900}, kTengu{901};

class Seats : public EventTest {
 protected:
  void start() {
    EventTest::start();
    advance_s(60);
  }
  // ann is there; oni waits for a seat.
  void begin_with_oni(const std::string& game = "cup-900-0") {
    begin({"ann", "oni"});
    host.come_x1("ann");
    seat(kOni, "oni", game);
  }
  // ... and the first round is due.
  void start_with_oni() {
    begin_with_oni();
    start();
  }
  void expect_lost_by(std::string_view loser) const {
    ASSERT_THAT(host.results(), SizeIs(1));
    EXPECT_EQ(host.results()[0].outcome, lost_by(host.results()[0], loser));
  }
  // After so long and no sooner, one has lost by not being there.
  void expect_forfeit_after(std::int64_t s, std::string_view loser) {
    advance_s(s - 1);
    EXPECT_THAT(host.results(), IsEmpty());
    advance_s(1);
    expect_lost_by(loser);
    EXPECT_EQ(host.results().at(0).how, How::forfeit);
  }
  // Logs in, and has no seat yet.
  void seat(core::ConnId conn, const std::string& name, const std::string& game) {
    open_builtin(server(), conn, name);
    if (!game.empty()) server().deliver(core::Awaits{.conn = conn, .game = game});
    say(conn, fmt::format("LOGIN {} pw x1", name));
  }
  void say(core::ConnId conn, const std::string& text) { say_builtin(server(), conn, text); }
  void take_away(core::ConnId conn) { server().deliver(core::Closed{conn, "the engine was taken away"}); }
  Outcome lost_by(const GameResult& result, std::string_view player) const {
    return result.black == player ? Outcome::white_wins : Outcome::black_wins;
  }
  std::string where(std::string_view player) {
    for (const auto& row : server().admin("tournament cup").rows) {
      if (row.front() == player) return row.back();
    }
    return "nowhere";
  }
};

TEST_F(Seats, WhoWaitsForASeatLosesNothing) {
  begin_with_oni();
  EXPECT_EQ(where("oni"), "waits for a seat");
  start();
  advance_s(3 * 3600);
  EXPECT_THAT(host.results(), IsEmpty());
  EXPECT_THAT(host.open_games(), IsEmpty());
  say(kOni, "%%GAME cup-900-0 *");
  EXPECT_THAT(host.open_games(), SizeIs(1));
}

TEST_F(Seats, WhoIsGivenNoSeatBetweenTwoGamesLosesNothing) {
  begin_with_oni();
  say(kOni, "%%GAME cup-900-0 *");
  start();
  ASSERT_THAT(host.open_games(), SizeIs(1));
  EXPECT_THAT(where("oni"), HasSubstr("plays"));
  say(kOni, "REJECT");
  say(kOni, "%%GAME");
  advance_s(700);
  EXPECT_THAT(host.results(), IsEmpty());
}

TEST_F(Seats, TwoWhoWaitForSeatsLoseNothing) {
  begin({"oni", "tengu"});
  seat(kOni, "oni", "cup-900-0");
  seat(kTengu, "tengu", "cup-900-0");
  start();
  advance_s(700);
  EXPECT_THAT(host.results(), IsEmpty());
  say(kTengu, "%%GAME cup-900-0 *");
  say(kOni, "%%GAME cup-900-0 *");
  EXPECT_THAT(host.open_games(), SizeIs(1));
}

TEST_F(Seats, WhoIsMissingLosesToOneThatWaitsForASeat) {
  begin({"ann", "oni"});
  seat(kOni, "oni", "cup-900-0");
  start();
  expect_forfeit_after(600, "ann");
}

TEST_F(Seats, WhoIsTakenAwayHasLostAfterTheWholeTime) {
  start_with_oni();
  advance_s(10'000);
  take_away(kOni);
  expect_forfeit_after(600, "oni");
}

TEST_F(Seats, WhoIsTakenAwayAndSeatedAgainLosesNothing) {
  start_with_oni();
  advance_s(1'000);
  take_away(kOni);
  advance_s(599);
  seat(kTengu, "oni", "cup-900-0");
  advance_s(1'000);
  EXPECT_THAT(host.results(), IsEmpty());
}

TEST_F(Seats, WhoGoesWhileTheOtherWaitsForASeatHasTheWholeTime) {
  for (const bool hangs_up : {true, false}) {
    host = EventHost();
    start_with_oni();
    advance_s(10'000);
    if (hangs_up) {
      server().hang_up("ann");
    } else {
      server().say("ann", "%%GAME");
    }
    expect_forfeit_after(600, "ann");
  }
}

TEST_F(Seats, WhoIsMeantForAnotherGameIsMissing) {
  for (const char* game : {"", "other-900-0", "cup", "cups-900-0"}) {
    host = EventHost();
    begin_with_oni(game);
    EXPECT_EQ(where("oni"), "elsewhere") << game;
    start();
    advance_s(600);
    SCOPED_TRACE(game);
    expect_lost_by("oni");
  }
}

TEST_F(Seats, NobodyElseCanSayThatItIsHeldBack) {
  begin({"ann", "bob"});
  host.come_x1("ann");
  server().login_x1("bob");
  for (std::uint64_t conn = 0; conn < 10; ++conn) {
    server().deliver(core::Awaits{.conn = core::ConnId{conn}, .game = "cup-900-0"});
  }
  start();
  advance_s(600);
  expect_lost_by("bob");
}

TEST_F(Seats, WhoHasWithdrawnHasLost) {
  start_with_oni();
  advance_s(1'000);
  done("withdraw cup oni");
  expect_lost_by("oni");
  EXPECT_EQ(where("oni"), "withdrawn");
}

TEST_F(Seats, WhoHasWithdrawnIsNotWaitedFor) {
  begin({"ann", "cat", "oni"});
  for (const char* name : {"ann", "cat"}) host.come_x1(name);
  seat(kOni, "oni", "cup-900-0");
  start();
  while (host.results().empty() && !host.open_games().empty()) {  // until a round has a game of his
    host.play_all();
    advance_s(130);
  }
  const auto paired = host.decided<RoundPaired>().back();
  done("withdraw cup oni");
  const std::size_t before = host.results().size();
  done(fmt::format("replay cup {}.1", paired.round));
  advance_s(600);
  ASSERT_GT(host.results().size(), before + 1);
  EXPECT_EQ(host.results().back().how, How::forfeit);
  EXPECT_EQ(host.results().back().outcome, lost_by(host.results().back(), "oni"));
}

TEST_F(Seats, WhoWaitsForASeatHasEnteredAnOpenEvent) {
  begin({});
  seat(kOni, "oni", "cup-900-0");
  host.come_x1("ann");
  ASSERT_THAT(host.decided<Entered>(), SizeIs(2));
  EXPECT_EQ(host.decided<Entered>()[0].entrant.player, "oni");
}

TEST_F(Seats, WhoWaitedForASeatBeforeTheEventWasAnnouncedHasEntered) {
  seat(kOni, "oni", "cup-900-0");
  begin({});
  EXPECT_THAT(host.decided<Entered>(), SizeIs(1));
}

}  // namespace
}  // namespace fuhyo::test
