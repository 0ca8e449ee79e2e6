// Floodgate rounds inside the server: when they are held, who plays, what happens to those who do not, and what a
// restart knows of them. How players are paired is tested with pairing itself.
#include <set>

#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

constexpr std::string_view kGroup = "floodgate-300-10F";
constexpr std::int64_t kMinute_ms = 60'000;

class Rounds : public ServerTest {
 protected:
  static constexpr std::string_view kMatching = "every 30 min\nset pairing_factory matching\n";
  Rounds() { hold_by(server, kMatching); }

  static void hold_by(VirtualServer& to, std::string_view file) { hold_rounds(to, kGroup, file); }

  void wait_x1(const std::string& name) {
    if (known_.insert(name).second) server.login_x1(name);
    server.say(name, fmt::format("%%GAME {} *", kGroup));
    server.heard(name);
  }
  void wait_x1(std::initializer_list<const char*> names) {
    for (const char* name : names) wait_x1(std::string(name));
  }
  void wait_csa(const std::string& name) {
    server.log_in(name, fmt::format("{} {},trip{}", name, kGroup, name));
    server.heard(name);
  }
  // With kill -9, and started again.
  void kill(std::string_view file) {
    server.kill();
    known_.clear();
    hold_by(server, file);
  }
  // To the next full or half hour. The clock starts at 04:14:40.
  void next_round() {
    const std::int64_t half_hour = 30 * kMinute_ms, offset = 14 * kMinute_ms + 40'000;
    server.advance(half_hour - (server.now_ms() + offset) % half_hour);
  }
  std::vector<core::GameOpened> games() const { return facts<core::GameOpened>(); }
  // Both of the newest game.
  void agree() {
    const core::GameOpened game = games().back();
    server.say(game.black.name, "AGREE");
    server.say(game.white.name, "AGREE");
  }
  // The side to move resigns.
  void play_out() {
    agree();
    const core::GameOpened game = games().back();
    server.say(game.black.name, "%TORYO");
    server.say(game.white.name, "%TORYO");
  }

 private:
  std::set<std::string> known_;  // logged in by wait_x1()
};

