#include "engines/record/record_format.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/kif_setup.h"
#include "engines/record/usi_line.h"
#include "tests/support/expected.h"
#include "tests/unit/record/random_game.h"

namespace fuhyo::record {
namespace {

using namespace shogi;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

RecordFile written(const Game& game, RecordFormat format) { return fuhyo::test::value_of(write_record(game, format)); }
ReadRecord read(std::string_view bytes, std::string_view name = {}) {
  return fuhyo::test::value_of(read_record(bytes, name));
}

TEST(RecordFormat, HasNames) {
  for (const RecordFormat format : kRecordFormats) {
    EXPECT_EQ(format_by_extension(extension_of(format)), format);
    EXPECT_FALSE(content_type_of(format).empty());
  }
  EXPECT_EQ(extension_of(RecordFormat::csa_v3), "csa3");
  EXPECT_EQ(extension_of(RecordFormat::usi), "usi");
  EXPECT_EQ(format_by_extension("KIF"), RecordFormat::kif);
  for (const std::string_view none : {"", "kif ", ".kif", "txt", "csa4"})
    EXPECT_EQ(format_by_extension(none), std::nullopt);
}

TEST(RecordFormat, WritesEachInItsEncoding) {
  Game game = test::random_game(1, 30);
  game.white = "白";
  EXPECT_THAT(written(game, RecordFormat::csa).bytes, StartsWith("V2.2\nN+先手1\n"));
  EXPECT_THAT(written(game, RecordFormat::csa_v3).bytes, StartsWith("'CSA encoding=UTF-8\nV3.0\n"));
  EXPECT_THAT(written(game, RecordFormat::kif).bytes,
              StartsWith("#KIF version=2.0 encoding=Shift_JIS\n\x8A\x4A\x8E\x6E"));
  EXPECT_EQ(written(game, RecordFormat::kif).content_type, "application/x-kif; charset=Shift_JIS");
  EXPECT_THAT(written(game, RecordFormat::kifu).bytes, StartsWith("#KIF version=2.0 encoding=UTF-8\n開始日時"));
  EXPECT_FALSE(is_utf8(written(game, RecordFormat::ki2).bytes));
  EXPECT_TRUE(is_utf8(written(game, RecordFormat::ki2u).bytes));
  EXPECT_THAT(written(game, RecordFormat::jkf).bytes, StartsWith("{\"header\":"));
  EXPECT_THAT(written(game, RecordFormat::usi).bytes, StartsWith("position startpos moves "));
}

TEST(RecordFormat, SaysWhatAnEncodingLacks) {
  Game game;
  game.black = "♥";
  EXPECT_EQ(written(game, RecordFormat::kif).replaced, 1U);
  EXPECT_EQ(written(game, RecordFormat::kif).losses(),
            "1 characters that Shift_JIS does not have became '?': ♥ (.kifu and .ki2u keep them)");
  EXPECT_EQ(written(game, RecordFormat::kifu).replaced, 0U);
  EXPECT_EQ(written(game, RecordFormat::kifu).losses(), "");
  game.moves = {{Move::board(make_square(7, 7), make_square(5, 5), false), {}}};
  EXPECT_EQ(write_record(game, RecordFormat::ki2).error(), "move 1, +7755FU, cannot be told in words");
}

TEST(RecordFormat, ReadsBackByNameAndByContent) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const Game game = test::random_game(seed, 80);
    for (const RecordFormat format : kRecordFormats) {
      const std::string bytes = written(game, format).bytes;
      const ReadRecord named = read(bytes, "x." + std::string(extension_of(format)));
      EXPECT_EQ(named.format, format);
      EXPECT_EQ(named.file.game.moves.size(), game.moves.size());
      const bool times = format != RecordFormat::ki2 && format != RecordFormat::ki2u;
      if (format != RecordFormat::usi) EXPECT_EQ(named.file.game, times ? game : test::in_ki2(game)) << bytes;
      EXPECT_EQ(read(bytes).file.game, named.file.game) << extension_of(format);
      EXPECT_EQ(read(bytes, "x.txt").file.game, named.file.game) << extension_of(format);
    }
  }
}

