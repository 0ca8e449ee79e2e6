#include "engines/record/packed_sfen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "engines/shogi/movegen.h"

namespace fuhyo::record {
namespace {

using shogi::Position;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Position at(std::string_view sfen) {
  auto position = Position::from_sfen(sfen);
  EXPECT_TRUE(position) << position.error().message;
  return *position;
}

// What others pack is in tests/golden/training_test.cpp. By hand, lowest bit first: White to move; kings on 5i (44) and
// 5a (36); the first square, 1a, is empty and the second one, 1b, holds White's promoted pawn. Everything else is in
// Black's hand, which begins with its 17 pawns.
TEST(PackedSfen, BitByBit) {
  const auto packed = pack(at("4k4/8+p/9/9/9/9/9/9/4K4 w 17P4L4N4S4G2B2R 1"));
  ASSERT_TRUE(packed);
  std::string bits;
  for (const std::uint8_t byte : packed->bytes) {
    for (int i = 0; i < 8; ++i) bits += (byte >> i & 1) != 0 ? '1' : '0';
  }
  const std::string expected = std::string("1") + "0011010" + "0010010" + "0" + "1011" + std::string(77, '0') +
                               std::string(17 * 3, '0');  // a pawn in hand: code without its first bit, 0, colour
  EXPECT_EQ(bits.substr(0, expected.size()), expected);
  // Then lances: code 0011 without its lowest bit (1, 0, 0), never promoted, Black's.
  EXPECT_EQ(bits.substr(expected.size(), 20), "10000100001000010000");
}

TEST(PackedSfen, RandomGamesComeBack) {
  std::mt19937 random(7);
  // With a full set, with handicaps, and with most of the pieces in the box.
  for (const std::string_view start :
       {Position::kStartSfen, std::string_view("1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        std::string_view("4k4/9/9/9/9/9/9/9/4K4 b 2r2b9p 1"), std::string_view("8k/9/8P/9/9/9/4g4/9/K8 b GR4n 1")}) {
    for (int game = 0; game < 10; ++game) {
      Position position = at(start);
      for (int ply = 0; ply < 120; ++ply) {
        const auto moves = shogi::legal_moves(position);
        if (moves.empty()) break;
        position.do_move(moves[random() % moves.size()]);
        const auto packed = pack(position);
        ASSERT_TRUE(packed) << position.sfen();
        const auto back = unpack(*packed, position.ply());
        ASSERT_TRUE(back) << back.error();
        ASSERT_EQ(back->sfen(), position.sfen());
      }
    }
  }
}

TEST(PackedSfen, AKingMayBeMissingWhereTheLastBitIsZero) {
  const Position problem = at("8k/9/8P/9/9/9/9/9/9 b G 1");  // the rest in the box: the last bit is a box piece's
  const auto packed = pack(problem);
  ASSERT_TRUE(packed);
  EXPECT_EQ(unpack(*packed)->sfen(), problem.sfen());
  EXPECT_FALSE(pack(at("8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")));
}

TEST(PackedSfen, MorePiecesThanASetAreRefused) {
  const auto position = Position::from_sfen("4k4/9/9/9/9/9/9/9/RRR1K4 b - 1", shogi::Pieces::ANY_NUMBER);
  ASSERT_TRUE(position);
  EXPECT_FALSE(pack(*position));
}

TEST(PackedSfen, BytesThatAreNoPosition) {
  PackedSfen packed = *pack(Position());
  packed.bytes[0] = 0xff;  // Black's king on square 127
  EXPECT_THAT(unpack(packed).error(), HasSubstr("beside the board"));
  packed = *pack(Position());
  packed.bytes[1] = static_cast<std::uint8_t>(44 & 0x7f);  // White's king where Black's stands
  EXPECT_FALSE(unpack(packed));
  packed.bytes.fill(0xff);
  EXPECT_FALSE(unpack(packed));
  packed.bytes.fill(0);
  EXPECT_FALSE(unpack(packed));  // both kings on 1a
  int positions = 0;
  for (unsigned bit = 0; bit < 8 * 32; ++bit) {
    packed = *pack(Position());
    packed.bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    const auto back = unpack(packed);
    if (!back) continue;
    ++positions;
    EXPECT_TRUE(Position::from_sfen(back->sfen()));
  }
  EXPECT_GT(positions, 0);
}

TEST(PackedSfen, AreOrderedByTheirBytes) {
  PackedSfen a, b;
  a.bytes[0] = 1;
  b.bytes[31] = 255;
  EXPECT_GT(a, b);
}

TEST(PackedSfenValue, FortyBytes) {
  const PackedSfenValue value{.position = *pack(Position()),
                              .score = -2,
                              .move = shogi::Move::drop(shogi::GOLD, shogi::make_square(5, 5)),
                              .game_ply = 0x0203,
                              .result = -1,
                              .padding = 1};
  const auto bytes = to_bytes(value);
  // Little-endian: -2, a gold dropped on 5e (bit 14, the kind, the square), 515, -1, the flag.
  constexpr int kMove = 1 << 14 | shogi::GOLD << 7 | 40;
  const std::vector<int> tail(bytes.begin() + 32, bytes.end());
  EXPECT_THAT(tail, ElementsAre(0xfe, 0xff, kMove & 0xff, kMove >> 8, 0x03, 0x02, 0xff, 0x01));
  EXPECT_EQ(packed_sfen_value(bytes), value);
}

}  // namespace
}  // namespace fuhyo::record
