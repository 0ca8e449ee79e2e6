#include "engines/usi/ballot.h"

#include <gtest/gtest.h>
#include <vector>

#include "engines/shogi/usi_move.h"

namespace fuhyo::usi {
namespace {

const shogi::Move kRook = *shogi::parse_usi_move("2g2f"), kBishop = *shogi::parse_usi_move("7g7f");

std::size_t elected(const std::vector<Ballot>& ballots) { return elect(ballots); }

TEST(Ballot, TheOnlyOneIsChosen) { EXPECT_EQ(elected({{.move = kRook, .value = -900}}), 0U); }

TEST(Ballot, TheMoveWithTheMostWeightIsChosenByItsBestBallot) {
  // 210 for the bishop, 200 and 252 for the rook.
  EXPECT_EQ(elected({{.move = kBishop, .value = 1, .depth = 10},
                     {.move = kRook, .value = 0, .depth = 10},
                     {.move = kRook, .value = 1, .depth = 12}}),
            2U);
}

TEST(Ballot, ABetterValueOutweighsALittleDepth) {
  EXPECT_EQ(elected({{.move = kBishop, .value = 0, .depth = 12}, {.move = kRook, .value = 100, .depth = 10}}), 1U);
}

TEST(Ballot, AProvenMateDecidesWhateverTheOthersSay) {
  EXPECT_EQ(elected({{.move = kBishop, .value = 500, .depth = 30},
                     {.move = kBishop, .value = 500, .depth = 30},
                     {.move = kRook, .value = 31'990, .depth = 9, .win = true},
                     {.move = kRook, .value = 31'980, .depth = 9, .win = true}}),
            2U);
}

TEST(Ballot, OneThatHasCompletedNothingOrHasABoundIsNotChosen) {
  EXPECT_EQ(elected({{.move = kBishop, .depth = 5}, {.move = kRook, .value = 900, .depth = 0}}), 0U);
  EXPECT_EQ(elected({{.move = kBishop, .depth = 5}, {.move = kRook, .value = 900, .depth = 9, .exact = false}}), 0U);
}

}  // namespace
}  // namespace fuhyo::usi
