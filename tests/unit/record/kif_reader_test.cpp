#include "engines/record/kif_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/kif_setup.h"
#include "engines/shogi/usi_move.h"
#include "tests/support/expected.h"

namespace fuhyo::record {
namespace {

using namespace shogi;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

GameFile read(std::string_view text) { return fuhyo::test::value_of(read_kif(text)); }
std::string refusal(std::string_view text) { return fuhyo::test::refusal_of(read_kif(text)); }
std::string moves_of(const Game& game) {
  std::string out;
  for (const RecordedMove& m : game.moves) out += (out.empty() ? "" : " ") + to_usi(m.move);
  return out;
}
std::vector<std::string> warnings_of(std::string_view text) {
  std::vector<std::string> out;
  for (const Diagnostic& each : read(text).warnings) out.push_back(to_string(each));
  return out;
}

constexpr std::string_view kExample =
    "#KIF version=2.0 encoding=UTF-8\n"
    "# ---- 棋譜ファイル ----\n"
    "開始日時：2026/01/02 10:00:00\n"
    "終了日時：2026/01/02 10:11:05\n"
    "棋戦：第１回　杯\n"
    "場所：東京\n"
    "持ち時間：15分＋秒読み30秒\n"
    "戦型：四間飛車\n"
    "備考：a:b\n"
    "最大手数：256\n"
    "手合割：平手　　\n"
    "先手：渡辺　明\n"
    "後手：B\n"
    "後手年齢：30\n"
    "手数----指手---------消費時間--\n"
    "*初めに\n"
    "   1 ７六歩(77)   ( 0:12/00:00:12)+\n"
    "*一手目\n"
    "#remark\n"
    "&栞\n"
    "   2 ３四歩(33)   ( 1:02/00:01:02)\n"
    "   3 ２二角成(88) (61:00/01:01:12)\n"
    "   4 同　銀(31)   ( 0:00/00:01:02)\n"
    "   5 ５五角打     ( 0:01.5/01:01:13)\n"
    "   6 投了         ( 0:03/00:01:05)\n"
    "*終わり\n"
    "まで5手で先手の勝ち\n";

TEST(KifReader, ReadsEverything) {
  const GameFile file = read(kExample);
  const Game& game = file.game;
  EXPECT_THAT(file.warnings, IsEmpty());
  EXPECT_EQ(game.start_time, "2026/01/02 10:00:00");
  EXPECT_EQ(game.end_time, "2026/01/02 10:11:05");
  EXPECT_EQ(game.event, "第１回　杯");
  EXPECT_EQ(game.site, "東京");
  EXPECT_EQ(game.opening, "四間飛車");
  EXPECT_EQ(game.note, "a:b");
  EXPECT_EQ(game.black, "渡辺　明");
  EXPECT_EQ(game.white, "B");
  EXPECT_EQ(game.black_time, (TimeControl{.total_ms = 900'000, .byoyomi_ms = 30'000}));
  EXPECT_EQ(game.white_time, game.black_time);
  EXPECT_EQ(game.max_moves, 256);
  EXPECT_THAT(game.headers, ElementsAre(Header{"後手年齢", "30"}));
  EXPECT_EQ(game.start, Setup::standard());
  EXPECT_EQ(moves_of(game), "7g7f 3c3d 8h2b+ 3a2b B*5e");
  EXPECT_EQ(game.moves[0].spent_ms, 12'000);
  EXPECT_EQ(game.moves[2].spent_ms, 3'660'000);
  EXPECT_EQ(game.moves[4].spent_ms, 1'500);
  EXPECT_EQ(game.end, (End{EndKind::toryo, 3'000, ""}));
  using Kind = Comment::Kind;
  EXPECT_THAT(game.comments,
              ElementsAre(Comment{0, Kind::program, false, "初めに"}, Comment{1, Kind::program, false, "一手目"},
                          Comment{1, Kind::note, false, "remark"}, Comment{1, Kind::note, false, "&栞"},
                          Comment{5, Kind::program, true, "終わり"}));
}

TEST(KifReader, ReadsEveryEncodingAndLineEnd) {
  const Game game = read(kExample).game;
  EXPECT_EQ(read("\xEF\xBB\xBF" + std::string(kExample)).game, game);
  EXPECT_EQ(read(kExample.substr(0, kExample.size() - 1)).game, game) << "without the last line end";
  std::string crlf;
  for (const char c : kExample) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const Encoding encoding : {Encoding::utf8, Encoding::shift_jis, Encoding::euc_jp}) {
    const auto bytes = encode_from_utf8(crlf, encoding);
    ASSERT_TRUE(bytes && bytes->bad == 0);
    const GameFile file = read(bytes->text);
    EXPECT_EQ(file.encoding, encoding);
    EXPECT_EQ(file.game, game);
  }
}

TEST(KifReader, ReadsTimesAsTheyComeOrNot) {
  const Game game =
      read("1 ７六歩(77) (00:31 / 00:00:31)\n2 ３四歩(33)\n3 ２六歩(27) +\n4 ８四歩(83) (1:00:00/)\n5 ２五歩(26) ()\n")
          .game;
  EXPECT_EQ(game.moves[0].spent_ms, 31'000);
  EXPECT_EQ(game.moves[1].spent_ms, std::nullopt);
  EXPECT_EQ(game.moves[2].spent_ms, std::nullopt);
  EXPECT_EQ(game.moves[3].spent_ms, 3'600'000);
  EXPECT_EQ(game.moves[4].spent_ms, std::nullopt);
  EXPECT_THAT(
      warnings_of("1 ７六歩(77) (abc)\n2 ３四歩(33) 0:12\n3 ２六歩(27) (1:2:3:4/)\n4 ８四歩(83) (1000000000:00/)\n"),
      ElementsAre("line 1: not a time: '(abc)'", "line 2: not a time: '0:12'", "line 3: not a time: '(1:2:3:4/)'",
                  "line 4: not a time: '(1000000000:00/)'"));
}

// Each name with the squares of White's board that are empty, and a move that is possible only there.
TEST(KifReader, KnowsTheHandicaps) {
  constexpr std::pair<std::string_view, std::string_view> kBoards[] = {
      {"平手", "lnsgkgsnl/1r5b1"}, {"香落ち", "lnsgkgsn1/1r5b1"}, {"右香落ち", "1nsgkgsnl/1r5b1"},
      {"角落ち", "lnsgkgsnl/1r7"}, {"飛車落ち", "lnsgkgsnl/7b1"}, {"飛香落ち", "lnsgkgsn1/7b1"},
      {"二枚落ち", "lnsgkgsnl/9"}, {"三枚落ち", "lnsgkgsn1/9"},   {"四枚落ち", "1nsgkgsn1/9"},
      {"五枚落ち", "2sgkgsn1/9"},  {"左五枚落ち", "1nsgkgs2/9"},  {"六枚落ち", "2sgkgs2/9"},
      {"左七枚落ち", "2sgkg3/9"},  {"右七枚落ち", "3gkgs2/9"},    {"八枚落ち", "3gkg3/9"},
      {"十枚落ち", "4k4/9"},
  };
  for (const auto& [name, board] : kBoards) {
    const Game game = read("手合割：" + std::string(name) + "\n下手：a\n上手：b\n").game;
    const char turn = name == "平手" ? 'b' : 'w';
    EXPECT_EQ(game.start.sfen(), std::string(board) + "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL " + turn + " - 1")
        << name;
    EXPECT_EQ(game.black, "a");
    EXPECT_EQ(game.white, "b");
  }
  EXPECT_EQ(refusal("手合割：その他\n1 ７六歩(77)\n"), "line 2: no board for the handicap 'その他'");
  EXPECT_EQ(refusal("手合割：トンボ\n1 ７六歩(77)\n"), "line 2: no board for the handicap 'トンボ'");
}

constexpr std::string_view kBoard =
    "後手の持駒：金四　銀三　桂四　香四　歩十八　\n"
    "  ９ ８ ７ ６ ５ ４ ３ ２ １\n"
    "+---------------------------+\n"
    "| ・ ・ ・ ・v玉 ・ ・ ・v龍|一\n"
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n"
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n"
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n"
    "| ・ 全 ・ ・ 王 ・ ・ ・ ・|八\n"
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n"
    "+---------------------------+\n"
    "先手の持駒：飛　角２\n";

TEST(KifReader, ReadsBoards) {
  const std::string board(kBoard);
  const std::string sfen = "4k3+r/9/9/9/9/9/9/1+S2K4/9 b R2B4g3s4n4l18p 1";
  EXPECT_EQ(read(board).game.start.sfen(), sfen);
  EXPECT_EQ(read("手合割：平手\n" + board).game.start.sfen(), sfen);
  EXPECT_EQ(read("手合割：その他　\n" + board + "下手番\n").game.start.sfen(), sfen);
  EXPECT_EQ(read(board + "後手番\n1 ５二玉(51)\n").game.start.turn, WHITE);
  EXPECT_THAT(warnings_of("手合割：詰将棋\n" + board), ElementsAre("line 1: unknown handicap '詰将棋'"));
}

TEST(KifReader, RefusesBrokenBoards) {
  const std::string board(kBoard);
  const auto changed = [&](std::string_view from, std::string_view to) {
    std::string text = board;
    text.replace(text.find(from), from.size(), to);
    return refusal(text);
  };
  EXPECT_THAT(changed("v玉", "v兵"), HasSubstr("line 4: no piece on file 5 of rank 1: "));
  EXPECT_THAT(changed("v龍|", "v龍 ・|"), HasSubstr("line 4: rank 1 does not end after nine squares"));
  EXPECT_EQ(changed("+---------------------------+\n先手", "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n先手"),
            "line 13: the board has more than nine ranks");
  EXPECT_EQ(changed("角２", "角３"), "line 14: more 角 than a set has");
  EXPECT_EQ(changed("角２", "角２飛"), "line 14: more 飛 than a set has");
  EXPECT_EQ(changed("角２", "と"), "line 14: a hand cannot hold 'と'");
  EXPECT_EQ(changed("歩十八", "歩十九"), "line 1: more 歩 than a set has");
  EXPECT_EQ(refusal("| ・ ・ ・ ・ ・ ・ ・ ・ ・|一\n"), "line 1: the board has only 1 ranks");
  EXPECT_EQ(refusal("先手の持駒：歩\n"), "line 1: pieces in hand, but no board");
}

TEST(KifReader, KnowsTheWordsOfEnds) {
  // Black moves next after the second move.
  const std::pair<EndKind, std::vector<std::string>> kinds[] = {{EndKind::toryo, {"投了"}},
                                                                {EndKind::chudan, {"中断"}},
                                                                {EndKind::sennichite, {"千日手"}},
                                                                {EndKind::jishogi, {"持将棋"}},
                                                                {EndKind::time_up, {"切れ負け", "時間切れ"}},
                                                                {EndKind::black_illegal, {"反則負け"}},
                                                                {EndKind::white_illegal, {"反則勝ち"}},
                                                                {EndKind::kachi, {"入玉勝ち", "勝ち宣言"}},
                                                                {EndKind::tsumi, {"詰み", "詰"}},
                                                                {EndKind::fuzumi, {"不詰"}},
                                                                {EndKind::max_moves, {"最大手数"}},
                                                                {EndKind::hikiwake, {"引き分け"}},
                                                                {EndKind::matta, {"待った"}},
                                                                {EndKind::error, {"エラー"}},
                                                                {EndKind::other, {"封じ手", "不戦勝", "不戦敗"}}};
  const std::string moves = "1 ７六歩(77)\n2 ３四歩(33)\n";
  for (const auto& [kind, words] : kinds) {
    for (const std::string& word : words) {
      const GameFile file = read(moves + "   3 " + word + "   ( 0:05/00:00:05)\n");
      EXPECT_EQ(file.game.end, (End{kind, 5'000, kind == EndKind::other ? word : ""})) << word;
      EXPECT_THAT(file.warnings, IsEmpty()) << word;
    }
  }
  EXPECT_EQ(read(moves + "3 謎\n").game.end, (End{EndKind::other, {}, "謎"}));
  EXPECT_THAT(warnings_of(moves + "3 謎\n"), ElementsAre("line 3: unknown end '謎'"));
}

TEST(KifReader, KnowsWhatTheLastLineSays) {
  constexpr std::pair<std::string_view, EndKind> kLines[] = {
      {"まで2手で後手の勝ち", EndKind::toryo},
      {"まで2手で上手の勝ち", EndKind::toryo},
      {"まで2手で中断", EndKind::chudan},
      {"まで2手で時間切れにより後手の勝ち", EndKind::time_up},
      {"まで2手で先手の反則負け", EndKind::black_illegal},
      {"まで2手で後手の反則勝ち", EndKind::black_illegal},
      {"まで2手で先手の反則勝ち", EndKind::white_illegal},
      {"まで2手で先手の入玉勝ち", EndKind::kachi},
      {"まで2手詰", EndKind::tsumi},
      {"まで2手で詰み", EndKind::tsumi},
      {"まで2手で千日手", EndKind::sennichite},
      {"まで２手で持将棋", EndKind::jishogi},
  };
  for (const auto& [line, kind] : kLines) {
    EXPECT_EQ(read("▲７六歩 △３四歩\n" + std::string(line) + "\n").game.end, (End{kind, {}, ""})) << line;
  }
  // Who would have moved has won: no end that has a name.
  EXPECT_EQ(read("▲７六歩 △３四歩\nまで2手で先手の勝ち\n").game.end, (End{EndKind::other, {}, "先手の勝ち"}));
  EXPECT_THAT(warnings_of("▲７六歩 △３四歩\nまで3手で中断\n"), ElementsAre("line 2: speaks of 3 moves; there are 2"));
  // The word in place of a move counts more.
  EXPECT_EQ(read("1 ７六歩(77)\n2 中断\nまで1手で先手の勝ち\n").game.end.kind, EndKind::chudan);
}

// The moves of each branch from the start of the game.
std::vector<std::string> branches_of(const Game& game) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < game.branches.size(); ++i) out.push_back(moves_of(line_of(game, i)));
  return out;
}

TEST(KifReader, ReadsBranches) {
  const std::string text =
      "1 ７六歩(77)\n2 ３四歩(33)+\n3 ６六歩(67)\n4 投了\n*m\nまで3手で先手の勝ち\n\n"
      "変化：4手\n 4 ８四歩(83)\n\n"
      "変化：   2手\n*b\n 2 ８四歩(83) ( 0:07/00:00:07)\n*c\n 3 ２六歩(27)\n 4 中断\n*d\nまで3手で中断\n\n"
      "変化：4手\n 4 ８五歩(84)\n変化:3手\n3 ７五歩(76)\n\n変化：2手\n2 同　歩(33)\n変化：1手\n1 ２六歩(27)\n";
  const GameFile file = read(text);
  EXPECT_EQ(moves_of(file.game), "7g7f 3c3d 6g6f");
  EXPECT_THAT(file.game.comments, ElementsAre(Comment{3, Comment::Kind::program, true, "m"}));
  EXPECT_THAT(branches_of(file.game), ElementsAre("7g7f 3c3d 6g6f 8c8d", "7g7f 8c8d 2g2f", "7g7f 8c8d 2g2f 8d8e",
                                                  "7g7f 8c8d 7f7e", "7g7f 3c7f", "2g2f"));
  const Branch& branch = file.game.branches[1];
  EXPECT_EQ(branch.ply, 1);
  EXPECT_EQ(branch.moves[0].spent_ms, 7'000);
  EXPECT_EQ(branch.end.kind, EndKind::chudan);
  using Kind = Comment::Kind;
  EXPECT_THAT(branch.comments, ElementsAre(Comment{1, Kind::program, false, "b"}, Comment{2, Kind::program, false, "c"},
                                           Comment{3, Kind::program, true, "d"}));
  EXPECT_EQ(parent_of(file.game, 1), std::nullopt);
  EXPECT_EQ(parent_of(file.game, 2), 1);
  EXPECT_EQ(parent_of(file.game, 4), std::nullopt);  // beside the second one
}

// A line that has no such move is not meant, however late it is.
TEST(KifReader, ABranchLeavesTheLatestLineThatHasTheMove) {
  const std::string text =
      "▲７六歩 △３四歩 ▲６六歩 △８四歩\n変化：2手\n△４四歩\n変化：4手\n△５四歩\n変化：3手\n▲２六歩\n";
  EXPECT_THAT(branches_of(read(text).game), ElementsAre("7g7f 3c3d 6g6f 5c5d", "7g7f 3c3d 2g2f", "7g7f 4c4d"));
  // Of none that has it, the main line goes on.
  EXPECT_THAT(branches_of(read("▲７六歩\n変化：1手\n▲２六歩\n変化：2手\n△３四歩\n").game),
              ElementsAre("7g7f 3c3d", "2g2f"));
}

TEST(KifReader, WhatIsBrokenEndsABranchAndNotTheFile) {
  const std::string text =
      "1 ７六歩(77)\n2 ３四歩(33)\n変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\nx：y\n4 zap!\n5 ８五歩(84)\n"
      "変化：9手\n 9 ２六歩(27)\n変化：2手\n2 ５四歩(53)\nx：y\n変化：1手\n1 ７五歩(77)\n2 ９九角(11)\n";
  const GameFile file = read(text);
  EXPECT_EQ(moves_of(file.game), "7g7f 3c3d");
  EXPECT_THAT(branches_of(file.game), ElementsAre("7g7f 8c8d 2g2f", "7g7f 5c5d", "7g7e"));
  EXPECT_THAT(file.game.headers, IsEmpty());
  EXPECT_THAT(
      warnings_of(text),
      ElementsAre(
          "line 6: a header among the moves: 'x：y'", "line 7: unknown end 'zap!'",
          "line 8: move 4 comes after the end of the game; the rest of this variation is left out",
          "line 9: a variation of no move of the lines above it is left out",
          "line 13: a header among the moves: 'x：y'",
          "line 16: move 2, '-1199KA', is impossible: the piece on 1a cannot become KA; it is the last one of its "
          "variation"));
}

TEST(KifReader, ReadsWhatIsOdd) {
  EXPECT_EQ(moves_of(read("# KIF\n変化：3手\n手合割：平手\n1 ２六歩(27)\n2 ８四歩(83)\n").game), "2g2f 8c8d");
  EXPECT_THAT(warnings_of("変化：3手\n1 ２六歩(27)\n"),
              ElementsAre("line 1: a variation before the moves: passed over"));
  EXPECT_EQ(read("1 ７六歩(77)\n2  Time-up   ( 0:0/)\n").game.end.kind, EndKind::time_up) << "of 81Dojo";
  const Game two_ends = read("1 ７六歩(77)\n2 投了\n3 中断\nまで1手で中断\n").game;
  EXPECT_EQ(two_ends.end.kind, EndKind::toryo);
  EXPECT_THAT(two_ends.comments, ElementsAre(Comment{1, Comment::Kind::note, true, "中断"}));
  EXPECT_EQ(moves_of(read("1 ５五歩(77)\n2 ８八角成(22)\n").game), "7g5e 2b8h+") << "legality is not judged";
}

TEST(KifReader, ReadsByoyomiInALineOfItsOwn) {
  const auto time = [](const std::string& headers) { return read(headers + "1 ７六歩(77)\n").game.black_time; };
  constexpr TimeControl kHour{.total_ms = 3'600'000, .byoyomi_ms = 60'000};
  EXPECT_EQ(time("持ち時間：1時間\n秒読み：60秒\n"), kHour);
  EXPECT_EQ(time("秒読み：60\n持ち時間：1時間\n"), kHour);
  EXPECT_EQ(time("秒読み：30秒\n"), (TimeControl{.byoyomi_ms = 30'000}));
  EXPECT_EQ(time("秒読み：なし\n"), std::nullopt);
  const Game own = read("秒読み：60秒\n先手の持ち時間：1時間\n後手の持ち時間：2分＋秒読み5秒\n1 ７六歩(77)\n").game;
  EXPECT_EQ(own.black_time, kHour);
  EXPECT_EQ(own.white_time, (TimeControl{.total_ms = 120'000, .byoyomi_ms = 5'000}));
}

TEST(KifReader, ReadsKi2) {
  const std::string text =
      "先手：a\n後手：b\n\n*始め\n▲７六歩 △３四歩    ▲２二角成\n*中\n△同　銀▲５五角\nまで5手で先手の勝ち\n*後\n";
  const Game game = read(text).game;
  EXPECT_EQ(moves_of(game), "7g7f 3c3d 8h2b+ 3a2b B*5e");
  EXPECT_EQ(game.end.kind, EndKind::toryo);
  using Kind = Comment::Kind;
  EXPECT_THAT(game.comments,
              ElementsAre(Comment{0, Kind::program, false, "始め"}, Comment{3, Kind::program, false, "中"},
                          Comment{5, Kind::program, true, "後"}));
  EXPECT_EQ(read("手合割：二枚落ち\n△６二銀 ▲７六歩 △投了\n").game.end.kind, EndKind::toryo);
  EXPECT_EQ(refusal("▲７六歩\n▲２六歩\n"), "line 2: move 2: it is the other side's turn");
  EXPECT_EQ(refusal("▲７六歩 △３四歩\n▲５八金\n"), "line 2: move 3: '５八金': several pieces can go there");
  EXPECT_EQ(refusal("▲７六歩 △３四歩\n▲５六金\n"), "line 2: move 3, '+0056KI', is impossible: no KI in hand");
  EXPECT_EQ(refusal("▲７六歩 △銀\n"), "line 1: not a move: '△銀'");
}

TEST(KifReader, KeepsAMoveThatEndedTheGameAlthoughItIsNone) {
  const Game game = read("1 ７六歩(77)\n2 ５五角(99) ( 0:07/00:00:07)\n3 反則勝ち\n").game;
  EXPECT_EQ(moves_of(game), "7g7f");
  ASSERT_TRUE(game.impossible);
  EXPECT_EQ(to_csa(game.impossible->move), "-9955KA");
  EXPECT_EQ(game.impossible->spent_ms, 7'000);
  EXPECT_EQ(game.end.kind, EndKind::illegal_move);
  EXPECT_EQ(refusal("1 ７六歩(77)\n2 ５五角(99)\n3 投了\n"),
            "line 2: move 2, '-9955KA', is impossible: no own piece on 9i");
  EXPECT_EQ(refusal("1 ７六歩(77)\n2 ５五角(99)\n3 ２六歩(27)\n"),
            "line 2: move 2, '-9955KA', is impossible: no own piece on 9i");
  EXPECT_EQ(refusal("1 ７六銀(77)\n"), "line 1: move 1, '+7776GI', is impossible: the piece on 7g cannot become GI");
}

TEST(KifReader, RefusesBadInput) {
  EXPECT_EQ(refusal(""), "line 1: no game in it");
  EXPECT_EQ(refusal("\n\n"), "line 2: no game in it");
  EXPECT_EQ(refusal("あいうえお\n"), "line 1: no game in it");
  EXPECT_EQ(refusal("先手：a\n1 ７六\n"), "line 2: not a move: '1 ７六'");
  EXPECT_EQ(refusal("1\n"), "line 1: not a move: '1'");
  EXPECT_EQ(refusal("1234567890 ７六歩(77)\n"), "line 1: not a move: '1234567890 ７六歩(77)'");
  EXPECT_EQ(refusal("1 同　歩(77)\n"), "line 1: move 1: 同 without a move before it");
  EXPECT_EQ(refusal("1 投了\n2 ７六歩(77)\n"), "line 2: move 1 comes after the end of the game");
}

TEST(KifReader, KeepsWhatItDoesNotUnderstand) {
  const std::string text = "先手：a\nN-b\n1 ７六歩(77)\n3 ３四歩(33)\n手合割：平手\n| ・|\nzap\n";
  EXPECT_THAT(warnings_of(text), ElementsAre("line 2: not understood: 'N-b'", "line 4: move 3 where 2 should be",
                                             "line 5: a position among the moves: '手合割：平手'",
                                             "line 6: not understood: '| ・|'", "line 7: not understood: 'zap'"));
  const Game game = read(text).game;
  EXPECT_EQ(game.comments.size(), 4U);
  EXPECT_EQ(game.comments[0], (Comment{0, Comment::Kind::note, false, "N-b"}));
  EXPECT_EQ(moves_of(game), "7g7f 3c3d");
}

TEST(KifHandicaps, AreFoundByNamePresetAndBoard) {
  for (const std::string_view name : {"平手", "香落ち", "三枚落ち", "十枚落ち"}) {
    const KifHandicap* handicap = handicap_by_name(name);
    ASSERT_NE(handicap, nullptr) << name;
    EXPECT_EQ(handicap_by_preset(handicap->preset), handicap);
    EXPECT_EQ(handicap_of(handicap->setup), handicap);
  }
  record::Setup black_first = handicap_by_name("香落ち")->setup;
  black_first.turn = BLACK;
  EXPECT_EQ(handicap_of(black_first), nullptr);
  EXPECT_EQ(handicap_by_name(""), nullptr);
}

}  // namespace
}  // namespace fuhyo::record
