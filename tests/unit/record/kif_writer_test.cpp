#include "engines/record/kif_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/kif_header.h"
#include "engines/record/kif_reader.h"
#include "engines/record/kif_setup.h"
#include "tests/support/expected.h"
#include "tests/unit/record/random_game.h"

namespace fuhyo::record {
namespace {

using namespace shogi;
using testing::ElementsAre;
using testing::HasSubstr;

Game parsed(std::string_view text) { return fuhyo::test::value_of(parse_kif(text)).game; }
std::string ki2(const Game& game) { return fuhyo::test::value_of(write_ki2(game)); }

Game example() {
  Game game;
  game.black = "A";
  game.white = "B";
  game.event = "E";
  game.black_time = game.white_time = TimeControl{.total_ms = 1'500'000, .byoyomi_ms = 10'000};
  game.moves = {{Move::board(make_square(7, 7), make_square(7, 6), false), 12'999},
                {Move::board(make_square(3, 3), make_square(3, 4), false), 3'723'000},
                {Move::board(make_square(8, 8), make_square(2, 2), true), std::nullopt},
                {Move::board(make_square(3, 1), make_square(2, 2), false), 1'000},
                {Move::drop(BISHOP, make_square(5, 5)), 1'000}};
  game.comments = {{1, Comment::Kind::program, false, "one\ntwo"}, {2, Comment::Kind::note, false, "n"}};
  game.end = {EndKind::toryo, 2'000, ""};
  return game;
}

TEST(KifWriter, WritesWhatTheFormatAsksFor) {
  EXPECT_EQ(write_kif(example()),
            "棋戦：E\n持ち時間：25分＋秒読み10秒\n先手：A\n後手：B\n手合割：平手\n手数----指手---------消費時間--\n"
            "   1 ７六歩(77)   ( 0:12/00:00:12)\n*one\n*two\n"
            "   2 ３四歩(33)   (62:03/01:02:03)\n#n\n"
            "   3 ２二角成(88)\n"
            "   4 同　銀(31)   ( 0:01/01:02:04)\n"
            "   5 ５五角打     ( 0:01/00:00:13)\n"
            "   6 投了         ( 0:02/01:02:06)\n"
            "まで5手で先手の勝ち\n");
  EXPECT_EQ(ki2(example()),
            "棋戦：E\n持ち時間：25分＋秒読み10秒\n先手：A\n後手：B\n手合割：平手\n\n"
            "▲７六歩\n*one\n*two\n△３四歩\n#n\n▲２二角成  △同　銀    ▲５五角\nまで5手で先手の勝ち\n");
}

TEST(KifWriter, WritesBoardsAndHandicaps) {
  Game game;
  game.start = handicap_by_name("二枚落ち")->setup;
  game.end.kind = EndKind::chudan;
  EXPECT_THAT(write_kif(game), HasSubstr("下手：\n上手：\n手合割：二枚落ち\n手数"));
  game.end.kind = EndKind::toryo;
  EXPECT_THAT(write_kif(game), HasSubstr("まで0手で下手の勝ち\n"));

  game.start = record::Setup{};
  game.start.board[static_cast<std::size_t>(make_square(5, 1))] = make_piece(WHITE, KING);
  game.start.board[static_cast<std::size_t>(make_square(1, 2))] = make_piece(WHITE, DRAGON);
  game.start.board[static_cast<std::size_t>(make_square(9, 9))] = make_piece(BLACK, PRO_LANCE);
  game.start.hands[BLACK].add(PAWN, 18);
  game.start.turn = WHITE;
  const std::string text = write_kif(game);
  EXPECT_THAT(text, HasSubstr("手合割：その他\n後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n"));
  EXPECT_THAT(text, HasSubstr("| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・v龍|二\n"));
  EXPECT_THAT(text, HasSubstr("| 杏 ・ ・ ・ ・ ・ ・ ・ ・|九\n"));
  EXPECT_THAT(text, HasSubstr("先手の持駒：歩十八　\n後手番\n"));
  EXPECT_EQ(parsed(text), game);
}

// From the start, a handicap, and the middle of a game: hands, promoted pieces, either side to move.
TEST(KifWriter, RandomGamesComeBack) {
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    record::Setup start = handicap_by_name(seed % 3 == 0 ? "香落ち" : "平手")->setup;
    if (seed % 3 == 2) start = final_setup(test::random_game(seed, 60 + static_cast<int>(seed) / 3));
    const Game game = test::random_game(seed + 1000, 20 + static_cast<int>(seed) * 2, start);
    ASSERT_EQ(parsed(write_kif(game)), game) << seed << '\n' << write_kif(game);
    ASSERT_EQ(parsed(ki2(game)), test::in_ki2(game)) << seed << '\n' << ki2(game);
  }
}

TEST(KifWriter, EveryEndComesBackAsItself) {
  for (int kind = 0; kind <= static_cast<int>(EndKind::other); ++kind) {
    for (const std::size_t plies : {0U, 1U, 2U}) {
      Game game = test::without_times(example());
      game.comments.clear();
      game.moves.resize(plies);
      game.end = {.kind = static_cast<EndKind>(kind), .spent_ms = {}, .text = kind == 16 ? "封じ手" : ""};
      Game expected = game;
      // A foul of nobody in particular is that of the side to move.
      if (game.end.kind == EndKind::illegal_move) {
        expected.end.kind = plies % 2 == 0 ? EndKind::black_illegal : EndKind::white_illegal;
      }
      EXPECT_EQ(parsed(write_kif(game)), expected) << kind << '\n' << write_kif(game);
      EXPECT_EQ(parsed(ki2(game)), expected) << kind << '\n' << ki2(game);
    }
  }
}

// For these Kifu for JS knows no last line: KIF has the word alone, KI2 a comment.
TEST(KifWriter, UnusualEndsHaveNoLastLine) {
  Game game = example();
  game.end = {EndKind::kachi, {}, ""};
  game.comments = {{5, Comment::Kind::program, true, "on the end"}};
  EXPECT_THAT(write_kif(game), testing::EndsWith("\n   6 入玉勝ち\n*on the end\n"));
  EXPECT_THAT(ki2(game), testing::EndsWith("▲５五角\n*on the end\n*まで5手で後手の入玉勝ち\n"));
  // A comment that only looks like one stays what it is.
  for (const std::string_view comment : {"まで1手で先手の勝ち", "まで2手で良し", "まで"}) {
    const Game back = parsed("▲７六歩\n*" + std::string(comment) + "\n");
    EXPECT_EQ(back.end.kind, EndKind::none) << comment;
    EXPECT_EQ(back.comments.size(), 1U) << comment;
  }
}

TEST(KifWriter, AFoulIsThatOfWhoMadeTheIllegalMove) {
  Game game;
  game.moves = {{Move::board(make_square(7, 7), make_square(5, 5), false), {}}};
  game.end.kind = EndKind::illegal_move;
  EXPECT_THAT(write_kif(game), HasSubstr("   1 ５五歩(77)\n   2 反則勝ち\nまで1手で後手の反則勝ち\n"));
  EXPECT_EQ(parsed(write_kif(game)).end.kind, EndKind::black_illegal);
  EXPECT_EQ(write_ki2(game).error(), "move 1, +7755FU, cannot be told in words");

  game.moves.clear();
  game.impossible = ImpossibleMove{{BLACK, make_square(5, 5), make_square(5, 4), GOLD}, 7'000};
  EXPECT_THAT(write_kif(game), HasSubstr("   1 ５四金(55)   ( 0:07/00:00:07)\n   2 反則勝ち\n"));
  EXPECT_EQ(parsed(write_kif(game)), game);
  EXPECT_THAT(write_ki2(game).error(), HasSubstr("impossible"));
}

// A game with branches from a branch, of one move, at its end and at the first move; see KifReader.ReadsBranches.
constexpr std::string_view kTree =
    "先手：\n後手：\n手合割：平手\n手数----指手---------消費時間--\n"
    "   1 ７六歩(77)   ( 0:01/00:00:01)+\n   2 ３四歩(33)   ( 0:02/00:00:02)\n   3 ２六歩(27)   +\n   4 投了         "
    "+\n"
    "まで3手で先手の勝ち\n"
    "\n変化：4手\n   4 ８四歩(83)   ( 0:05/00:00:07)\n"
    "\n変化：3手\n*branch\n   3 ６六歩(67)   ( 0:03/00:00:04)+\n*why\n   4 ８四歩(83)\n   5 ６八銀(79)   +\n   6 中断\n"
    "まで5手で中断\n"
    "\n変化：5手\n   5 ７八銀(79)\n"
    "\n変化：3手\n   3 ７五歩(76)\n   4 入玉勝ち\n"
    "\n変化：1手\n   1 ５六歩(57)\n";

TEST(KifWriter, WritesBranches) {
  const Game game = parsed(kTree);
  EXPECT_EQ(write_kif(game), kTree);
  EXPECT_THAT(ki2(game),
              HasSubstr("▲２六歩\nまで3手で先手の勝ち\n\n変化：4手\n△８四歩\n\n変化：3手\n*branch\n▲６六歩\n"
                        "*why\n△８四歩    ▲６八銀\nまで5手で中断\n\n変化：5手\n▲７八銀\n\n変化：3手\n▲７五歩\n"
                        "*まで3手で後手の入玉勝ち\n"));
  EXPECT_EQ(parsed(ki2(game)), test::without_times(game));
  Game illegal = game;
  illegal.branches[0].moves[0].move = Move::board(make_square(8, 3), make_square(5, 5), false);
  EXPECT_EQ(write_ki2(illegal).error(), "a variation: move 4, -8355FU, cannot be told in words");
}

TEST(KifWriter, ValuesMakeNoStatements) {
  Game game;
  game.black = "A\n1 ７六歩(77)";
  game.headers = {{"*x", "1"},          {"1", "2"},    {"a:b", "3"}, {"手合割", "4"},
                  {"先手の持駒", "飛"}, {"まで", "5"}, {"", "6"},    {"ok", "7"}};
  game.comments = {{0, Comment::Kind::unparsed, false, "2 ３四歩(33)"}, {0, Comment::Kind::note, false, "&b\n*c"}};
  game.end = {EndKind::other, {}, "同　歩(1)"};
  const Game back = parsed(write_kif(game));
  EXPECT_EQ(back.black, "A 1 ７六歩(77)");
  EXPECT_EQ(back.plies(), 0);
  EXPECT_THAT(back.headers, ElementsAre(Header{"ok", "7"}));
  EXPECT_EQ(back.start, Setup::standard());
  EXPECT_EQ(back.end, (End{EndKind::other, {}, "その他"}));
  EXPECT_EQ(back.comments.size(), 7U + 1 + 2);  // the headers that cannot be said are remarks
  EXPECT_EQ(write_kif(parsed(write_kif(back))), write_kif(back));
  for (const std::string_view word : {"△投了", "▲７六歩", "a b", "", "７", "a(b"}) {
    game.end.text = word;
    EXPECT_EQ(parsed(write_kif(game)).end.text, "その他") << word;
  }
}

TEST(KifTimes, ParseAndFormat) {
  EXPECT_EQ(parse_kif_time("各５時間"), (TimeControl{.total_ms = 18'000'000}));
  EXPECT_EQ(parse_kif_time("6時間"), (TimeControl{.total_ms = 21'600'000}));
  EXPECT_EQ(parse_kif_time("15分＋30秒"), (TimeControl{.total_ms = 900'000, .byoyomi_ms = 30'000}));
  EXPECT_EQ(parse_kif_time("5分+1手10秒加算"), (TimeControl{.total_ms = 300'000, .increment_ms = 10'000}));
  for (const std::string_view wrong : {"", "各", "5", "15分＋30秒＋（考慮時間10分）", "60分 切れたら1分将棋", "9時間x",
                                       "1手10秒加算", "1分＋1手5秒", "1分＋1秒＋2秒"}) {
    EXPECT_EQ(parse_kif_time(wrong), std::nullopt) << wrong;
  }
  for (const TimeControl time : {TimeControl{}, TimeControl{.total_ms = 5'430'500, .byoyomi_ms = 60'000},
                                 TimeControl{.total_ms = 1, .byoyomi_ms = 2, .increment_ms = 3'600'000}}) {
    EXPECT_EQ(parse_kif_time(format_kif_time(time)), time) << format_kif_time(time);
  }
  Game game;
  game.white_time = TimeControl{.total_ms = 60'000};
  EXPECT_EQ(parsed(write_kif(game)), game);
  game.black_time = TimeControl{.total_ms = 61'000};
  EXPECT_EQ(parsed(write_kif(game)), game);
}

}  // namespace
}  // namespace fuhyo::record
