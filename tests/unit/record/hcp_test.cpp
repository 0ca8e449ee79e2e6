#include "engines/record/hcp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/packed_sfen.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "tests/support/training_inputs.h"

namespace fuhyo::record {
namespace {

using shogi::Move;
using shogi::Position;
using ::testing::HasSubstr;

Position at(std::string_view sfen) {
  auto position = Position::from_sfen(sfen);
  EXPECT_TRUE(position) << position.error().message;
  return *position;
}

// No king is square 81. Its own square takes the last bit, which must be zero: here a rook's of the box. What others
// pack is in tests/golden/training_test.cpp.
TEST(Hcp, AKingMayBeMissingWhereTheLastBitIsZero) {
  const Position problem = at("8k/9/9/9/9/9/9/9/9 b - 1");
  const auto packed = pack_hcp(problem);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->bytes[0], 81 << 1 & 0xff);
  EXPECT_EQ(unpack(*packed)->sfen(), problem.sfen());
  EXPECT_FALSE(pack_hcp(at("8k/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1")));
}

TEST(Hcp, RandomPositionsComeBack) {
  for (const auto& drawn : test::training_inputs().positions) {
    const auto packed = pack_hcp(drawn.position);
    ASSERT_TRUE(packed) << drawn.position.sfen();
    ASSERT_EQ(unpack(*packed, drawn.position.ply())->sfen(), drawn.position.sfen());
  }
}

TEST(Hcp, MorePiecesThanASetAreRefused) {
  EXPECT_FALSE(pack_hcp(*Position::from_sfen("4k4/9/9/9/9/9/9/9/RRR1K4 b - 1", shogi::Pieces::ANY_NUMBER)));
}

TEST(Hcp, BytesThatAreNoPosition) {
  Hcp hcp = *pack_hcp(Position());
  hcp.bytes[0] = 0xff;
  EXPECT_THAT(unpack(hcp).error(), HasSubstr("beside the board"));
  hcp.bytes.fill(0);
  EXPECT_THAT(unpack(hcp).error(), HasSubstr("on one square"));
  // A rook in a hand whose seventh bit is there, but not its first five, is nothing: 10001 is a lance, 1111001 nothing.
  hcp = *pack_hcp(at("4k4/9/9/9/9/9/9/9/4K4 b - 1"));
  hcp.bytes[31] |= 0x80;
  EXPECT_THAT(unpack(hcp).error(), HasSubstr("a hand holds no known piece"));
  int positions = 0;
  for (unsigned bit = 0; bit < 8 * 32; ++bit) {
    hcp = *pack_hcp(Position());
    hcp.bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    const auto back = unpack(hcp);
    if (!back) continue;
    ++positions;
    EXPECT_TRUE(Position::from_sfen(back->sfen()));
  }
  EXPECT_GT(positions, 0);
}

TEST(Hcp, IsNotPackedSfen) { EXPECT_NE(pack_hcp(Position())->bytes, pack(Position())->bytes); }

// 7g7f: 60 to 59; a pawn dropped on 5e is 81 to 40; 8h2b+: 70 to 10 and bit 14.
TEST(AperyMoves, ByHandAndAll) {
  const auto bits = [](std::string_view usi) { return apery_bits(*shogi::parse_usi_move(usi)); };
  EXPECT_EQ(bits("7g7f"), 60 << 7 | 59);
  EXPECT_EQ(bits("P*5e"), 81 << 7 | 40);
  EXPECT_EQ(bits("G*5e"), 87 << 7 | 40);
  EXPECT_EQ(bits("8h2b+"), 1 << 14 | 70 << 7 | 10);
  int moves = 0;
  for (unsigned number = 0; number < 0x10000; ++number) {
    const auto move = move_of_apery_bits(static_cast<std::uint16_t>(number));
    if (!move) continue;
    ++moves;
    EXPECT_EQ(apery_bits(*move), number);
  }
  EXPECT_EQ(moves, 81 * 81 * 2 + 7 * 81);
  EXPECT_FALSE(move_of_apery_bits(88 << 7 | 40));
  EXPECT_FALSE(move_of_apery_bits(1 << 14 | 81 << 7 | 40)) << "a dropped piece is not promoted";
  EXPECT_FALSE(move_of_apery_bits(60 << 7 | 81));
  EXPECT_FALSE(move_of_apery_bits(1 << 15 | 60 << 7 | 59));
}

}  // namespace
}  // namespace fuhyo::record
