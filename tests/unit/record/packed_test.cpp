// Positions and games as YaneuraOu, Apery and dlshogi pack them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "engines/record/hcp.h"
#include "engines/record/hcpe.h"
#include "engines/record/packed_sfen.h"
#include "engines/record/training.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "tests/support/scored_games.h"
#include "tests/support/training_inputs.h"

namespace fuhyo::record {
namespace {

using shogi::Move;
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

// Its own square takes the last bit, which must be zero: here that of a piece in the box. What others pack is in
// tests/golden/training_test.cpp.
TEST(PackedSfen, AKingMayBeMissingWhereTheLastBitIsZeroAndNothingBeyondASetIsThere) {
  for (const std::string_view sfen : {"8k/9/8P/9/9/9/9/9/9 b G 1", "8k/9/9/9/9/9/9/9/9 b - 1"}) {
    const Position problem = at(sfen);
    const auto packed = pack(problem);
    const auto hcp = pack_hcp(problem);
    ASSERT_TRUE(packed && hcp) << sfen;
    EXPECT_EQ(unpack(*packed)->sfen(), sfen);
    EXPECT_EQ(unpack(*hcp)->sfen(), sfen);
    EXPECT_NE(packed->bytes, hcp->bytes) << "these are two formats";
  }
  for (const std::string_view sfen : {"8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
                                      "8k/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1", "4k4/9/9/9/9/9/9/9/RRR1K4 b - 1"}) {
    const auto position = Position::from_sfen(sfen, shogi::Pieces::ANY_NUMBER);
    ASSERT_TRUE(position) << sfen;
    EXPECT_FALSE(pack(*position)) << sfen;
    EXPECT_FALSE(pack_hcp(*position)) << sfen;
  }
  PackedSfen a, b;
  a.bytes[0] = 1;
  b.bytes[31] = 255;
  EXPECT_GT(a, b) << "they are ordered by their bytes";
}

// Whichever bit is another one: it is a position or an error.
template <class Packed>
void expect_positions_or_errors(const Packed& start) {
  int positions = 0;
  for (unsigned bit = 0; bit < 8 * 32; ++bit) {
    Packed packed = start;
    packed.bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    const auto back = unpack(packed);
    if (!back) continue;
    ++positions;
    EXPECT_TRUE(Position::from_sfen(back->sfen()));
  }
  EXPECT_GT(positions, 0);
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
  expect_positions_or_errors(*pack(Position()));
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

TEST(Hcp, RandomPositionsComeBack) {
  for (const auto& drawn : test::training_inputs().positions) {
    const auto packed = pack_hcp(drawn.position);
    ASSERT_TRUE(packed) << drawn.position.sfen();
    ASSERT_EQ(unpack(*packed, drawn.position.ply())->sfen(), drawn.position.sfen());
  }
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
  expect_positions_or_errors(*pack_hcp(Position()));
}

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

Move usi(std::string_view text) { return *shogi::parse_usi_move(text); }

Bytes from(const Bytes& bytes, std::size_t offset) {
  return {bytes.begin() + static_cast<std::ptrdiff_t>(offset), bytes.end()};
}

TEST(Hcpe, ThirtyEightBytes) {
  const Hcpe value{
      .position = *pack_hcp(Position()), .score = -2, .move = usi("7g7f"), .winner = Winner::white, .padding = 9};
  Bytes bytes;
  append_hcpe(bytes, value);
  ASSERT_EQ(bytes.size(), Hcpe::kSize);
  EXPECT_THAT(from(bytes, 32), ElementsAre(0xfe, 0xff, (60 << 7 | 59) & 0xff, (60 << 7 | 59) >> 8, 2, 9));
  EXPECT_EQ(hcpe(bytes), value);
  bytes[36] = 3;
  EXPECT_THAT(hcpe(bytes).error(), HasSubstr("3 is no result"));
  bytes[35] = 0xff;
  EXPECT_THAT(hcpe(bytes).error(), HasSubstr("0xff3b is no move"));
}

Hcpe3Game two_moves() {
  return {.start = *pack_hcp(Position()),
          .moves = {{.move = usi("7g7f"), .score = 100, .candidates = {{usi("7g7f"), 7}, {usi("2g2f"), 258}}},
                    {.move = usi("3c3d"), .score = -1}},
          .winner = Winner::black,
          .flags = Hcpe3Game::kRepetition,
          .opponent = 2};
}

TEST(Hcpe3, ByteByByte) {
  Bytes bytes;
  ASSERT_TRUE(append_hcpe3(bytes, two_moves()));
  constexpr int k7g7f = 60 << 7 | 59, k2g2f = 15 << 7 | 14, k3c3d = 20 << 7 | 21;
  EXPECT_THAT(from(bytes, 32), ElementsAre(2, 0, 1 | 4, 2,                                // moves, result, who played
                                           k7g7f & 0xff, k7g7f >> 8, 100, 0, 2, 0,        // a move with two candidates
                                           k7g7f & 0xff, k7g7f >> 8, 7, 0,                //
                                           k2g2f & 0xff, k2g2f >> 8, 2, 1,                //
                                           k3c3d & 0xff, k3c3d >> 8, 0xff, 0xff, 0, 0));  // and one without
  EXPECT_EQ(hcpe3(bytes), two_moves());
}

TEST(Hcpe3, SizeIsKnownAsSoonAsItCanBe) {
  Bytes bytes;
  ASSERT_TRUE(append_hcpe3(bytes, two_moves()));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_GT(*hcpe3_size(ByteView(bytes).first(length)), length);
  }
  EXPECT_EQ(*hcpe3_size(bytes), bytes.size());
  bytes.push_back(1);
  EXPECT_EQ(*hcpe3_size(bytes), bytes.size() - 1);
}

TEST(Hcpe3, LimitsAndBadBytes) {
  Hcpe3Game game = two_moves();
  Bytes bytes;
  game.moves[1].candidates.resize(kMaxCandidates);
  EXPECT_TRUE(append_hcpe3(bytes, game));
  EXPECT_EQ(hcpe3(bytes), game);
  game.moves[1].candidates.resize(kMaxCandidates + 1);
  EXPECT_FALSE(append_hcpe3(bytes, game));
  game.moves.assign(kMaxHcpe3Moves, {});
  EXPECT_TRUE(append_hcpe3(bytes, game));
  game.moves.push_back({});
  EXPECT_FALSE(append_hcpe3(bytes, game));

  bytes.clear();
  ASSERT_TRUE(append_hcpe3(bytes, two_moves()));
  const auto error_at = [&](std::size_t at, std::uint8_t value) {
    Bytes changed = bytes;
    changed[at] = value;
    const auto size = hcpe3_size(changed);
    return size ? hcpe3(changed).error() : size.error();
  };
  EXPECT_THAT(error_at(34, 3), HasSubstr("3 is no result"));
  EXPECT_THAT(error_at(37, 0xff), HasSubstr("is no move"));
  EXPECT_THAT(error_at(43, 0xff), HasSubstr("is no move"));
  EXPECT_THAT(error_at(41, 0xff), HasSubstr("move 1 has 65282 candidates"));
}

TEST(Training, PositionsGoBothWays) {
  for (const std::string_view sfen : {"4k4/9/9/9/9/9/9/9/4K4 b 2R 7", "4k4/9/9/9/9/9/9/9/4K4 w 2r 8"}) {
    for (const Winner winner : {Winner::nobody, Winner::black, Winner::white}) {
      const ScoredPosition scored{*Position::from_sfen(sfen), usi("R*5e"), -77, winner};
      const auto psv = packed_sfen_value(scored);
      const auto other = hcpe(scored);
      const auto from_psv = scored_position(*psv), from_hcpe = scored_position(*other);
      for (const auto& back : {from_psv, from_hcpe}) {
        ASSERT_TRUE(back);
        EXPECT_TRUE(back->position.same_as(scored.position));
        EXPECT_EQ(std::tuple(back->move, back->score, back->winner), std::tuple(scored.move, scored.score, winner));
      }
      EXPECT_EQ(from_psv->position.ply(), scored.position.ply());
      EXPECT_EQ(from_hcpe->position.ply(), sfen.ends_with('7') ? 0 : 1);
    }
  }
  EXPECT_EQ(packed_sfen_value({Position(), usi("7g7f"), 0, Winner::white})->result, -1);
  EXPECT_EQ(packed_sfen_value({Position(), usi("7g7f"), 0, Winner::black})->result, 1);
}

TEST(Training, WhatCannotBe) {
  const std::string_view start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - ";
  const auto numbered = [&](int number) { return *Position::from_sfen(std::string(start) + std::to_string(number)); };
  EXPECT_EQ(packed_sfen_value({numbered(65'535), usi("7g7f"), 0, {}})->game_ply, 65'535);
  EXPECT_FALSE(packed_sfen_value({numbered(65'536), usi("7g7f"), 0, {}}));
  EXPECT_TRUE(hcpe(ScoredPosition{numbered(65'536), usi("7g7f"), 0, {}}));
  const Position no_king = *Position::from_sfen("8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
  EXPECT_FALSE(packed_sfen_value({no_king, usi("G*1b"), 0, {}}));
  EXPECT_FALSE(hcpe(ScoredPosition{no_king, usi("G*1b"), 0, {}}));
  EXPECT_FALSE(hcpe3({.start = no_king, .moves = {}}));
  PackedSfenValue value = *packed_sfen_value({Position(), usi("7g7f"), 0, {}});
  value.move = usi("7g7e");
  EXPECT_THAT(scored_position(value).error(), HasSubstr("7g7e is illegal"));
  value.result = 2;
  EXPECT_THAT(scored_position(value).error(), HasSubstr("2 is no result"));
  value = *packed_sfen_value({Position(), usi("7g7f"), 0, {}});
  value.game_ply = 0;
  EXPECT_EQ(scored_position(value)->position.ply(), 0);
}

TEST(Training, GamesGoBothWays) {
  for (const ScoredGame& game : test::random_games(60, 8)) {
    const auto packed = hcpe3(game);
    if (!packed) continue;
    const auto back = scored_game(*packed);
    ASSERT_TRUE(back) << back.error();
    EXPECT_TRUE(back->start.same_as(game.start));
    EXPECT_EQ(back->moves, game.moves);
    EXPECT_EQ(back->winner, game.winner);
    const bool kept =
        game.end == ScoredEnd::repetition || game.end == ScoredEnd::declaration || game.end == ScoredEnd::move_limit;
    EXPECT_EQ(back->end, kept ? game.end : ScoredEnd::unknown);
    EXPECT_EQ(hcpe3(*back), packed);
  }
  Hcpe3Game illegal = two_moves();
  illegal.moves[1].move = usi("7g7f");
  EXPECT_THAT(scored_game(illegal).error(), HasSubstr("move 2: the move 7g7f is illegal"));
}

}  // namespace
}  // namespace fuhyo::record
