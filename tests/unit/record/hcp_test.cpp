#include "engines/record/hcp.h"

#include <fmt/format.h>
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

// Lowest bit of each byte first, as they are written.
std::string bits_of(const Hcp& hcp) {
  std::string bits;
  for (const std::uint8_t byte : hcp.bytes) {
    for (int i = 0; i < 8; ++i) bits += (byte >> i & 1) != 0 ? '1' : '0';
  }
  return bits;
}

std::string times(int count, std::string_view code) {
  std::string out;
  for (int i = 0; i < count; ++i) out += code;
  return out;
}

std::string joined(std::string_view parts) {
  std::string out(parts);
  std::erase(out, ' ');
  return out;
}

// A set in one place, by its codes: pawns, lances, knights, silvers, golds, bishops, rooks.
using Codes = std::array<std::string_view, 7>;
constexpr Codes kBlackHand = {"000", "10000", "11000", "10100", "11100", "1111100", "1111110"};
constexpr Codes kWhiteHand = {"001", "10001", "11001", "10101", "11101", "1111101", "1111111"};
constexpr Codes kBox = {"010", "10010", "11010", "10110", "10111", "1111000", "1111010"};
std::string set_of(const Codes& codes, int without = -1) {
  constexpr std::array kCounts = {18, 4, 4, 4, 4, 2, 2};
  std::string out;
  for (int kind = 0; kind < 7; ++kind) {
    const auto i = static_cast<std::size_t>(kind);
    out += times(kCounts[i] - (kind == without ? 1 : 0), codes[i]);
  }
  return out;
}

// By hand: the side to move; 5i is square 44, 0101100 from its highest bit; 5a is 36, 0100100; an empty square is 0.
const std::string kKings = joined("0011010 0010010");

TEST(Hcp, EverythingInOnePlace) {
  EXPECT_EQ(bits_of(*pack_hcp(at("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1"))),
            "0" + kKings + times(79, "0") + set_of(kBlackHand));
  EXPECT_EQ(bits_of(*pack_hcp(at("4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1"))),
            "1" + kKings + times(79, "0") + set_of(kWhiteHand));
  EXPECT_EQ(bits_of(*pack_hcp(at("4k4/9/9/9/9/9/9/9/4K4 b - 1"))), "0" + kKings + times(79, "0") + set_of(kBox));
}

// A piece on 1b, the second square, and the others in the box: its code, then 1 if it is White's, then 1 if it is
// promoted (gold: a 0 before, and nothing after).
TEST(Hcp, OnePieceOnTheBoard) {
  const std::tuple<std::string_view, int, std::string_view> kPieces[] = {
      {"+p", 0, "10 1 1"}, {"L", 1, "1100 0 0"},    {"+n", 2, "1110 1 1"},   {"+S", 3, "1101 0 1"},
      {"g", 4, "11110 1"}, {"+B", 5, "111110 0 1"}, {"+r", 6, "111111 1 1"},
  };
  for (const auto& [piece, kind, code] : kPieces) {
    const Position position = at(fmt::format("4k4/8{}/9/9/9/9/9/9/4K4 b - 1", piece));
    EXPECT_EQ(bits_of(*pack_hcp(position)), "0" + kKings + "0" + joined(code) + times(77, "0") + set_of(kBox, kind))
        << piece;
  }
}

// No king is square 81, 1010001. Its own square takes the last bit, which must be zero: here a rook's of the box.
TEST(Hcp, AKingMayBeMissingWhereTheLastBitIsZero) {
  const Position problem = at("8k/9/9/9/9/9/9/9/9 b - 1");
  const auto packed = pack_hcp(problem);
  ASSERT_TRUE(packed);
  EXPECT_EQ(bits_of(*packed), joined("0 1000101 0000000") + times(80, "0") + set_of(kBox).substr(0, 161));
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
