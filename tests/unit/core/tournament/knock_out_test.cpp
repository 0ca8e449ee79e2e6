#include <map>

#include "tests/unit/core/tournament/event_maker.h"

namespace fuhyo::core::tournament {
namespace {

std::string boards(const RoundPaired& round) {
  std::string text;
  for (const Pairing& pairing : round.pairings) {
    const auto [a, b] = std::minmax(pairing.black, pairing.white);
    text += (text.empty() ? "" : " ") + a + "-" + b;
  }
  for (const Bye& bye : round.byes) text += " " + bye.player;
  return text;
}

// Lower numbers always win.
std::map<PlayerId, double> ladder(int members) {
  std::map<PlayerId, double> strengths;
  for (int number = 1; number <= members; ++number) strengths[player(number)] = -5000.0 * number;
  return strengths;
}

TEST(KnockOut, TheBestSeedsMeetLast) {
  DivisionSettings settings = settings_for(Format::knock_out);
  settings.third_place = true;
  const Event event = event_of(8, settings);
  const PlayedOut simulation(event, ladder(8), {.draws = 0}, 1);
  const auto& rounds = simulation.state().division(kFirst).rounds;
  ASSERT_EQ(rounds.size(), 3u);
  EXPECT_EQ(boards(rounds.at(1)), "p1-p8 p4-p5 p3-p6 p2-p7");
  EXPECT_EQ(boards(rounds.at(2)), "p1-p4 p2-p3");
  EXPECT_EQ(boards(rounds.at(3)), "p1-p2 p3-p4");
  const Ledger ledger = ledger_of(event, simulation.state(), kFirst);
  EXPECT_EQ(ledger.cell(7, 1).kind, RoundCell::Kind::game);
  EXPECT_EQ(ledger.cell(7, 2).kind, RoundCell::Kind::none) << "who is out is not absent";
  const Standings standings = standings_of(event, simulation.state(), kFirst);
  const int ranks[] = {1, 2, 3, 4, 5, 5, 5, 5};
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(standings.rows[i].player, player(static_cast<int>(i) + 1));
    EXPECT_EQ(standings.rows[i].rank, ranks[i]);
  }
}

TEST(KnockOut, TheBestSeedsHaveTheByesOfTheFirstRound) {
  for (int members = 2; members <= 40; ++members) {
    const Event event = event_of(members, settings_for(Format::knock_out));
    const PlayedOut simulation(event, ladder(members), {.draws = 0}, 1);
    EXPECT_TRUE(is_over(event, simulation.state(), kFirst)) << members;
    const DivisionState& played = simulation.state().division(kFirst);
    EXPECT_EQ(played.results.size(), static_cast<std::size_t>(members - 1));
    std::size_t slots = 1;
    while (slots < static_cast<std::size_t>(members)) slots *= 2;
    const std::vector<Bye>& byes = played.rounds.at(1).byes;
    EXPECT_EQ(byes.size(), slots - static_cast<std::size_t>(members));
    for (const Bye& bye : byes) EXPECT_LE(std::stoi(bye.player.substr(1)), static_cast<int>(byes.size()));
    for (const auto& [number, round] : played.rounds) {
      if (number > 1) EXPECT_TRUE(round.byes.empty()) << members;
    }
    EXPECT_EQ(standings_of(event, simulation.state(), kFirst).rows[0].player, "p1");
  }
}

TEST(KnockOut, DrawnGamesAreFollowedByMoreUntilTheSeedDecides) {
  for (const int replays : {0, 1, 3}) {
    DivisionSettings settings = settings_for(Format::knock_out);
    settings.replays = replays;
    const Event event = event_of(2, settings);
    const PlayedOut simulation(event, {}, {.draws = 1}, 1);
    const DivisionState& played = simulation.state().division(kFirst);
    ASSERT_EQ(played.results.size(), static_cast<std::size_t>(1 + replays));
    PlayerId black;
    for (const auto& [key, result] : played.results) {
      EXPECT_NE(result.black, black) << "colours change";
      black = result.black;
    }
    EXPECT_EQ(standings_of(event, simulation.state(), kFirst).rows[0].player, "p1");
  }
}

TEST(KnockOut, WhoIsNotThereIsBeaten) {
  const Event event = event_of(4, settings_for(Format::knock_out));
  Simulation simulation(event, ladder(4), {.draws = 0}, 1);
  simulation.step();
  simulation.step();
  ASSERT_TRUE(simulation.decide(Withdrawn{.player = "p1", .stage = 0, .from = 2}));
  while (simulation.step()) continue;
  const RoundPaired& last = simulation.state().division(kFirst).rounds.at(2);
  ASSERT_EQ(last.byes.size(), 1u);
  EXPECT_EQ(last.byes[0], (Bye{.player = "p2", .kind = ByeKind::walkover, .instead_of = "p1"}));
  EXPECT_EQ(standings_of(event, simulation.state(), kFirst).rows[0].player, "p2");
}

TEST(Replays, ADrawIsPlayedAgainWithColoursChangedAndAVoidGameWithTheSame) {
  DivisionSettings settings = settings_for(Format::round_robin);
  settings.draws = DrawRule::replay;
  settings.replays = 2;
  const Event event = event_of(2, settings);
  EventState state(event);
  state.apply(DivisionFormed{kFirst, {{"p1", 1}, {"p2", 2}}});
  state.apply(RoundPaired{kFirst, 1, {{.black = "p1", .white = "p2"}}, {}});
  const auto due = [&] {
    const Ledger ledger = ledger_of(event, state, kFirst);
    return ledger.due.empty() ? DueGame{} : ledger.due[0];
  };
  const auto end = [&](Outcome outcome, How how) {
    const DueGame game = due();
    const GameResult result{
        .game = game.game, .black = game.black, .white = game.white, .outcome = outcome, .how = how};
    ASSERT_TRUE(check(event, state, result));
    state.apply(result);
  };
  end(Outcome::none, How::replayed);
  EXPECT_EQ(due().black, "p1");
  EXPECT_EQ(due().game.attempt, 2);
  end(Outcome::draw, How::play);
  EXPECT_EQ(due().black, "p2");
  EXPECT_EQ(due().game.attempt, 3);
  end(Outcome::draw, How::play);
  EXPECT_TRUE(due().black.empty()) << "the third attempt was the last one: two were replayed";
  EXPECT_EQ(ledger_of(event, state, kFirst).rows[0].points, kHalfPoint);
}

}  // namespace
}  // namespace fuhyo::core::tournament