TEST_F(Rounds, WhoWaitsIsPairedAtTheTimeAndNotBefore) {
  wait_x1({"A", "B", "C"});
  wait_csa("D");
  server.advance(15 * kMinute_ms + 19'000);
  EXPECT_THAT(games(), IsEmpty());
  server.advance(1'000);
  ASSERT_THAT(games(), SizeIs(2));
  std::set<std::string> seated;
  for (const core::GameOpened& game : games()) {
    seated.insert({game.black.name, game.white.name});
    EXPECT_EQ(game.game_name, kGroup);
    EXPECT_EQ(game.at.us % (30 * kMinute_ms * 1000), 0) << "on the second";
  }
  EXPECT_THAT(seated, SizeIs(4));
  EXPECT_THAT(facts<core::RoundHeld>(), SizeIs(1));
}

TEST_F(Rounds, OnlyPlayersWithATripThatWaitForThisGroup) {
  wait_x1("A");
  server.log_in("noTrip", "noTrip floodgate-300-10F");
  server.login_x1("other");
  server.say("other", "%%GAME floodgate-300-10 *");
  next_round();
  EXPECT_THAT(games(), IsEmpty());
}

// To the host: the player hears as little as with shogi-server.
TEST_F(Rounds, WhoWaitsInVainIsNamed) {
  wait_x1("A");
  server.log_in("noTrip", "noTrip floodgate-300-10F");
  server.log_in("lost", "lost floodgate-300-10,trip");
  EXPECT_THAT(server.notes(), Contains("noTrip waits for floodgate-300-10F and is never paired: rounds are for "
                                       "players with a trip"));
  EXPECT_THAT(server.notes(), Contains(HasSubstr("lost waits for floodgate-300-10 and is never paired: no rounds")));
  EXPECT_THAT(server.notes(), Not(Contains(HasSubstr("A waits"))));
  for (const auto& row : server.admin("sessions").rows) {
    EXPECT_EQ(row.back().empty(), row.front() == "A") << row.front() << ": " << row.back();
  }
  const auto rounds = server.admin("rounds");
  EXPECT_EQ(rounds.text, "1 group");
  EXPECT_EQ(rounds.columns[5], "without a trip");
  EXPECT_THAT(rounds.rows, ElementsAre(testing::AllOf(Contains("1").Times(2), testing::SizeIs(9))));
  const auto held = server.admin("round floodgate-300-10F");
  EXPECT_FALSE(held.ok);
  EXPECT_THAT(held.text, HasSubstr("1 of 2 players; 1 player without a trip, which rounds ask for"));
  server.login_x1("other");
  EXPECT_THAT(server.reply("other", "%%GAME floodgate-1-0 *"), IsEmpty()) << "as with shogi-server";
}

TEST_F(Rounds, ARoundByHandSaysWhoWaitsForASeat) {
  for (const std::uint64_t i : {1U, 2U}) {
    const core::ConnId conn{900 + i};
    open_builtin(server, conn, "engine");
    server.deliver(core::Awaits{.conn = conn, .game = std::string(kGroup)});
    say_builtin(server, conn, fmt::format("LOGIN engine{} pw x1", i));
  }
  EXPECT_EQ(server.admin("round floodgate-300-10F").text,
            "no round of floodgate-300-10F: 0 of 2 players; 2 built-in players wait for a seat, of which "
            "engine-threads gives more");
}

TEST_F(Rounds, SettingsOfTheGroupAreThoseOfItsGames) {
  hold_by(server, "every 30 min\nset max_moves 320\nset least_time_per_move 1\n");
  wait_x1({"A", "B"});
  next_round();
  ASSERT_THAT(games(), SizeIs(1));
  EXPECT_EQ(games()[0].max_moves, 320);
  EXPECT_EQ(games()[0].time.least_s, 1);
  EXPECT_EQ(games()[0].time.increment_s, 10);
}

TEST_F(Rounds, AChangedScheduleCountsFromThenOn) {
  wait_x1({"A", "B"});
  hold_by(server, "every 5 min\n");
  server.advance(30'000);
  EXPECT_THAT(games(), SizeIs(1)) << "04:15";
}

// In CSA mode shogi-server closes the connection of the one who is not to blame, too.
TEST_F(Rounds, WhoIsNotToBlameIsPairedAgainWithTheOneLeftOver) {
  wait_csa("A");
  wait_csa("B");
  wait_csa("C");
  next_round();
  ASSERT_THAT(games(), SizeIs(1));
  const core::GameOpened first = games()[0];
  server.say(first.black.name, "REJECT");
  EXPECT_FALSE(server.is_open(first.black.name)) << "who refuses is out";
  ASSERT_THAT(games(), SizeIs(2));
  const core::GameOpened second = games()[1];
  const std::set<std::string> seated = {second.black.name, second.white.name};
  EXPECT_THAT(seated, Not(Contains(first.black.name)));
  EXPECT_THAT(seated, Contains(first.white.name));
  EXPECT_TRUE(server.is_open(first.white.name));
  agree();
  EXPECT_THAT(server.heard(second.black.name), Contains(HasSubstr("START:")));
}

TEST_F(Rounds, WhoseLineBrokeBeforeTheStartComesBackIntoTheRound) {
  for (const char* name : {"A", "B"}) wait_csa(name);
  next_round();
  const core::GameOpened first = games()[0];
  server.hang_up(first.black.name);
  EXPECT_THAT(games(), SizeIs(1)) << "the other waits";
  wait_csa(first.black.name);
  ASSERT_THAT(games(), SizeIs(2));
  EXPECT_EQ(games()[1].game_name, kGroup);
  EXPECT_THAT(facts<core::RoundHeld>(), SizeIs(1)) << "still the same round";
}

TEST_F(Rounds, WithShogiServersMethodsNobodyIsPairedAgain) {
  hold_by(server, "every 30 min\nset pairing_factory least_diff_pairing\n");
  for (const char* name : {"A", "B", "C"}) wait_csa(name);
  next_round();
  const core::GameOpened first = games()[0];
  server.say(first.black.name, "REJECT");
  EXPECT_THAT(games(), SizeIs(1));
  EXPECT_FALSE(server.is_open(first.white.name)) << "as shogi-server does";
}

TEST_F(Rounds, BothColoursBackToBack) {
  hold_by(server, "every 30 min\nset pairing_factory matching\nset both_colours yes\n");
  wait_x1({"A", "B"});
  next_round();
  const core::GameOpened first = games()[0];
  play_out();
  EXPECT_THAT(games(), SizeIs(1));
  wait_x1({"A", "B"});
  ASSERT_THAT(games(), SizeIs(2));
  EXPECT_EQ(games()[1].black.name, first.white.name);
  play_out();
  wait_x1({"A", "B"});
  EXPECT_THAT(games(), SizeIs(2)) << "the next one is of the next round";
}

// Found by the simulator: she was made to wait again although she was on her way out.
TEST_F(Rounds, WhoIsOwedAGameAndLeavesTheReturnGameDoesNotWaitAgain) {
  hold_by(server, "every 30 min\nset pairing_factory matching\nset both_colours yes\n");
  wait_x1({"A", "B"});
  next_round();
  const core::GameOpened first = games().back();
  const std::string refuser = first.black.name, other = first.white.name;
  server.say(refuser, "REJECT");  // the other one is owed a game now, and waits
  server.heard(other);
  server.say(refuser, fmt::format("%%GAME {} *", kGroup));
  ASSERT_THAT(games(), SizeIs(2)) << "the return game";
  EXPECT_THAT(server.reply(other, "LOGOUT"), Contains("[EOF]"));
  wait_x1("C");
  EXPECT_TRUE(server.admin("rounds").ok);
  EXPECT_EQ(server.server().sessions(), 2u);
}

TEST_F(Rounds, PositionsOfASetAreTakenInTurn) {
  hold_by(server, "every 30 min\nset pairing_factory matching\nset buoy_set tsec\n");
  wait_x1({"A", "B"});
  EXPECT_EQ(server.admin("rounds").rows.front().back(), "tsec (there is no such set)");
  server.deliver(core::AdminLine{.token = 1, .who = "root", .text = "load-positions tsec tsec.txt"});
  server.deliver(core::SetRead{.token = 1, .name = "tsec", .text = "+7776FU | one\n+2726FU | two\n"});
  EXPECT_EQ(server.admin("rounds").rows.front().back(), "tsec");
  for (int round = 0; round < 3; ++round) {
    next_round();
    play_out();
    wait_x1({"A", "B"});
  }
  ASSERT_THAT(games(), SizeIs(3));
  EXPECT_THAT(games()[0].preset_moves, ElementsAre("+7776FU,T1"));
  EXPECT_THAT(games()[1].preset_moves, ElementsAre("+2726FU,T1"));
  EXPECT_THAT(games()[2].preset_moves, ElementsAre("+7776FU,T1"));
}

TEST_F(Rounds, TooFewPlayersOrAStopFileMeanNoRound) {
  hold_by(server, "every 30 min\nset min_players 3\n");
  wait_x1({"A", "B"});
  next_round();
  EXPECT_THAT(games(), IsEmpty());
  EXPECT_THAT(server.notes(), Contains(HasSubstr("2 of 3 players")));
  wait_x1("C");
  server.deliver(core::StopFile{true});
  next_round();
  EXPECT_THAT(games(), IsEmpty());
  server.deliver(core::StopFile{false});
  next_round();
  EXPECT_THAT(games(), SizeIs(1));
}

TEST_F(Rounds, ABuiltInPlayerFillsAnOddNumberAndElseSitsStill) {
  hold_by(server, "every 30 min\nset pairing_factory matching\nset fill_with_builtin yes\n");
  open_builtin(server, core::ConnId{900}, "engine");
  for (const char* line : {"LOGIN engine pw x1", "%%GAME floodgate-300-10F *"}) {
    say_builtin(server, core::ConnId{900}, line);
  }
  wait_x1({"A", "B"});
  next_round();
  ASSERT_THAT(games(), SizeIs(1));
  EXPECT_FALSE(games()[0].black.builtin || games()[0].white.builtin);
  play_out();
  wait_x1({"A", "B", "C"});
  next_round();
  ASSERT_THAT(games(), SizeIs(3));
  EXPECT_EQ(std::ranges::count_if(games(), [](const auto& g) { return g.black.builtin || g.white.builtin; }), 1);
}

TEST_F(Rounds, AfterARestartTheLastRoundIsKnown) {
  wait_x1({"A", "B", "C", "D"});
  next_round();
  core::Recovery recovery{.last = server.journal().back().seq, .last_game = core::GameId{2}};
  std::set<std::pair<std::string, std::string>> before;
  for (const core::GameOpened& game : games()) {
    before.insert(std::minmax(game.black.name, game.white.name));
    recovery.past.push_back({.csa_id = game.csa_id,
                             .game_name = game.game_name,
                             .black_id = game.black.id,
                             .white_id = game.white.id,
                             .outcome = core::Outcome::black_wins});
  }
  for (const auto& row : server.journal()) {
    if (std::holds_alternative<core::RoundHeld>(row.fact)) recovery.keyed_facts.push_back(row);
  }
  VirtualServer again(test_rules(), {}, recovery);
  hold_by(again, "every 30 min\nset pairing_factory matching\n");
  for (const char* name : {"A", "B", "C", "D"}) {
    again.login_x1(name);
    again.say(name, fmt::format("%%GAME {} *", kGroup));
  }
  again.advance(16 * kMinute_ms);
  int seated = 0;
  for (const auto& row : again.journal()) {
    if (const auto* held = std::get_if<core::RoundHeld>(&row.fact)) EXPECT_EQ(held->number, 2);
    const auto* game = std::get_if<core::GameOpened>(&row.fact);
    if (game == nullptr) continue;
    ++seated;
    EXPECT_FALSE(before.contains(std::minmax(game->black.name, game->white.name)));
  }
  EXPECT_EQ(seated, 2);
}

constexpr std::string_view kBothColours =
    "every 30 min\nset pairing_factory matching\nset both_colours yes\nset resume position\nset loss_grace 60\n";

TEST_F(Rounds, AKilledServerGoesOnOwingTheSecondGame) {
  hold_by(server, kBothColours);
  wait_x1({"A", "B"});
  next_round();
  const core::GameOpened first = games()[0];
  play_out();
  kill(kBothColours);
  wait_x1({"A", "B"});
  ASSERT_THAT(games(), SizeIs(1));
  EXPECT_EQ(games()[0].black.name, first.white.name);
  play_out();
  kill(kBothColours);
  wait_x1({"A", "B"});
  EXPECT_THAT(games(), IsEmpty()) << "both are played";
}

TEST_F(Rounds, AFirstGameThatGoesOnAfterAKillHasItsSecondAfterTheNextRound) {
  hold_by(server, kBothColours);
  wait_x1({"A", "B"});
  next_round();
  const core::GameOpened first = games()[0];
  agree();
  kill(kBothColours);
  wait_x1({"C", "D"});
  EXPECT_TRUE(server.admin(fmt::format("round {}", kGroup)).ok);
  wait_x1({"A", "B"});
  for (const char* name : {"A", "B"}) server.say(name, "AGREE");
  server.say(first.black.name, "%TORYO");
  wait_x1({"A", "B"});
  ASSERT_THAT(games(), SizeIs(2)) << "C against D, and the second game";
  EXPECT_EQ(games()[1].black.name, first.white.name);
  EXPECT_EQ(games()[1].white.name, first.black.name);
}

TEST_F(Rounds, WhomAKilledServerHasGivenNoGameIsOwedOne) {
  wait_x1({"A", "B", "C"});
  next_round();
  const core::GameOpened first = games()[0];
  kill(kMatching);  // before the two have agreed; the third sat out
  for (const char* name : {"A", "B", "C"}) {
    if (name != first.white.name) wait_x1(name);
  }
  ASSERT_THAT(games(), SizeIs(1)) << "of the same round";
  EXPECT_NE(games()[0].black.name, first.white.name);
  EXPECT_NE(games()[0].white.name, first.white.name);
  EXPECT_THAT(facts<core::RoundHeld>(), IsEmpty());
  play_out();
  wait_x1({"A", "B", "C"});
  EXPECT_THAT(games(), SizeIs(1)) << "the last one has nobody to play with";
}

TEST_F(Rounds, ARoundByHand) {
  hold_by(server, "");
  wait_x1({"A", "B"});
  next_round();
  EXPECT_THAT(games(), IsEmpty()) << "no schedule";
  server.deliver(core::AdminLine{.token = 1, .who = "root", .text = "round floodgate-300-10F"});
  EXPECT_THAT(games(), SizeIs(1));
  server.deliver(core::AdminLine{.token = 2, .who = "root", .text = "round floodgate-1-1"});
  EXPECT_THAT(games(), SizeIs(1));
}

}  // namespace
}  // namespace fuhyo::test