TEST(RecordFormat, TellsOfVariationsThatAFormatHasNot) {
  Game game = test::random_game(1, 4);
  game.branches = {{.ply = 2, .moves = {game.moves[2]}}, {.ply = 1, .moves = {game.moves[1]}}};
  for (const RecordFormat format : kRecordFormats) {
    using enum RecordFormat;
    const bool has_none = format == csa || format == csa_v3 || format == usi;
    EXPECT_EQ(written(game, format).losses(), has_none ? "2 variations are left out: the format has none" : "");
    EXPECT_EQ(read(written(game, format).bytes).file.game.branches.size(), has_none ? 0U : 2U);
  }
}

TEST(RecordFormat, ReadsUtf16AndTheLineEndsOfOldMacs) {
  const Game game = test::random_game(4, 40);
  for (const RecordFormat format : kRecordFormats) {
    const std::string bytes = written(game, format).bytes;
    const Game expected = read(bytes).file.game;
    std::string mac = bytes;
    std::ranges::replace(mac, '\n', '\r');
    EXPECT_EQ(read(mac).file.game, expected) << extension_of(format);
  }
  const std::string csa = "V2.2\nN+a\nPI\n+\n+7776FU\n";
  std::string little = "\xFF\xFE", big = "\xFE\xFF";
  for (const char c : csa) {
    little += {c, '\0'};
    big += {'\0', c};
  }
  EXPECT_EQ(read(little, "x.csa").file.game, read(csa).file.game);
  EXPECT_EQ(read(big).file.game, read(csa).file.game);
}

// CSA says what was declared, and what the server made of it; the others say what it was.
TEST(RecordFormat, AnIllegalDeclarationIsAFoul) {
  const std::string head = "V2\nN+a\nN-b\nPI\n+\n+7776FU\n%KACHI\n";
  const Game illegal = read(head + "'summary:illegal kachi:a win:b lose\n", "x.csa").file.game;
  EXPECT_THAT(written(illegal, RecordFormat::kifu).bytes, HasSubstr("   2 反則負け\n#summary"));
  EXPECT_THAT(written(illegal, RecordFormat::ki2u).bytes, HasSubstr("まで1手で後手の反則負け\n"));
  EXPECT_THAT(written(illegal, RecordFormat::jkf).bytes, HasSubstr("\"-ILLEGAL_ACTION\""));
  EXPECT_THAT(written(illegal, RecordFormat::csa).bytes, HasSubstr("%KACHI\n'summary:illegal"));
  const Game drawn = read(head + "'summary:kachi:a draw:b draw\n", "x.csa").file.game;
  EXPECT_THAT(written(drawn, RecordFormat::kifu).bytes, HasSubstr("   2 持将棋\n"));
  EXPECT_THAT(written(read(head, "x.csa").file.game, RecordFormat::kifu).bytes, HasSubstr("   2 入玉勝ち\n"));
}

TEST(RecordFormat, GivesAllGamesOfAFile) {
  const auto csa = read_records("PI\n+\n+7776FU\n/\nPI\n+\n", "x.csa");
  ASSERT_TRUE(csa && csa->size() == 2);
  EXPECT_EQ((*csa)[1].file.game.plies(), 0);
  const ReadRecord first = read("PI\n+\n+7776FU\n/\nPI\n+\n");
  EXPECT_EQ(first.file.game.plies(), 1);
  EXPECT_THAT(first.file.warnings, ElementsAre(Diagnostic{0, "1 more games are left out"}));
  const auto usi = read_records("startpos moves 7g7f\n\n# x\n2g2f 3c3d\n");
  ASSERT_TRUE(usi && usi->size() == 2);
  EXPECT_EQ((*usi)[1].file.game.plies(), 2);
  EXPECT_EQ(read_records("startpos moves 7g7f\nmoves x\n").error(), (Diagnostic{2, "not a move: 'x'"}));
  EXPECT_EQ(read_records("1 ７六歩(77)\n")->size(), 1U);
  EXPECT_FALSE(read_records("", "x.csa"));
}

TEST(RecordFormat, DoesNotTrustAWrongName) {
  const Game game = test::random_game(3, 40);
  const ReadRecord record = read(written(game, RecordFormat::csa).bytes, "game.jkf");
  EXPECT_EQ(record.format, RecordFormat::csa);
  EXPECT_EQ(record.file.game, game);
  EXPECT_EQ(read(written(game, RecordFormat::csa).bytes, "game.kif").file.game, game);
  EXPECT_EQ(read(written(game, RecordFormat::jkf).bytes, "game.ki2").format, RecordFormat::jkf);
  EXPECT_EQ(read(written(game, RecordFormat::kif).bytes, "game.csa").format, RecordFormat::kif);
  EXPECT_EQ(read(written(game, RecordFormat::ki2).bytes, "game.usi").format, RecordFormat::ki2);
  EXPECT_FALSE(read_record("zap: zap", "x.csa"));
  EXPECT_EQ(read_record("zap", "x.csa").error().text, "no game in it");
  EXPECT_EQ(read_record("zap", "").error().text, "no game in it");
  EXPECT_TRUE(read_record("a: b\n\xfd\xff\n", "x.kif").error().text.starts_with("no game in it: 2 bytes are not"));
}

