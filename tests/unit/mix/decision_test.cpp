#include "engines/mix/decision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/shogi/usi_move.h"

namespace fuhyo::mix {
namespace {

using Kind = Value::Kind;
using ::testing::ElementsAre;

const shogi::Move kA = *shogi::parse_usi_move("7g7f"), kB = *shogi::parse_usi_move("2g2f"),
                  kC = *shogi::parse_usi_move("9g9f");

Value chance(double c) { return {.chance = c}; }
Value win(int plies) { return {.kind = Kind::win, .chance = 1, .plies = plies}; }
Value loss(int plies) { return {.kind = Kind::loss, .chance = 0, .plies = plies}; }

Opinion opinion(double weight, shogi::Move move, std::vector<MoveValue> values) {
  return {.weight = weight, .move = move, .values = std::move(values)};
}

TEST(Decision, TheFirstWeightGrowsFromMove40To120) {
  EXPECT_DOUBLE_EQ(first_weight(50, 70, 0), 0.5);
  EXPECT_DOUBLE_EQ(first_weight(50, 70, 40), 0.5);
  EXPECT_DOUBLE_EQ(first_weight(50, 70, 80), 0.6);
  EXPECT_DOUBLE_EQ(first_weight(50, 70, 120), 0.7);
  EXPECT_DOUBLE_EQ(first_weight(50, 70, 300), 0.7);
}

TEST(Decision, CandidatesAreNamedOnce) {
  const std::vector<Opinion> all = {opinion(1, kB, {}), opinion(1, kA, {}), opinion(1, kB, {}), opinion(1, {}, {})};
  EXPECT_THAT(candidates(all), ElementsAre(kB, kA));
}

TEST(Decision, NothingIsDecidedAtOnceWhereTheyDifferOrSayNothing) {
  EXPECT_FALSE(decide_at_once(std::vector{opinion(1, kA, {}), opinion(1, kB, {})}));
  EXPECT_FALSE(decide_at_once(std::vector{opinion(1, {}, {})}));
  EXPECT_FALSE(decide_at_once({}));
}

TEST(Decision, TheShorterOfTwoMatesIsPlayed) {
  const std::vector<Opinion> all = {opinion(1, kA, {{kA, win(9)}}), opinion(1, kB, {{kB, win(5)}})};
  EXPECT_EQ(decide_at_once(all)->move, kB);
  const std::vector<Opinion> unknown = {opinion(1, kA, {{kA, win(0)}}), opinion(1, kB, {{kB, win(31)}})};
  EXPECT_EQ(decide_at_once(unknown)->move, kB) << "a length that nobody told is the longest";
}

TEST(Decision, TheHighestMeanIsPlayed) {
  const std::vector<Opinion> all = {opinion(0.6, kA, {{kA, chance(0.6)}, {kB, chance(0.5)}}),
                                    opinion(0.4, kB, {{kA, chance(0.4)}, {kB, chance(0.6)}})};
  const Choice choice = decide(all, {});
  EXPECT_EQ(choice.move, kB);
  EXPECT_EQ(choice.reason, Reason::values);
  EXPECT_NEAR(choice.value->chance, 0.54, 1e-9);
}

TEST(Decision, OnlyThoseWhoKnowEveryMoveAreCompared) {
  // The second one's 0.9 is for its own move alone.
  const std::vector<Opinion> all = {opinion(0.5, kA, {{kA, chance(0.6)}, {kB, chance(0.5)}}),
                                    opinion(0.5, kB, {{kB, chance(0.9)}})};
  EXPECT_EQ(decide(all, {}).move, kA);
}

TEST(Decision, WhereNobodyKnowsBothTheMoveThatIsWantedMostIsPlayed) {
  const std::vector<Opinion> all = {opinion(0.5, kA, {{kA, chance(0.6)}}), opinion(0.5, kB, {{kB, chance(0.7)}})};
  const Choice choice = decide(all, {});
  EXPECT_EQ(choice.move, kB);
  EXPECT_EQ(choice.reason, Reason::own_values);
  EXPECT_EQ(decide(std::vector{opinion(1, kA, {}), opinion(1, kB, {})}, {}).move, kA) << "no values at all";
}

TEST(Decision, AVetoNeedsAProof) {
  std::vector<Opinion> all = {opinion(0.5, kA, {{kA, chance(0.6)}, {kB, loss(4)}}),
                              opinion(0.5, kB, {{kA, chance(0.1)}, {kB, chance(0.99)}})};
  EXPECT_EQ(decide(all, {}).reason, Reason::veto);
  EXPECT_EQ(decide(all, {}).move, kA);
  all[0].values[1].value = chance(0.01);
  EXPECT_EQ(decide(all, {}).move, kB);
}

TEST(Decision, OneThatIsLostAnywayObjectsOnlyToWhatLosesSooner) {
  std::vector<Opinion> all = {opinion(0.5, kA, {{kA, loss(12)}, {kB, loss(12)}}),
                              opinion(0.5, kB, {{kA, chance(0.3)}, {kB, chance(0.5)}})};
  EXPECT_EQ(decide(all, {}).move, kB) << "all is lost, says one: the other one decides";
  all[0].values[1].value = loss(4);
  EXPECT_EQ(decide(all, {}).move, kA);
}

TEST(Decision, AMoveThatAllowsAShortMateIsNotPlayedIfThereIsAnother) {
  const std::vector<Opinion> all = {opinion(0.5, kA, {{kA, chance(0.2)}, {kB, chance(0.5)}}),
                                    opinion(0.5, kB, {{kA, chance(0.2)}, {kB, chance(0.6)}})};
  EXPECT_EQ(decide(all, std::vector{kB}).move, kA);
  EXPECT_EQ(decide(all, std::vector{kA, kB}).move, kB) << "everything loses: by value";
}

TEST(Decision, OfThreeTheVetoLeavesTwoToCompare) {
  const std::vector<Opinion> all = {
      opinion(0.4, kA, {{kA, chance(0.5)}, {kB, chance(0.4)}, {kC, loss(2)}}),
      opinion(0.3, kB, {{kA, chance(0.5)}, {kB, chance(0.7)}, {kC, chance(0.9)}}),
      opinion(0.3, kC, {{kA, chance(0.5)}, {kB, chance(0.5)}, {kC, chance(0.99)}}),
  };
  EXPECT_EQ(decide(all, {}).move, kB);
}

}  // namespace
}  // namespace fuhyo::mix
