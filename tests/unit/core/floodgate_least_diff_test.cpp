// shogi-server's penalties for a pair, each at the point where the pairing turns. Its pairings of random fields, draw
// for draw, with humans kept apart and the rates that the unrated are taken for, are in tests/golden/pairing.
#include "server/core/floodgate/least_diff.h"
#include "tests/unit/core/core_test.h"
#include "tests/unit/core/floodgate_field.h"

namespace fuhyo::core::floodgate {
namespace {

constexpr int kRate = 5000;

Entrant named(const std::string& name, int rate = kRate) { return {name + "+trip", name, rate}; }

// The least difference would have `a` play `b`, both of kRate, and two others play one another, both `gap` below. Other
// pairs differ by 2 * `gap` more: from what that is on do `a` and `b` stay together?
bool stay_together(const Entrant& a, const Entrant& b, int gap, const History& history) {
  Round round;
  round.entrants = {a, named("x_first", kRate - gap), b, named("z_second", kRate - gap)};
  std::vector<const Entrant*> order;
  for (const Entrant& entrant : round.entrants) order.push_back(&entrant);
  Strengths strengths(round, history);
  SeededDraws draws(1);
  order_by_least_diff(order, strengths, history, draws);
  const auto place = [&](const Entrant& who) { return std::ranges::find(order, who.id, &Entrant::id) - order.begin(); };
  return place(a) / 2 == place(b) / 2;
}

void expect_penalty(int penalty, const Entrant& a, const Entrant& b, const History& history = {}) {
  EXPECT_FALSE(stay_together(a, b, penalty / 2 - 1, history)) << a.id << " and " << b.id << " below " << penalty;
  EXPECT_TRUE(stay_together(a, b, penalty / 2 + 1, history)) << a.id << " and " << b.id << " above " << penalty;
}

History after_games(std::initializer_list<Played> games) {
  History history;
  for (const Played& played : games) history.record(played);
  return history;
}

TEST(LeastDiff, WithoutAPenaltyTheNearestMeet) { EXPECT_TRUE(stay_together(named("one"), named("two"), 1, {})); }

TEST(LeastDiff, TheLastOpponentCosts400WhoeverWon) {
  const Entrant a = named("one"), b = named("two");
  for (const int winner : {1, -1}) {
    expect_penalty(400, a, b, after_games({game(1, a, b, winner)}));
    expect_penalty(400, b, a, after_games({game(1, a, b, winner)}));
  }
  EXPECT_TRUE(stay_together(a, b, 1, after_games({game(1, a, b)}))) << "a game that nobody won is no meeting";
}

TEST(LeastDiff, ItIsEnoughThatOneOfThemHasNotPlayedSince) {
  const Entrant a = named("one"), b = named("two"), c = named("else");
  expect_penalty(400, a, b, after_games({game(1, a, b, 1), game(2, a, c, 1)}));
  EXPECT_TRUE(stay_together(a, b, 1, after_games({game(1, a, b, 1), game(2, a, c, 1), game(3, b, c, 1)})));
}

// It is taken for 200 more than the opponent that it beat, so that it is 200 from `b` whether together or apart.
TEST(LeastDiff, TheLastOpponentOfAnUnratedPlayerCosts4400) {
  const Entrant a = named("one", 0), b = named("two");
  expect_penalty(4400, a, b, after_games({game(1, a, b, 1)}));
  expect_penalty(4400, b, a, after_games({game(1, b, a, -1)}));
}

TEST(LeastDiff, TwoHumansCost800) {
  expect_penalty(800, named("one_human"), named("two_human@home"));
  EXPECT_TRUE(stay_together(named("one_human"), named("two"), 1, {}));
}

TEST(LeastDiff, NamesThatBeginAlikeCost400Or800) {
  EXPECT_EQ(kin_penalty("engine1+a", "engine1+b"), 800);
  EXPECT_EQ(kin_penalty("engine1+a", "engine2+b"), 400);
  EXPECT_EQ(kin_penalty("engi1+a", "engi2+a"), 400);
  EXPECT_EQ(kin_penalty("eng1+a", "eng2+a"), 0);
  EXPECT_EQ(kin_penalty("a+b", "a+b"), 800) << "shorter than seven";
  expect_penalty(400, named("kinsman"), named("kinship"));
  expect_penalty(800, named("kinship_1"), named("kinship_2"));
}

TEST(LeastDiff, PenaltiesAddUp) {
  const Entrant a = named("kin_1_human"), b = named("kin_2_human");
  expect_penalty(400 + 800 + 400, a, b, after_games({game(1, a, b, 1)}));
}

}  // namespace
}  // namespace fuhyo::core::floodgate
