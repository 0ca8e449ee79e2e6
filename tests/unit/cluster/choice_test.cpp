#include "engines/cluster/choice.h"

#include <gtest/gtest.h>

#include "engines/cluster/shares.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::cluster {
namespace {

using Score = usi::Score;

const shogi::Move kMoveB = *shogi::parse_usi_move("2g2f"), kMoveA = *shogi::parse_usi_move("7g7f");

usi::Info line(int value, int depth = 10) { return {.depth = depth, .score = Score{.value = value}}; }

TEST(Choice, TheVoteOfAllDecides) {
  const std::vector<Opinion> all = {
      {.move = kMoveA, .line = line(10)}, {.move = kMoveB, .line = line(0)}, {.move = kMoveB, .line = line(5, 12)}};
  EXPECT_EQ(choose(all, {}), 2U);
}

TEST(Choice, AMateDecides) {
  const Score mate{.kind = Score::Kind::win, .value = 9};
  const std::vector<Opinion> all = {{.move = kMoveA, .line = line(29'000, 60)},
                                    {.move = kMoveB, .line = {.depth = 1, .score = mate}}};
  EXPECT_EQ(choose(all, {}), 1U);
}

TEST(Choice, ANodeBelowAMoveVotesOnlyIfItValuesItHigherThanAnyOther) {
  std::vector<Opinion> all = {{.move = kMoveA, .line = line(10)},
                              {.move = kMoveB, .line = line(10, 40), .below = true}};
  EXPECT_EQ(choose(all, {}), 0U);
  all[1].line.score->value = 11;
  EXPECT_EQ(choose(all, {}), 1U);
}

TEST(Choice, RefutedMovesAreLeftOutWhereThereAreOthers) {
  const std::vector<Opinion> all = {{.move = kMoveA, .line = line(500)}, {.move = kMoveB, .line = line(0)}};
  EXPECT_EQ(choose(all, std::vector{kMoveA}), 1U);
  EXPECT_EQ(choose(all, std::vector{kMoveA, kMoveB}), 0U);
}

TEST(Choice, WithoutAValueThereIsNone) {
  EXPECT_EQ(choose({}, {}), std::nullopt);
  EXPECT_EQ(choose(std::vector<Opinion>{{.move = kMoveB}}, {}), std::nullopt);
}

TEST(Choice, ALineFromBelowIsSeenFromThePositionBefore) {
  const usi::Info seen =
      before_move({.depth = 7, .score = Score{.value = 30, .bound = Score::Bound::lower}, .pv = {kMoveA}}, kMoveB);
  EXPECT_EQ(seen.score, (Score{.value = -30, .bound = Score::Bound::upper}));
  EXPECT_EQ(seen.depth, 8);
  EXPECT_EQ(seen.pv, (std::vector{kMoveB, kMoveA}));
  const usi::Info mated = before_move({.score = Score{.kind = Score::Kind::lose, .value = 4}}, kMoveB);
  EXPECT_EQ(mated.score, (Score{.kind = Score::Kind::win, .value = 5}));
}

// ---- shares ----

members::Value value(double chance) { return {.chance = chance}; }

TEST(Shares, APawnMakesAShareETimesSmaller) {
  const auto shares = softmax(std::vector{value(0.537), value(0.5), value(0)});
  EXPECT_NEAR(shares[0] / shares[1], 2.7, 0.1);
  EXPECT_NEAR(shares[0] + shares[1] + shares[2], 1, 1e-9);
  EXPECT_LT(shares[2], 1e-9);
}

TEST(Shares, NodesAreAllottedWhole) {
  EXPECT_EQ(allot(std::vector{0.6, 0.3, 0.1}, 4), (std::vector<std::size_t>{2, 1, 1}));
  EXPECT_EQ(allot(std::vector{0.5, 0.5}, 1), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(allot(std::vector{1.0}, 7), (std::vector<std::size_t>{7}));
  EXPECT_EQ(allot(std::vector{0.5, 0.5}, 0), (std::vector<std::size_t>{0, 0}));
}

TEST(Shares, OneNodeAtLeastIsLeftForTheRoot) {
  EXPECT_EQ(splitters(std::vector{0.5, 0.5}, 5), 2U);
  EXPECT_EQ(splitters(std::vector{0.9, 0.1}, 5), 0U);
  EXPECT_EQ(splitters(std::vector<double>(100, 0.01), 64), 62U);
  EXPECT_EQ(splitters(std::vector{0.5, 0.5}, 1), 0U);
}

}  // namespace
}  // namespace fuhyo::cluster
