// shogi-server's penalties for a pair, and how it keeps humans apart: each at the point where the pairing turns. Its
// pairings of random fields, draw for draw, are in tests/golden/pairing.
#include <cctype>

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

TEST(LeastDiff, WhoIsLeftOverIsTheOneFarthestFromAll) {
  Round round = round_of(1, Method::least_diff_pairing, {9000, 1100, 3000, 1000, 3100});
  std::vector<const Entrant*> order;
  for (const Entrant& entrant : round.entrants) order.push_back(&entrant);
  const History history;
  Strengths strengths(round, history);
  SeededDraws draws(1);
  order_by_least_diff(order, strengths, history, draws);
  EXPECT_EQ(order.back()->rate, 9000);
  EXPECT_EQ(std::abs(order[0]->rate - order[1]->rate) + std::abs(order[2]->rate - order[3]->rate), 200);
}

TEST(Strengths, OfTheUnratedFollowTheirLastOpponent) {
  Round round;
  round.entrants = {named("new", 0), named("a", 1500), named("other", 0)};
  round.others = {{.name = "elsewhere", .rate = 1000}};
  const Entrant &fresh = round.entrants[0], &rated = round.entrants[1];
  const auto strength = [&](const History& history) { return Strengths(round, history).of(fresh); };
  EXPECT_EQ(Strengths(round, {}).of(rated), 1500);
  EXPECT_EQ(strength({}), 2150);
  EXPECT_EQ(strength(after_games({game(1, fresh, rated, 1)})), 1700);
  EXPECT_EQ(strength(after_games({game(1, rated, fresh, 1)})), 1300);
  EXPECT_EQ(strength(after_games({game(1, rated, fresh, 1), game(2, fresh, rated)})), 1300) << "the last decided one";
  EXPECT_EQ(strength(after_games({game(1, fresh, named("elsewhere"), 1)})), 1200) << "who does not take part";
  EXPECT_EQ(strength(after_games({game(1, fresh, named("gone"), 1)})), 2150) << "who is not on line";
  EXPECT_EQ(strength(after_games({game(1, fresh, round.entrants[2], 1)})), 2150) << "who is not rated either";
}

class NoChance final : public Draws {
 public:
  std::uint64_t below(std::uint64_t) override { return 0; }
};

// Players in the order of their seats, capitals are humans; the games in the order in which they are started.
std::vector<std::string> seated(std::string_view seats) {
  Round round;
  round.settings.method = Method::sort_by_rate_with_randomness;
  for (const char seat : seats) {
    const bool human = std::isupper(static_cast<unsigned char>(seat)) != 0;
    const std::string name = std::string(1, seat) + (human ? "_human" : "");
    round.entrants.push_back(named(name, 1000 + static_cast<int>(round.entrants.size())));
  }
  NoChance draws;
  std::vector<std::string> games;
  for (const PairedGame& paired : pair(round, {}, draws).games) {
    const auto [low, high] = std::minmax(paired.black.front(), paired.white.front());
    games.push_back({low, high});
  }
  return games;
}

TEST(GamesWithoutHumans, NeighboursPlay) {
  EXPECT_THAT(seated(""), IsEmpty());
  EXPECT_THAT(seated("a"), IsEmpty());
  EXPECT_THAT(seated("ab"), ElementsAre("ab"));
  EXPECT_THAT(seated("abc"), ElementsAre("bc"));
  EXPECT_THAT(seated("abcd"), ElementsAre("ab", "cd"));
  EXPECT_THAT(seated("Abcd"), ElementsAre("Ab", "cd"));
  EXPECT_THAT(seated("aBCd"), ElementsAre("Ba", "Cd")) << "neighbours at odd places do not meet";
}

TEST(GamesWithoutHumans, AHumanWhoWouldMeetAHumanPlaysAComputerNearby) {
  EXPECT_THAT(seated("ABcd"), ElementsAre("Ac", "Bd"));
  EXPECT_THAT(seated("abCD"), ElementsAre("Ca", "Db"));
  EXPECT_THAT(seated("aBCD"), ElementsAre("Ca", "BD"));
  EXPECT_THAT(seated("abcdEFGH"), ElementsAre("Ec", "Gd", "Fa", "Hb"));
}

TEST(GamesWithoutHumans, WithoutEnoughComputersHumansMeet) {
  EXPECT_THAT(seated("AB"), ElementsAre("AB"));
  EXPECT_THAT(seated("ABCd"), ElementsAre("Ad", "BC"));
  EXPECT_THAT(seated("ABCD"), ElementsAre("AB", "CD"));
}

}  // namespace
}  // namespace fuhyo::core::floodgate