TEST(UsiLine, SaysStartAndMoves) {
  Game game;
  EXPECT_EQ(write_usi(game), "position startpos\n");
  game.moves = {{Move::board(make_square(7, 7), make_square(7, 6), false), 5}};
  game.end.kind = EndKind::toryo;
  EXPECT_EQ(write_usi(game), "position startpos moves 7g7f\n");
  game.start = handicap_by_name("十枚落ち")->setup;
  game.moves = {{Move::board(make_square(5, 1), make_square(5, 2), false), {}}};
  EXPECT_EQ(write_usi(game), "position sfen 4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 5a5b\n");
}

TEST(UsiLine, ReadsEndsAndLinesWithoutKeywords) {
  const std::string sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
  const auto game = [](const std::string& text) { return read(text).file.game; };
  EXPECT_EQ(game("sfen " + sfen + " moves 7g7f resign\n").end.kind, EndKind::toryo);
  EXPECT_EQ(game("startpos moves 7g7f win\n").end.kind, EndKind::kachi);
  EXPECT_EQ(game("startpos resign\n").end.kind, EndKind::toryo);
  EXPECT_EQ(game(sfen + "\n").plies(), 0);
  EXPECT_EQ(game(sfen + " moves 7g7f\n").plies(), 1);
  EXPECT_EQ(game("7g7f 3c3d resign\n").plies(), 2);
  EXPECT_EQ(read_usi("startpos moves resign 7g7f").error().text, "move 1 comes after the end of the game");
  EXPECT_EQ(read_usi("startpos moves win win").error().text, "a second end of the game");
  EXPECT_EQ(read_usi("4k4/9/9/9/9/9/9/9/x b - 1").error().line, 1);
}

TEST(UsiLine, ReadsWhatProgramsWrite) {
  for (const std::string_view text :
       {"position startpos moves 7g7f 3c3d", "startpos moves 7g7f 3c3d\r\n", "moves 7g7f 3c3d\n",
        "# x\n\nposition  startpos  moves 7g7f  3c3d \n",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d",
        "\xEF\xBB\xBFposition sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d"}) {
    const auto file = read_usi(text);
    ASSERT_TRUE(file) << text << to_string(file.error());
    EXPECT_EQ(file->game.plies(), 2) << text;
    EXPECT_EQ(file->game.start, Setup::standard());
  }
  EXPECT_EQ(read_usi("startpos\nstartpos\n")->warnings, (std::vector<Diagnostic>{{0, "1 more lines are left out"}}));
  EXPECT_EQ(read_usi("sfen 4k4/9/9/9/9/9/9/9/4K4 w - 1")->game.start.turn, WHITE);
}

TEST(UsiLine, RefusesBadInput) {
  const auto refusal = [](std::string_view text) { return to_string(read_usi(text).error()); };
  EXPECT_EQ(refusal(""), "line 1: no game in it");
  EXPECT_EQ(refusal("#\n\n"), "line 2: no game in it");
  EXPECT_EQ(refusal("position zap"), "line 1: not a position: 'zap'");
  EXPECT_EQ(refusal("startpos zap"), "line 1: not a position: 'zap'");
  EXPECT_EQ(refusal("startpos moves 7g7f zap"), "line 1: not a move: 'zap'");
  EXPECT_EQ(refusal("startpos moves 5e5d"), "line 1: move 1, '+5554FU', is impossible: no own piece on 5e");
  EXPECT_EQ(refusal("startpos moves P*5e"), "line 1: move 1, '+0055FU', is impossible: no FU in hand");
  EXPECT_EQ(refusal("startpos moves 4i5h+"), "line 1: move 1, '4i5h+', cannot promote");
  EXPECT_THAT(refusal("position sfen 9/9 b - 1"), StartsWith("line 1: "));
}

}  // namespace
}  // namespace fuhyo::record
