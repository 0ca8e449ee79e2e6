// Built-in players that come when they are asked for.
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

class Serving : public ServerTest {
 protected:
  void seat(std::uint64_t conn, const std::string& name, const Lines& games) {
    open_builtin(server, core::ConnId{conn}, name);
    say(conn, fmt::format("LOGIN {} pw x1", name));
    serve(conn, games);
  }
  void serve(std::uint64_t conn, const Lines& games) {
    server.deliver(core::Serves{.conn = core::ConnId{conn}, .games = games});
  }
  void say(std::uint64_t conn, const std::string& text) { say_builtin(server, core::ConnId{conn}, text); }
  std::vector<core::GameOpened> games() const { return facts<core::GameOpened>(); }
};

TEST_F(Serving, AnswersAChallengeInAGameThatItServes) {
  seat(900, "oni", {"club-*", "cup-60-0"});
  server.login_x1("A");
  EXPECT_THAT(server.reply("A", "%%CHALLENGE other-300-10 +"), Contains("##[ERROR] can't find rival for other-300-10"));
  server.say("A", "%%CHALLENGE club-300-10 -");
  ASSERT_THAT(games(), SizeIs(1));
  EXPECT_EQ(games()[0].game_name, "club-300-10");
  EXPECT_EQ(games()[0].black.name, "oni");
  EXPECT_TRUE(games()[0].black.builtin);
  EXPECT_EQ(games()[0].white.name, "A");
  EXPECT_EQ(games()[0].time.total_s, 300);
}

TEST_F(Serving, PlaysWithWhoeverWaitsFirst) {
  for (const char* name : {"A", "B"}) {
    server.login_x1(name);
    server.say(name, "%%GAME club-300-10 +");
  }
  seat(900, "oni", {"club-*"});
  ASSERT_THAT(games(), SizeIs(1));
  EXPECT_EQ(games()[0].black.name, "A");
  seat(901, "ryu", {"club-*"});
  ASSERT_THAT(games(), SizeIs(2));
  EXPECT_EQ(games()[1].black.name, "B");
}

TEST_F(Serving, PeopleWhoWaitForEachOtherComeFirst) {
  server.login_x1("A");
  server.say("A", "%%GAME quiet-300-10 +");
  seat(900, "oni", {"club-*"});
  server.login_x1("B");
  server.say("B", "%%GAME quiet-300-10 -");
  ASSERT_THAT(games(), SizeIs(1));
  EXPECT_FALSE(games()[0].black.builtin || games()[0].white.builtin);
}

TEST_F(Serving, LeavesItsOwnQueueForAGuest) {
  seat(900, "oni", {"club-*"});
  say(900, "%%GAME own-60-0 +");
  server.login_x1("A");
  server.say("A", "%%GAME club-300-10 *");
  ASSERT_THAT(games(), SizeIs(1));
  server.login_x1("B");
  EXPECT_THAT(server.reply("B", "%%CHALLENGE own-60-0 -"), Contains("##[ERROR] can't find rival for own-60-0"));
}

TEST_F(Serving, WhatItServesNoMoreItDoesNotPlay) {
  seat(900, "oni", {"club-*"});
  serve(900, {});
  server.login_x1("A");
  server.say("A", "%%CHALLENGE club-300-10 +");
  EXPECT_THAT(games(), IsEmpty());
}

TEST_F(Serving, IsForBuiltInPlayersAlone) {
  seat(900, "oni", {"*"});
  seat(901, "ryu", {"*"});
  say(901, "%%GAME own-60-0 +");
  EXPECT_THAT(games(), IsEmpty()) << "they do not serve each other";
  seat(902, "new", {"*"});
  EXPECT_THAT(games(), IsEmpty());
  server.deliver(core::Serves{.conn = core::ConnId{12345}, .games = {"*"}});
  server.login_x1("A");
  server.say("A", "%%GAME floodgate-300-10F *");
  EXPECT_THAT(games(), IsEmpty()) << "its rounds pair it";
}

TEST_F(Serving, ComesToTheRoomOfTheGameThatItServes) {
  server.deliver(core::RoomsRead{.files = {{.name = "club", .settings = {"games=club-*", "time=600-5F"}},
                                           {.name = "closed", .settings = {"games=closed-*", "builtin=ryu"}}}});
  seat(900, "oni", {"*"});
  server.login_x1("A");
  server.say("A", "%%CHALLENGE closed-300-10 -");
  EXPECT_THAT(games(), IsEmpty()) << "the room has other built-in players";
  server.say("A", "%%CHALLENGE club-300-10 -");
  ASSERT_THAT(games(), SizeIs(1));
  EXPECT_EQ(games()[0].room, "club");
  EXPECT_EQ(games()[0].black.name, "oni");
  EXPECT_EQ(games()[0].time.total_s, 600);
}

