#include "engines/mate/proof_table.h"

#include <gtest/gtest.h>

namespace fuhyo::mate {
namespace {

HandBits hand(int pawns, int golds = 0) {
  shogi::Hand h;
  h.add(shogi::PAWN, pawns);
  h.add(shogi::GOLD, golds);
  return hand_bits(h);
}

class ProofTableTest : public ::testing::Test {
 protected:
  ProofTableTest() { table.resize(1); }
  State state(const ProofQuery& q) const { return table.probe(q).state; }
  ProofTable table;
};

TEST(HandBits, CompareAndHaveTheMostOfEveryKind) {
  EXPECT_TRUE(has_all_of(hand(2, 1), hand(2, 1)));
  EXPECT_TRUE(has_all_of(hand(18, 4), hand(0)));
  EXPECT_FALSE(has_all_of(hand(18), hand(0, 1)));
  EXPECT_FALSE(has_all_of(hand(0, 4), hand(1)));
  EXPECT_EQ(most_of(hand(2, 1), hand(3)), hand(3, 1));
  EXPECT_EQ(most_of(hand(18), hand(0, 4)), hand(18, 4));
  EXPECT_EQ(most_of(hand(5, 2), hand(5, 2)), hand(5, 2));
}

TEST_F(ProofTableTest, ProofsServeRicherHandsAndLooserLimits) {
  table.store({.board = 7, .hand = hand(3, 1), .limit = kNoLimit},
              {.state = State::proven, .plies = 5, .hand = hand(1)}, 10);
  EXPECT_EQ(state({.board = 7, .hand = hand(1)}), State::proven);
  EXPECT_EQ(state({.board = 7, .hand = hand(2, 1), .limit = 5}), State::proven);
  EXPECT_EQ(state({.board = 7, .hand = hand(1), .limit = 3}), State::unknown);
  EXPECT_EQ(state({.board = 7, .hand = hand(0, 4)}), State::unknown);
  EXPECT_EQ(state({.board = 8, .hand = hand(1)}), State::unknown);
}

TEST_F(ProofTableTest, DisproofsServePoorerHandsAndTighterLimits) {
  table.store({.board = 7, .hand = hand(1), .limit = 5}, {.state = State::disproven}, 10);
  EXPECT_EQ(state({.board = 7, .hand = hand(1), .limit = 5}), State::disproven);
  EXPECT_EQ(state({.board = 7, .hand = hand(0), .limit = 3}), State::disproven);
  EXPECT_EQ(state({.board = 7, .hand = hand(1), .limit = 7}), State::unknown);
  EXPECT_EQ(state({.board = 7, .hand = hand(1)}), State::unknown);
  EXPECT_EQ(state({.board = 7, .hand = hand(2), .limit = 5}), State::unknown);
}

TEST_F(ProofTableTest, ConditionalDisproofsHoldOnTheirPathOnly) {
  const ProofQuery q{.board = 7, .hand = hand(1), .path = 0x123456789abcdef0};
  table.store(q, {.state = State::conditional, .depends_on = 4}, 10);
  EXPECT_EQ(state(q), State::conditional);
  EXPECT_EQ(table.probe(q).depends_on, 4U);
  ProofQuery other = q;
  other.path ^= 1;
  EXPECT_EQ(state(other), State::unknown);
  other = q;
  other.hand = hand(0);  // on this path, but another position
  EXPECT_EQ(state(other), State::unknown);
  table.store(q, {.state = State::proven, .plies = 3}, 1);
  EXPECT_EQ(state(q), State::proven);
}

TEST_F(ProofTableTest, AConditionalDisproofLeavesTheEstimatesOfOtherPaths) {
  ProofQuery q{.board = 7, .hand = hand(1), .path = 1};
  table.store(q, {.phi = 3, .delta = 4}, 10);
  table.store(q, {.state = State::conditional, .depends_on = 4}, 10);
  table.store(q, {.phi = 5, .delta = 6}, 10);
  q.path = 2;
  const Knowledge k = table.probe(q);
  EXPECT_EQ(k.state, State::unknown);
  EXPECT_EQ(k.phi, 5U);
  EXPECT_EQ(k.delta, 6U);
}

TEST_F(ProofTableTest, HoldsMoreHandsOfOneBoardThanABucketHasEntries) {
  for (int pawns = 0; pawns < 18; ++pawns) {
    for (int golds = 0; golds < 4; ++golds) {
      table.store({.board = 7, .hand = hand(pawns, golds)}, {.phi = 1U + static_cast<unsigned>(pawns)}, 10);
    }
  }
  EXPECT_EQ(table.probe({.board = 7, .hand = hand(0)}).phi, 1U);
  EXPECT_EQ(table.probe({.board = 7, .hand = hand(17, 3)}).phi, 18U);
}

TEST_F(ProofTableTest, EstimatesAreOfOneQuestion) {
  table.store({.board = 7, .hand = hand(1), .limit = 9}, {.phi = 3, .delta = 4}, 10);
  const Knowledge k = table.probe({.board = 7, .hand = hand(1), .limit = 9});
  EXPECT_TRUE(k.found);
  EXPECT_EQ(k.phi, 3U);
  EXPECT_EQ(k.delta, 4U);
  EXPECT_FALSE(table.probe({.board = 7, .hand = hand(1), .limit = 7}).found);
  EXPECT_FALSE(table.probe({.board = 7, .hand = hand(2), .limit = 9}).found);
}

TEST_F(ProofTableTest, GrowsWithoutLosingAndThenGivesUpTheCheapest) {
  const auto board = [](std::uint64_t i) { return (i + 1) * 0xd1342543de82ef95; };
  const auto kept = [&](std::uint64_t from, std::uint64_t to) {
    std::uint64_t n = 0;
    for (std::uint64_t i = from; i < to; ++i) n += state({.board = board(i), .hand = 0}) == State::proven ? 1 : 0;
    return n;
  };
  // One megabyte holds 32,768 entries.
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    table.store({.board = board(i), .hand = 0}, {.state = State::proven, .plies = 1}, 1'000);
  }
  EXPECT_GE(kept(0, 10'000), 9'800U);  // a bucket here and there was full before it was split
  for (std::uint64_t i = 10'000; i < 200'000; ++i) {
    table.store({.board = board(i), .hand = 0}, {.state = State::proven, .plies = 1}, 1);
  }
  EXPECT_GE(kept(0, 10'000), 9'500U);
  EXPECT_LE(kept(10'000, 200'000), 32'768U);
  table.clear();
  EXPECT_EQ(kept(0, 200'000), 0U);
}

TEST_F(ProofTableTest, ForgetsAsOftenAsAsked) {
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_EQ(state({.board = 7, .hand = 0}), State::unknown) << i;
    table.store({.board = 7, .hand = 0}, {.state = State::proven, .plies = 1}, 1);
    ASSERT_EQ(state({.board = 7, .hand = 0}), State::proven) << i;
    table.clear();
  }
}

}  // namespace
}  // namespace fuhyo::mate
