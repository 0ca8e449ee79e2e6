#include "engines/record/hcpe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/training.h"
#include "engines/shogi/usi_move.h"
#include "tests/support/scored_games.h"

namespace fuhyo::record {
namespace {

using shogi::Move;
using shogi::Position;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
