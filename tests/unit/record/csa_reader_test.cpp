#include "engines/record/csa_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expected.h"

namespace fuhyo::record {
namespace {

using namespace shogi;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CsaFile read(std::string_view text) {
  auto file = read_csa(text);
  EXPECT_TRUE(file) << to_string(file.error());
  return file ? *file : CsaFile{.encoding = {}, .games = std::vector<CsaGame>(1)};
}
CsaGame read_one(std::string_view text) {
  const CsaFile file = read(text);
  EXPECT_EQ(file.games.size(), 1U);
  return file.games.front();
}
std::string refusal(std::string_view text) { return fuhyo::test::refusal_of(read_csa(text)); }
std::vector<std::string> moves_of(const Game& game) {
  std::vector<std::string> moves;
  Setup board = game.start;
  for (const RecordedMove& m : game.moves) {
    moves.push_back(to_csa(board.to_csa(m.move)));
    board.apply(m.move);
  }
  return moves;
}

constexpr std::string_view kExample =
    "'CSA encoding=UTF-8\n"
    "V3.0\n"
    "N+NAKAHARA, Makoto\n"
    "N-YONENAGA\n"
    "$EVENT:13th World Computer Shogi Championship, final\n"
    "$SITE:KAZUSA ARC\n"
    "$START_TIME:2003/05/03 10:30:00\n"
    "$END_TIME:2003/05/03 11:11:05\n"
    "$TIME+:300+10.5+0\n"
    "$TIME-:600+0+2\n"
    "$OPENING:YAGURA\n"
    "$MAX_MOVES:256\n"
    "$JISHOGI:27\n"
    "$NOTE:a note\n"
    "'plain\n"
    "PI\n"
    "+\n"
    "'*about the start\n"
    "+2726FU\n"
    "T12\n"
    "'** 30 -3334FU\n"
    "-3334FU,T6.123\n"
    "%CHUDAN\n"
    "T3\n"
    "'after the end\n";

TEST(CsaReader, EveryFieldOfAnExample) {
  const CsaGame read = read_one(kExample);
  const Game& game = read.game;
  EXPECT_EQ(read.version, CsaVersion::v3_0);
  EXPECT_THAT(read.warnings, IsEmpty());
  EXPECT_EQ(game.black, "NAKAHARA, Makoto");
  EXPECT_EQ(game.white, "YONENAGA");
  EXPECT_EQ(game.event, "13th World Computer Shogi Championship, final");
  EXPECT_EQ(game.site, "KAZUSA ARC");
  EXPECT_EQ(game.opening, "YAGURA");
  EXPECT_EQ(game.note, "a note");
  EXPECT_EQ(game.start_time, "2003/05/03 10:30:00");
  EXPECT_EQ(game.end_time, "2003/05/03 11:11:05");
  EXPECT_EQ(game.black_time, (TimeControl{.total_ms = 300'000, .byoyomi_ms = 10'500, .increment_ms = 0}));
  EXPECT_EQ(game.white_time, (TimeControl{.total_ms = 600'000, .byoyomi_ms = 0, .increment_ms = 2'000}));
  EXPECT_EQ(game.max_moves, 256);
  EXPECT_THAT(game.headers, ElementsAre(Header{"JISHOGI", "27"}));
  EXPECT_EQ(game.start, Setup::standard());
  EXPECT_THAT(moves_of(game), ElementsAre("+2726FU", "-3334FU"));
  EXPECT_EQ(game.moves[0].spent_ms, 12'000);
  EXPECT_EQ(game.moves[1].spent_ms, 6'123);
  EXPECT_EQ(game.end.kind, EndKind::chudan);
  EXPECT_EQ(game.end.spent_ms, 3'000);
  using enum Comment::Kind;
  EXPECT_THAT(game.comments,
              ElementsAre(Comment{0, note, false, "plain"}, Comment{0, program, false, "about the start"},
                          Comment{1, program, false, "* 30 -3334FU"}, Comment{2, note, true, "after the end"}));
}

TEST(CsaReader, LineEndsBlanksAndTheLastLine) {
  std::string crlf;
  for (const char c : kExample) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(read_one(crlf).game, read_one(kExample).game);
  EXPECT_THAT(moves_of(read_one("PI\n+\n+7776FU").game), ElementsAre("+7776FU"));
  EXPECT_THAT(moves_of(read_one("PI  \n + \n\n  \n+7776FU \n-3334FU\r\n").game), ElementsAre("+7776FU", "-3334FU"));
  EXPECT_THAT(moves_of(read_one("\xEF\xBB\xBFPI\n+\n+7776FU\n").game), ElementsAre("+7776FU"));
}

TEST(CsaReader, Versions) {
  using enum CsaVersion;
  for (const auto& [line, version] :
       {std::pair{"", v1}, {"V2\n", v2}, {"V2.1\n", v2_1}, {"V2.2\n", v2_2}, {"V3.0\n", v3_0}})
    EXPECT_EQ(read_one(std::string(line) + "PI\n+\n").version, version) << line;
  EXPECT_THAT(read_one("V9\nPI\n+\n").warnings, ElementsAre(Diagnostic{1, "unknown or late version: 'V9'"}));
}

TEST(CsaReader, SeveralGames) {
  const CsaFile file = read("V2.2\nN+a\nPI\n+\n+7776FU\n/\nN+b\nPI\n-\n/\n'nothing more\n/\n");
  ASSERT_EQ(file.games.size(), 2U);
  EXPECT_EQ(file.games[0].game.black, "a");
  EXPECT_EQ(file.games[1].game.black, "b");
  EXPECT_EQ(file.games[1].version, CsaVersion::v2_2);
  EXPECT_EQ(file.games[1].game.start.turn, WHITE);
  EXPECT_EQ(refusal("PI\n+\n/\nN+b\n"), "line 4: no start position");
}

TEST(CsaReader, StatementsShareALine) {
  const CsaGame read =
      read_one("PI\n+\n+7776FU  ,T0       ,'T0      ,'one, two  ,T5,-3334FU,T7\n%KACHI,'* -5000 win\nT10\n");
  EXPECT_THAT(moves_of(read.game), ElementsAre("+7776FU", "-3334FU"));
  EXPECT_EQ(read.game.moves[0].spent_ms, 5'000);
  EXPECT_EQ(read.game.moves[1].spent_ms, 7'000);
  using enum Comment::Kind;
  EXPECT_THAT(read.game.comments,
              ElementsAre(Comment{1, note, false, "T0      "}, Comment{1, note, false, "one, two  "},
                          Comment{2, program, true, " -5000 win"}));
  EXPECT_EQ(read.game.end.spent_ms, 10'000);
}

TEST(CsaReader, StartPositions) {
  const auto sfen = [](std::string_view lines) { return read_one(lines).game.start.sfen(); };
  EXPECT_EQ(sfen("PI82HI22KA\n-\n"), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
  EXPECT_EQ(sfen("P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI * * * * * -KA *\nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n"),
            "lnsgkgsnl/1r5b1/9/9/9/9/9/9/LNSGKGSNL b - 1");
  EXPECT_EQ(sfen("P-11OU21FU\nP+12KI\nP+00HI00HI\nP-00AL\n+\n"), "7pk/8G/9/9/9/9/9/9/9 b 2R2b3g4s4n4l17p 1");
  EXPECT_EQ(sfen("P+59OU\nP-51OU\nP+\nP-\n-\n"), "4k4/9/9/9/9/9/9/9/4K4 w - 1");
  EXPECT_EQ(sfen("P1 *  *  *  *  *  *  *  *  * \n+\n"), "9/9/9/9/9/9/9/9/9 b - 1");
  const CsaGame of_nobody = read_one("PI\n");
  EXPECT_EQ(of_nobody.game.start, Setup::standard());
  EXPECT_THAT(of_nobody.warnings, ElementsAre(Diagnostic{1, "nothing says who moves first; Black is assumed"}));
}

TEST(CsaReader, EveryEnd) {
  for (int k = static_cast<int>(EndKind::toryo); k <= static_cast<int>(EndKind::max_moves); ++k) {
    const auto kind = static_cast<EndKind>(k);
    const std::string name(csa_end_name(kind));
    ASSERT_FALSE(name.empty());
    EXPECT_EQ(read_one("PI\n+\n+7776FU\n%" + name + "\n").game.end.kind, kind) << name;
  }
  const CsaGame other = read_one("PI\n+\n%FROG\n");
  EXPECT_EQ(other.game.end, (End{EndKind::other, {}, "FROG"}));
  EXPECT_THAT(other.warnings, ElementsAre(Diagnostic{3, "unknown end '%FROG'"}));
  const CsaGame twice = read_one("PI\n+\n+7776FU\n%KACHI\nT10\n%KACHI\n");
  EXPECT_EQ(twice.game.end, (End{EndKind::kachi, 10'000, ""})) << "said twice it is one";
  EXPECT_THAT(twice.warnings, IsEmpty());
}

TEST(CsaReader, HeadersAfterTheMovesCountAndShogiServersCommentOnTheEnd) {
  const std::string text = "PI\n+\n+7776FU\n%TORYO\n";
  const Game late = read_one(text + "$END_TIME:2012/05/05 10:00:00\nN-late\n").game;
  EXPECT_EQ(late.end_time, "2012/05/05 10:00:00");
  EXPECT_EQ(late.white, "late");
  const std::string comment = "'$END_TIME:2026/11/20 10:01:00\n";
  EXPECT_EQ(read_one(text + comment).game.end_time, "2026/11/20 10:01:00");
  EXPECT_EQ(read_one(text + comment).game.comments.size(), 1U);
  EXPECT_EQ(read_one("$END_TIME:2026/11/21\n" + text + comment).game.end_time, "2026/11/21");
}

TEST(CsaReader, AMoveAfterAnEndTakesItBack) {
  const CsaGame read = read_one("PI\n+\n+7776FU\n%MATTA\nT1\n'why\n-3334FU\n%TORYO\n");
  EXPECT_THAT(moves_of(read.game), ElementsAre("+7776FU", "-3334FU"));
  EXPECT_EQ(read.game.end.kind, EndKind::toryo);
  using enum Comment::Kind;
  EXPECT_THAT(read.game.comments,
              ElementsAre(Comment{1, unparsed, false, "%MATTA,T1"}, Comment{1, note, false, "why"}));
}

TEST(CsaReader, LinesOfTheProtocolAreKeptAndReported) {
  const CsaGame read = read_one("PI\n+\n+7776FU\n#TIME_UP\nP1 * \n+\n/x\n");
  using enum Comment::Kind;
  EXPECT_THAT(read.game.comments,
              ElementsAre(Comment{1, unparsed, false, "#TIME_UP"}, Comment{1, unparsed, false, "P1 *"},
                          Comment{1, unparsed, false, "+"}, Comment{1, unparsed, false, "/x"}));
  EXPECT_EQ(read.warnings.size(), 4U);
}

TEST(CsaReader, IllegalMovesAreData) {
  // A jump over a pawn, the capture of a king and of an own piece: the board obeys.
  const CsaGame read = read_one("P-51OU41KI\nP+59HI58FU57KI\n+\n+5951RY\n-4151KI\n+5758KI\n");
  EXPECT_THAT(moves_of(read.game), ElementsAre("+5951RY", "-4151KI", "+5758KI"));
  EXPECT_EQ(final_setup(read.game).sfen(), "4g4/9/9/9/9/9/9/4G4/9 w Pr 1");
}

TEST(CsaReader, AnImpossibleLastMoveThatEndedTheGame) {
  const CsaGame read = read_one("PI\n+\n+7776FU\n-5534FU\nT9\n%ILLEGAL_MOVE\n");
  EXPECT_EQ(read.game.plies(), 1);
  ASSERT_TRUE(read.game.impossible);
  EXPECT_EQ(to_csa(read.game.impossible->move), "-5534FU");
  EXPECT_EQ(read.game.impossible->spent_ms, 9'000);
  EXPECT_EQ(read.game.end, (End{EndKind::illegal_move, {}, ""}));
  EXPECT_TRUE(read_csa("PI\n+\n+7776KI\n'ILLEGAL_MOVE(+7776KI)\n"));
}

TEST(CsaReader, RefusalsNameLineAndDefect) {
  EXPECT_EQ(refusal(""), "line 1: no game in it");
  EXPECT_EQ(refusal("'only a comment\n"), "line 1: no game in it");
  EXPECT_EQ(refusal("N+a\nN-b\n"), "line 2: no start position");
  EXPECT_EQ(refusal("N+a\n+\n+7776FU\n"), "line 2: no start position before the line that says who moves first");
  EXPECT_EQ(refusal("PI\n+7776FU\n"), "line 2: a move before the line that says who moves first: '+7776FU'");
  EXPECT_EQ(refusal("PI\n%TORYO\n"), "line 2: an end before the line that says who moves first: '%TORYO'");
  EXPECT_EQ(refusal("PI\n+\n+7776\n"), "line 3: not a move: '+7776'");
  EXPECT_EQ(refusal("PI\n+\n+8822KA+\n"), "line 3: not a move: '+8822KA+'");
  EXPECT_EQ(refusal("PI\n+\n+777\n+8\n"), "line 3: not a move: '+777'") << "the line end is not hidden";
  EXPECT_EQ(refusal("PI\n+\n+7675FU\n-3334FU\n"), "line 3: impossible move '+7675FU': no own piece on 7f");
  EXPECT_EQ(refusal("PI\n+\n-3334FU\n"), "line 3: impossible move '-3334FU': it is the other side's turn");
  EXPECT_EQ(refusal("PI\n+\n+0055KA\n%TORYO\n"), "line 3: impossible move '+0055KA': no KA in hand");
  EXPECT_EQ(refusal("PI\n+\n+7675FU\n-3334FU\n%ILLEGAL_MOVE\n"),
            "line 3: impossible move '+7675FU': no own piece on 7f");
}

TEST(CsaReader, DefectsOfPositions) {
  EXPECT_THAT(refusal("P1-KY\n+\n"), HasSubstr("line 1: rank 1 has fewer than nine squares"));
  EXPECT_THAT(refusal("P1 * * * * * * * * * *\n+\n"), HasSubstr("rank 1 has more than nine squares"));
  EXPECT_THAT(refusal("P1-KY-XX * * * * * * *\n+\n"), HasSubstr("not a piece: '-XX'"));
  EXPECT_THAT(refusal("P1 * * * * * * * * *\nP1 * * * * * * * * *\n"), HasSubstr("line 2: rank 1 is given twice"));
  EXPECT_THAT(refusal("PI82KA\n+\n"), HasSubstr("no such piece to remove: '82KA'"));
  EXPECT_THAT(refusal("PI82H\n+\n"), HasSubstr("incomplete piece"));
  EXPECT_THAT(refusal("P+55\n+\n"), HasSubstr("incomplete piece"));
  EXPECT_THAT(refusal("P+50FU\n+\n"), HasSubstr("not a square"));
  EXPECT_THAT(refusal("P+55FU55KI\n+\n"), HasSubstr("two pieces on one square"));
  EXPECT_THAT(refusal("P+00TO\n+\n"), HasSubstr("a hand cannot hold"));
  EXPECT_THAT(refusal("P+00OU\n+\n"), HasSubstr("a hand cannot hold"));
  EXPECT_THAT(refusal("P+00HI00HI00HI\n+\n"), HasSubstr("more HI than a set has"));
  EXPECT_THAT(refusal("P+11RY12RY13HI\n+\n"), HasSubstr("more HI than a set has"));
  EXPECT_THAT(refusal("P-00AL\nP+00FU\n+\n"), HasSubstr("line 2: pieces after 00AL"));
  EXPECT_THAT(refusal("Pfoo\n+\n"), HasSubstr("unknown position line"));
  EXPECT_THAT(refusal("P\n+\n"), HasSubstr("a position line without content"));
}

TEST(CsaReader, HostileInputIsAnError) {
  EXPECT_THAT(refusal(std::string(1'000'000, '+')), HasSubstr("not a move"));
  EXPECT_FALSE(read_csa(std::string(100'000, '\0')));
  EXPECT_FALSE(read_csa(std::string(100'000, '\xff')));
  EXPECT_FALSE(read_csa(std::string(100'000, '/')));
  std::string commas = "PI\n+\n+7776FU" + std::string(100'000, ',') + "\n";
  EXPECT_TRUE(read_csa(commas));
  EXPECT_EQ(read_one("PI\n+\n+7776FU\nT99999999999999999999\n").game.moves[0].spent_ms, std::nullopt);
}

}  // namespace
}  // namespace fuhyo::record
