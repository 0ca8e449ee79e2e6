// Games with scores: as records, and in bytes.
#include "tests/support/scored_games.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/csa_reader.h"
#include "engines/record/csa_writer.h"
#include "engines/record/packed_sfen.h"
#include "engines/record/scored_game_codec.h"
#include "engines/record/scored_record.h"
#include "engines/shogi/usi_move.h"
#include "tests/support/expected.h"

namespace fuhyo::record {
namespace {

using shogi::Move;
using shogi::Position;
using test::same;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Move usi(std::string_view text) { return *shogi::parse_usi_move(text); }
Game csa(std::string_view text) { return parse_csa("PI\n+\n" + std::string(text))->front().game; }

TEST(ScoredRecords, CommentsAreScoresOfTheMover) {
  const auto game = scored_game(csa("+7776FU\n'** 30 -3334FU\n-3334FU\n'** 40\n+2726FU\n-8384FU\n'** -99999999999\n"));
  ASSERT_TRUE(game) << game.error();
  ASSERT_EQ(game->moves.size(), 4U);
  EXPECT_EQ(game->moves[0].score, 30);
  EXPECT_EQ(game->moves[1].score, -40);
  EXPECT_FALSE(game->moves[2].score);
  EXPECT_EQ(game->moves[3].score, kMaxScore);
  EXPECT_FALSE(scored_game(csa("'** 5\n+7776FU\n'* hello\n'** x\n"))->moves[0].score);
}

TEST(ScoredRecords, TheEndSaysWhoHasWon) {
  const struct {
    const char* text;
    Winner winner;
    ScoredEnd end;
  } kEnds[] = {
      {"+7776FU\n%TORYO\n", Winner::black, ScoredEnd::no_move},
      {"+7776FU\n-3334FU\n%TSUMI\n", Winner::white, ScoredEnd::no_move},
      {"+7776FU\n%TIME_UP\n", Winner::black, ScoredEnd::unknown},
      {"+7776FU\n%KACHI\n", Winner::white, ScoredEnd::declaration},
      {"+7776FU\n%+ILLEGAL_ACTION\n", Winner::white, ScoredEnd::unknown},
      {"+7776FU\n%-ILLEGAL_ACTION\n", Winner::black, ScoredEnd::unknown},
      {"+7776FU\n%SENNICHITE\n", Winner::nobody, ScoredEnd::repetition},
      {"+7776FU\n%SENNICHITE\n'summary:oute_sennichite:a lose:b win\n", Winner::white, ScoredEnd::repetition},
      {"+7776FU\n%KACHI\n%KACHI\n'summary:illegal kachi:a win:b lose\n", Winner::black, ScoredEnd::unknown},
      {"+7776FU\n%KACHI\n'summary:kachi:a draw:b draw\n", Winner::nobody, ScoredEnd::adjudicated},
      {"+7776FU\n%CHUDAN\n", Winner::nobody, ScoredEnd::unknown},
      {"+7776FU\n%MAX_MOVES\n", Winner::nobody, ScoredEnd::move_limit},
      {"+7776FU\n'summary:abnormal:a win:b lose\n", Winner::black, ScoredEnd::unknown},
      {"+7776FU\n", Winner::nobody, ScoredEnd::unknown},
  };
  for (const auto& each : kEnds) {
    const auto game = scored_game(csa(each.text));
    ASSERT_TRUE(game) << each.text << game.error();
    EXPECT_EQ(game->winner, each.winner) << each.text;
    EXPECT_EQ(game->end, each.end) << each.text;
  }
}

// Before 2008-05 shogi-server named the loser and the winner as they had moved, not Black first.
TEST(ScoredRecords, NamesSayWhoseResultASummaryTells) {
  const auto winner = [](std::string_view names, std::string_view sides) {
    const std::string text = std::string(names) + "PI\n+\n+7776FU\n'summary:uchifuzume:" + std::string(sides) + "\n";
    return scored_game(read_csa(text)->games.front().game)->winner;
  };
  EXPECT_EQ(winner("N+a\nN-b\n", "b lose:a win"), Winner::black);
  EXPECT_EQ(winner("N+a\nN-b\n", "a win:b lose"), Winner::black);
  EXPECT_EQ(winner("N+a\nN-b\n", "b win:a lose"), Winner::white);
  EXPECT_EQ(winner("N+a b\nN-c\n", "c lose:a b win"), Winner::black);
  EXPECT_EQ(winner("N+a\nN-a\n", "a lose:a win"), Winner::white) << "by the order";
  EXPECT_EQ(winner("", "b lose:a win"), Winner::white) << "by the order";
  EXPECT_EQ(winner("N+a\nN-b\n", "a win:b win"), Winner::nobody);
}

TEST(ScoredRecords, IllegalMovesAreErrorsUnlessTheyEndTheGame) {
  EXPECT_THAT(scored_game(csa("+2726FU\n-3334FU\n+8822KA\n%TORYO\n")).error(), HasSubstr("move 3, 8h2b, is illegal: "));
  const auto game = scored_game(csa("+2726FU\n-3334FU\n+8822KA\n%ILLEGAL_MOVE\n"));
  ASSERT_TRUE(game) << game.error();
  EXPECT_EQ(game->moves.size(), 2U);
  EXPECT_EQ(game->winner, Winner::white);
  EXPECT_FALSE(scored_game(csa("+2726FU\n-3334FU\n+8822KA\n-8384FU\n%ILLEGAL_MOVE\n")));
}

TEST(ScoredRecords, ComeBackAsTheyWere) {
  const std::pair<Winner, ScoredEnd> kKept[] = {{Winner::black, ScoredEnd::no_move},
                                                {Winner::nobody, ScoredEnd::repetition},
                                                {Winner::nobody, ScoredEnd::move_limit},
                                                {Winner::white, ScoredEnd::declaration},
                                                {Winner::nobody, ScoredEnd::unknown}};
  for (const auto& [winner, end] : kKept) {
    const ScoredGame game{
        .start = {}, .moves = {{usi("7g7f"), 31}, {usi("3c3d"), {}}, {usi("2g2f"), -5}}, .winner = winner, .end = end};
    const auto back = scored_game(parse_csa(write_csa(record_of(game), CsaVersion::v3_0))->front().game);
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(back->moves, game.moves);
    EXPECT_EQ(back->winner, winner);
    EXPECT_EQ(back->end, end);
  }
  const ScoredGame lost{.start = {}, .moves = {{usi("7g7f"), 31}}, .winner = Winner::white};
  EXPECT_EQ(record_of(lost).end.kind, EndKind::black_illegal);
}

Bytes bytes_of(const ScoredGame& game) {
  Bytes out;
  const auto appended = append_scored_game(out, game);
  EXPECT_TRUE(appended) << appended.error();
  return out;
}

std::expected<ScoredGame, std::string> game_of(ByteView bytes, MoveCheck check = MoveCheck::legal) {
  ByteReader in(bytes);
  auto game = take_scored_game(in, check);
  if (game) EXPECT_TRUE(in.rest().empty());
  return game;
}

ScoredGame standard(std::vector<ScoredMove> moves) { return {.start = Position(), .moves = std::move(moves)}; }

std::string defect(ByteView bytes) { return test::error_of(game_of(bytes)); }

// By hand. 7g7f: from 60 to 59, (60*81+59)*2 = 9838 = 0x266e. 3c3d: from 20 to 21, (20*81+21)*2 = 3282 = 0x0cd2. Kinds
// of scores in the top bits. The second score is expected at -30, and is 40 less: 39 in a byte. The third one, 2g2f (15
// to 14, 0x99a), is expected at (30 + 70) / 2 and is that; the fourth one, 8c8d (65 to 66, 0x29a6), has none.
TEST(ScoredGameCodec, ByteByByte) {
  const Bytes bytes = bytes_of({.start = Position(),
                                .moves = {{usi("7g7f"), 30}, {usi("3c3d"), -70}, {usi("2g2f"), 50}, {usi("8c8d"), {}}},
                                .winner = Winner::white,
                                .end = ScoredEnd::move_limit});
  EXPECT_THAT(bytes, ElementsAre(2 | 4 << 2, 4,          //
                                 0x6e, 0x26 | 0x40, 30,  //
                                 0xd2, 0x0c | 0x80, 39,  //
                                 0x9a, 0x09 | 0x40, 0,   //
                                 0xa6, 0x29));
}

TEST(ScoredGameCodec, DropsPromotionsAndFarScores) {
  ScoredGame game{.start = *Position::from_sfen("4k4/9/9/9/9/9/9/9/4K3R b G 101"),
                  .moves = {{usi("G*5b"), std::int16_t{32'000}}},
                  .winner = Winner::black,
                  .end = ScoredEnd::no_move};
  // Start by PackedSfen after 100 moves; then one move: a gold (7) on 5b (37), (87*81+37)*2 = 14168 = 0x3758; 32,000.
  const Bytes bytes = bytes_of(game);
  ASSERT_EQ(bytes.size(), 1 + PackedSfen::kSize + 1 + 1 + 4);
  EXPECT_THAT(Bytes(bytes.begin() + 33, bytes.end()), ElementsAre(100, 1, 0x58, 0x37 | 0xc0, 0x00, 0x7d));
  EXPECT_EQ(bytes[0], 1 | 1 << 2 | 1 << 5);
  EXPECT_TRUE(same(*game_of(bytes), game));
  game = {.start = *Position::from_sfen("4k4/8R/9/9/9/9/9/9/4K4 b - 1"), .moves = {{usi("1b1a+"), {}}}};
  EXPECT_TRUE(same(*game_of(bytes_of(game)), game));
}

// Around every change of the number of bytes, and at the ends of what fits.
TEST(ScoredGameCodec, EveryScoreComesBack) {
  for (const int first : {-32'768, -31'000, -1, 0, 1, 31'000, 32'767}) {
    for (const int about : {-32'768, -32'512, -512, -257, -256, -255, -1, 0, 1, 255, 256, 257, 512, 32'511, 32'767}) {
      for (int second = about - 2; second <= about + 2; ++second) {
        const int score = std::clamp(second - first, -32'768, 32'767);
        const ScoredGame game =
            standard({{usi("7g7f"), static_cast<std::int16_t>(first)},
                      {usi("3c3d"), static_cast<std::int16_t>(score)},
                      {usi("2g2f"), static_cast<std::int16_t>(std::clamp(second, -32'768, 32'767))}});
        ASSERT_TRUE(same(*game_of(bytes_of(game)), game)) << first << ' ' << second;
      }
    }
  }
}

TEST(ScoredGameCodec, RandomGamesComeBackOneBehindTheOther) {
  const auto games = test::random_games(400, 5);
  Bytes all;
  for (const ScoredGame& game : games) ASSERT_TRUE(append_scored_game(all, game));
  for (const MoveCheck check : {MoveCheck::legal, MoveCheck::trusted}) {
    ByteReader in(all);
    for (const ScoredGame& game : games) {
      const auto back = take_scored_game(in, check);
      ASSERT_TRUE(back) << back.error();
      ASSERT_TRUE(same(*back, game)) << game.start.sfen();
    }
    EXPECT_TRUE(in.rest().empty());
  }
}

TEST(ScoredGameCodec, WhatCannotBeWrittenLeavesNothing) {
  Bytes out = {7};
  ScoredGame game{.start = *Position::from_sfen("4k4/9/9/9/9/9/9/9/RRR1K4 b - 1", shogi::Pieces::ANY_NUMBER),
                  .moves = {}};
  EXPECT_THAT(append_scored_game(out, game).error(), HasSubstr("a set has"));
  game = standard({{usi("7g7f"), 0}, {Move::from_bits(0xffff), 0}});
  EXPECT_THAT(append_scored_game(out, game).error(), HasSubstr("move 2 is none"));
  for (const Move none :
       {Move::drop(shogi::NO_PIECE_TYPE, shogi::make_square(5, 5)), Move::drop(shogi::KING, shogi::make_square(5, 5)),
        Move::from_bits(Move::drop(shogi::PAWN, shogi::make_square(5, 5)).bits() | 1 << 15),
        Move::board(shogi::SQ_NONE, shogi::make_square(5, 5), false),
        Move::board(shogi::make_square(5, 5), shogi::SQ_NONE, false)}) {
    EXPECT_FALSE(append_scored_game(out, standard({{none, 0}}))) << none.bits();
  }
  EXPECT_THAT(out, ElementsAre(7));
}

TEST(ScoredGameCodec, LimitOfMoves) {
  // To and fro; the fourth repetition is nothing to this codec.
  ScoredGame game{.start = Position(), .moves = {}};
  const Move round[] = {usi("2h3h"), usi("8b7b"), usi("3h2h"), usi("7b8b")};
  for (std::uint32_t i = 0; i < kMaxScoredMoves; ++i) game.moves.push_back({.move = round[i % 4], .score = {}});
  Bytes bytes = bytes_of(game);
  EXPECT_TRUE(same(*game_of(bytes), game));
  game.moves.push_back({.move = round[3], .score = {}});
  EXPECT_THAT(append_scored_game(bytes, game).error(), HasSubstr("at most 65535"));
  EXPECT_THAT(defect(Bytes{0, 0x80, 0x80, 0x04}), HasSubstr("number of moves"));
}

TEST(ScoredGameCodec, IllegalMovesAreRefusedUnlessTrusted) {
  const Bytes bytes = bytes_of(standard({{usi("7g7f"), 0}, {usi("7g7f"), 0}}));
  EXPECT_THAT(defect(bytes), HasSubstr("move 2, '7g7f', is illegal: no such piece"));
  EXPECT_TRUE(game_of(bytes, MoveCheck::trusted));
}

TEST(ScoredGameCodec, BytesThatAreNoGame) {
  EXPECT_THAT(defect({}), HasSubstr("no bytes"));
  EXPECT_THAT(defect(Bytes{3, 0}), HasSubstr("first byte is 0x03"));    // no such winner
  EXPECT_THAT(defect(Bytes{6 << 2, 0}), HasSubstr("first byte"));       // no such end
  EXPECT_THAT(defect(Bytes{0x80, 0}), HasSubstr("first byte"));         // a bit that means nothing
  EXPECT_THAT(defect(Bytes{0x60, 0}), HasSubstr("no known kind"));      // start
  EXPECT_THAT(defect(Bytes{0x20, 0}), HasSubstr("within its start"));   // no 32 bytes
  EXPECT_THAT(defect(Bytes{0x40, 0}), HasSubstr("side to move"));       // empty SFEN
  EXPECT_THAT(defect(Bytes{0x40, 0x81, 2}), HasSubstr("no position"));  // SFEN of 257 bytes
  EXPECT_THAT(defect(Bytes{0x40, 4, 'x'}), HasSubstr("within its start"));
  EXPECT_THAT(defect(Bytes{0}), HasSubstr("number of moves"));
  EXPECT_THAT(defect(Bytes{0, 1, 0x6e}), HasSubstr("before move 1 of 1"));
  EXPECT_THAT(defect(Bytes{0, 1, 0x6e, 0x66}), HasSubstr("score of move 1"));
  EXPECT_THAT(defect(Bytes{0, 1, 0x6e, 0xe6, 0}), HasSubstr("score of move 1"));
  EXPECT_THAT(defect(Bytes{0, 1, 0xff, 0x3f}), HasSubstr("move 1 is none"));
  EXPECT_THAT(defect(Bytes{0, 1, 0x59, 0x37}), HasSubstr("move 1 is none"));  // a gold dropped and promoted
  // 32,767, then one more than what is expected to be -32,767, twice: below what a score can be.
  EXPECT_THAT(defect(Bytes{0, 2, 0x6e, 0xe6, 0xff, 0x7f, 0xd2, 0x8c, 1}), HasSubstr("score of move 2"));
  Bytes late = bytes_of({.start = *Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 2"), .moves = {}});
  late.resize(late.size() - 2);
  late.insert(late.end(), {0xc0, 0x84, 0x3d, 0});  // 1,000,000
  EXPECT_THAT(defect(late), HasSubstr("starts after 1000000 moves"));
}

TEST(ScoredGameCodec, EveryCutIsFound) {
  test::Random random(9);
  const Bytes bytes = bytes_of(test::random_game(random, test::kStarts[7]));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ASSERT_FALSE(game_of(ByteView(bytes).first(length))) << length;
  }
}

TEST(Varint, GoesBothWaysAndEnds) {
  for (const std::uint32_t number : {0U, 127U, 128U, 16'383U, 16'384U, UINT32_MAX}) {
    Bytes bytes;
    put_varint(bytes, number);
    ByteReader in(bytes);
    EXPECT_EQ(in.take_varint(), number);
    EXPECT_TRUE(in.rest().empty());
  }
  for (const Bytes& none :
       {Bytes{}, Bytes{0x80}, Bytes{0xff, 0xff, 0xff, 0xff, 0x10}, Bytes{0x80, 0x80, 0x80, 0x80, 0x80, 0}}) {
    EXPECT_FALSE(ByteReader(none).take_varint());
  }
}

}  // namespace
}  // namespace fuhyo::record
