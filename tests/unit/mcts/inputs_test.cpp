#include <random>
#include <set>

#include "engines/mcts/shogi/labels.h"
#include "engines/mcts/shogi/planes.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "tests/oracle/random_games.h"
#include "tests/unit/mcts/slow_planes.h"

namespace fuhyo::mcts {
namespace {

using shogi::Position;

nn::Shape shape_with(std::uint32_t scalars) { return {.scalars = scalars, .channels = 1}; }

Position position_of(std::string_view sfen) {
  const auto position = Position::from_sfen(sfen);
  EXPECT_TRUE(position) << sfen;
  return position.value_or(Position());
}

// Games of moves at random from the normal start and from others, with a look at every position.
template <class Look>
void random_positions(int count, const Look& look) {
  std::mt19937 random(5);
  for (int seen = 0; seen < count;) {
    Position position =
        position_of(random() % 2 == 0 ? std::string(Position::kStartSfen) : oracle::random_start(random));
    for (int ply = 0; ply < 150 && seen < count; ++ply, ++seen) {
      look(position);
      const auto moves = shogi::legal_moves(position);
      if (moves.empty()) break;
      position.do_move(moves[random() % moves.size()]);
    }
  }
}

void expect_slow_planes(const Position& position, std::uint32_t scalars) {
  nn::Batch batch(shape_with(scalars), 1);
  add(position, batch);
  const auto expected = slow_planes(position.sfen(), scalars == kScalarsWithDeclaration);
  ASSERT_EQ(expected.size(), kPlanes + scalars);
  for (std::size_t plane = 0; plane < expected.size(); ++plane) {
    for (std::size_t s = 0; s < 81; ++s) {
      const int found = plane < kPlanes ? static_cast<int>(batch.planes(0)[plane][s / 64] >> (s % 64) & 1)
                                        : static_cast<int>(batch.scalars(0)[plane - kPlanes]);
      ASSERT_EQ(found, expected[plane][s]) << position.sfen() << ", plane " << plane << ", square " << s;
    }
  }
  for (const nn::Plane& plane : batch.planes(0)) ASSERT_EQ(plane[1] >> 17, 0U) << "a square beyond the board";
}

TEST(Planes, AreWhatASlowReadingGives) {
  int white = 0, checks = 0, hands = 0;
  random_positions(600, [&](const Position& position) {
    expect_slow_planes(position, kScalars);
    white += position.side_to_move() == shogi::WHITE ? 1 : 0;
    checks += position.in_check() ? 1 : 0;
    hands += position.hand(shogi::WHITE).empty() ? 0 : 1;
  });
  EXPECT_GT(white, 120);
  EXPECT_GT(checks, 5);
  EXPECT_GT(hands, 120);
}

TEST(Planes, SayWhatADeclarationLacks) {
  random_positions(200, [](const Position& position) { expect_slow_planes(position, kScalarsWithDeclaration); });
  for (const std::string_view sfen : {"8l/+S8/1P4+Sp1/K4p+B1p/PNG1g2G1/2P2P2P/6+n+rk/3r5/L2+lP4 b G2SN7Pbnl2p 1",
                                      "6+B1+P/1K+B3+L2/1+L1G5/5+R2P/7S1/P4P1n1/p1P1p1p1p/6sks/2+r3gP1 w 2GNL6Ps2nl2p 1",
                                      "K+P+P+P+P+P+P+P+P/+P+P+P+P5/9/9/9/9/9/9/4k4 b 2R2B4G4S4N4L6P 1"}) {
    expect_slow_planes(position_of(sfen), kScalarsWithDeclaration);
  }
}

// Which of 31 scalars are 1.
std::set<std::size_t> ones(std::span<const float> scalars) {
  std::set<std::size_t> found;
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (scalars[i] == 1) found.insert(i);
  }
  return found;
}

// Known values, not computed by any code of ours: king in its zone is 0, k pieces short 1 + k, k points short 11 + k.
TEST(Planes, AgreeWithKnownDeclarations) {
  nn::Batch batch(shape_with(kScalarsWithDeclaration), 3);
  add(position_of("8l/+S8/1P4+Sp1/K4p+B1p/PNG1g2G1/2P2P2P/6+n+rk/3r5/L2+lP4 b G2SN7Pbnl2p 1"), batch);
  add(position_of("6+B1+P/1K+B3+L2/1+L1G5/5+R2P/7S1/P4P1n1/p1P1p1p1p/6sks/2+r3gP1 w 2GNL6Ps2nl2p 1"), batch);
  add(Position(), batch);
  const auto own = [&](std::uint32_t i) { return ones(batch.scalars(i).subspan(57, 31)); };
  const auto other = [&](std::uint32_t i) { return ones(batch.scalars(i).subspan(88, 31)); };
  EXPECT_EQ(own(0), (std::set<std::size_t>{1 + 7, 11 + 14}));
  EXPECT_EQ(other(0), (std::set<std::size_t>{0, 1 + 6, 11 + 6}));
  EXPECT_EQ(own(1), (std::set<std::size_t>{0, 1 + 2, 11 + 9}));
  EXPECT_EQ(other(1), (std::set<std::size_t>{0, 1 + 4, 11 + 4}));
  EXPECT_EQ(own(2), (std::set<std::size_t>{}));
  EXPECT_EQ(other(2), (std::set<std::size_t>{}));
}

// Gold stands before bishop and rook among hands, after them among kinds and drops.
TEST(Planes, PutGoldBeforeBishopInHands) {
  nn::Batch batch(shape_with(kScalars), 1);
  add(position_of("4k4/9/9/9/9/9/9/9/4K4 b GB2R 1"), batch);
  EXPECT_EQ(ones(batch.scalars(0)), (std::set<std::size_t>{20, 24, 26, 27}));
}

TEST(Planes, AreOnlyForNetworksOfShogi) {
  EXPECT_TRUE(check_shape(shape_with(kScalars)));
  EXPECT_TRUE(check_shape(shape_with(kScalarsWithDeclaration)));
  const auto refusal = [](const nn::Shape& shape) { return check_shape(shape).error(); };
  EXPECT_EQ(refusal({.edge = 8, .channels = 1}), "its board has 8x8 squares, not 9x9");
  EXPECT_EQ(refusal({.planes = 48, .channels = 1}), "it has 48 input planes where shogi has 62");
  EXPECT_EQ(refusal(shape_with(58)), "it has 58 planes of hands where shogi has 57, or 119 with declarations");
  EXPECT_EQ(refusal({.channels = 1, .policy_planes = 139}), "it has 11259 labels of moves where shogi has 2187");
}

TEST(Labels, TellMovesApartAndComeBack) {
  random_positions(700, [](const Position& position) {
    std::set<std::uint32_t> seen;
    for (const shogi::Move move : shogi::legal_moves(position)) {
      const std::uint32_t label = label_of(move, position.side_to_move());
      ASSERT_LT(label, kLabels);
      ASSERT_TRUE(seen.insert(label).second) << position.sfen() << ' ' << shogi::to_usi(move);
      ASSERT_EQ(move_of(label, position), move) << position.sfen() << ' ' << shogi::to_usi(move);
    }
    for (std::uint32_t label = 0; label < kLabels; ++label) {
      if (!seen.contains(label)) ASSERT_FALSE(move_of(label, position)) << position.sfen() << ' ' << label;
    }
  });
  EXPECT_FALSE(move_of(kLabels, Position()));
}

struct Known {
  std::string_view usi;
  shogi::Color turn;
  std::uint32_t way;
  int file, rank;  // of the label's square
};

TEST(Labels, AreThoseOfDlshogi) {
  using enum shogi::Color;
  const Known all[] = {
      {"7g7f", BLACK, 0, 7, 6},   {"3c3d", WHITE, 0, 7, 6},   {"2h5h", BLACK, 3, 5, 8},  {"5h2h", BLACK, 4, 2, 8},
      {"8h2b", BLACK, 2, 2, 2},   {"2h8b", BLACK, 1, 8, 2},   {"5e5f", BLACK, 5, 5, 6},  {"2b8h", BLACK, 6, 8, 8},
      {"8b2h", BLACK, 7, 2, 8},   {"5g6e", BLACK, 8, 6, 5},   {"5g4e", BLACK, 9, 4, 5},  {"8h2b+", BLACK, 12, 2, 2},
      {"5d6b+", BLACK, 18, 6, 2}, {"5f4h+", WHITE, 18, 6, 2}, {"P*5e", BLACK, 20, 5, 5}, {"L*5e", BLACK, 21, 5, 5},
      {"N*5e", BLACK, 22, 5, 5},  {"S*5e", BLACK, 23, 5, 5},  {"B*5e", BLACK, 24, 5, 5}, {"R*5e", BLACK, 25, 5, 5},
      {"G*1i", BLACK, 26, 1, 9},  {"G*1i", WHITE, 26, 9, 1},
  };
  for (const Known& known : all) {
    const auto move = shogi::parse_usi_move(known.usi);
    ASSERT_TRUE(move) << known.usi;
    const auto square = static_cast<std::uint32_t>((known.file - 1) * 9 + known.rank - 1);
    EXPECT_EQ(label_of(*move, known.turn), known.way * 81 + square) << known.usi;
  }
}

}  // namespace
}  // namespace fuhyo::mcts