TEST_F(Serving, ServesItsOwnRoomAloneIfItHasOne) {
  open_builtin(server, core::ConnId{900}, "oni", "dojo");
  say(900, "LOGIN oni pw x1");
  serve(900, {"*"});
  server.login_x1("A");
  server.say("A", "%%CHALLENGE club-300-10 -");
  EXPECT_THAT(games(), IsEmpty());
}

TEST_F(Serving, NobodyIsServedWhileTheServerEnds) {
  server.login_x1("A");
  server.say("A", "%%GAME club-300-10 +");
  server.deliver(core::Drain{});
  seat(900, "oni", {"club-*"});
  EXPECT_THAT(games(), IsEmpty());
}

class ServedRounds : public Serving, public testing::WithParamInterface<std::size_t> {};

TEST_P(ServedRounds, AnOddNumberIsFilledUp) {
  hold_rounds(server, "floodgate-300-10F", "every 30 min\nset pairing_factory matching\nset fill_with_builtin yes\n");
  seat(900, "oni", {"floodgate-*"});
  for (std::size_t i = 0; i < GetParam(); ++i) {
    const std::string name(1, static_cast<char>('A' + i));
    server.login_x1(name);
    server.say(name, "%%GAME floodgate-300-10F *");
  }
  EXPECT_THAT(games(), IsEmpty()) << "a group is paired in rounds";
  server.advance(30 * 60'000);
  ASSERT_THAT(games(), SizeIs((GetParam() + 1) / 2));
  const auto has_builtin = [](const core::GameOpened& game) { return game.black.builtin || game.white.builtin; };
  EXPECT_EQ(std::ranges::count_if(games(), has_builtin), static_cast<std::ptrdiff_t>(GetParam() % 2));
}

class ServedReturns : public Serving {
 protected:
  static constexpr std::string_view kGroup = "floodgate-7200-0";

  void SetUp() override {
    hold_rounds(server, kGroup,
                "every 30 min\nset pairing_factory matching\nset both_colours yes\nset fill_with_builtin yes\n"
                "set min_players 1\n");
    seat(900, "oni", {"floodgate-*"});
    server.login_x1("A");
    wait("A");
    hold();
  }
  void hold() { EXPECT_TRUE(server.admin(fmt::format("round {}", kGroup)).ok); }
  void wait(const std::string& name) { server.say(name, fmt::format("%%GAME {} *", kGroup)); }
  void say_as(const core::Seat& seat, const std::string& text) {
    if (seat.builtin) return say(900, text);
    server.say(seat.name, text);
  }
  void play(const core::GameOpened& game) {
    say_as(game.black, "AGREE");
    say_as(game.white, "AGREE");
    say_as(game.black, "%TORYO");
  }
  void expect_return_of(const core::GameOpened& first) const {
    const core::GameOpened second = games().back();
    EXPECT_EQ(second.black.name, first.white.name);
    EXPECT_EQ(second.white.name, first.black.name);
  }
};

TEST_F(ServedReturns, TheSecondGameIsPlayedWhenTheGuestWaitsAgain) {
  ASSERT_THAT(games(), SizeIs(1));
  const core::GameOpened first = games()[0];
  play(first);
  EXPECT_THAT(games(), SizeIs(1));
  wait("A");
  ASSERT_THAT(games(), SizeIs(2));
  expect_return_of(first);
  play(games()[1]);
  wait("A");
  EXPECT_THAT(games(), SizeIs(2)) << "the next one is of the next round";
}

TEST_F(ServedReturns, TheSecondGameIsPlayedWhenTheBuiltInPlayerIsFreeAgain) {
  const core::GameOpened first = games()[0];
  play(first);
  serve(900, {});
  wait("A");
  EXPECT_THAT(games(), SizeIs(1));
  serve(900, {"floodgate-*"});
  ASSERT_THAT(games(), SizeIs(2));
  expect_return_of(first);
}

TEST_F(ServedReturns, WhoGoesOnToTheNextRoundHasGivenItUp) {
  play(games()[0]);
  serve(900, {});
  wait("A");
  server.login_x1("B");
  wait("B");
  hold();
  ASSERT_THAT(games(), SizeIs(2)) << "A against B";
  serve(900, {"floodgate-*"});
  EXPECT_THAT(games(), SizeIs(2));
}

INSTANTIATE_TEST_SUITE_P(Players, ServedRounds, testing::Values(2, 3, 4, 5));

}  // namespace
}  // namespace fuhyo::test
