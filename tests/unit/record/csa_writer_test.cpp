// CSA, written: moves, boards, whole records.
#include "engines/record/csa_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/csa_move.h"
#include "engines/record/csa_reader.h"

namespace fuhyo::record {
namespace {

using namespace shogi;

Position at(std::string_view sfen) {
  auto position = Position::from_sfen(sfen);
  EXPECT_TRUE(position) << position.error().message;
  return *position;
}

TEST(CsaNames, RoundTripAndNothingElse) {
  for (int t = PAWN; t < PIECE_TYPE_NB; ++t) {
    const auto name = csa_name(static_cast<PieceType>(t));
    ASSERT_EQ(name.size(), 2U);
    EXPECT_EQ(piece_of_csa_name(name[0], name[1]), t);
  }
  for (const std::string_view wrong : {"fu", "XX", "@A", "[Z", "\xff\xff", "AA", "ZZ"}) {
    EXPECT_EQ(piece_of_csa_name(wrong[0], wrong[1]), NO_PIECE_TYPE) << wrong;
  }
}

TEST(CsaMoveText, Parses) {
  EXPECT_EQ(parse_csa_move("+7776FU"), (CsaMove{BLACK, make_square(7, 7), make_square(7, 6), PAWN}));
  EXPECT_EQ(parse_csa_move("-0055KA"), (CsaMove{WHITE, SQ_NONE, make_square(5, 5), BISHOP}));
  EXPECT_EQ(to_csa(*parse_csa_move("-1199RY")), "-1199RY");
  EXPECT_EQ(to_csa(*parse_csa_move("+0011KI")), "+0011KI");
}

TEST(CsaMoveText, IsStrict) {
  for (const std::string_view wrong : {"", "+7776F", "+7776FU ", "+7776FU,", "7776FU", "*7776FU", "+0700FU", "+7700FU",
                                       "+7076FU", "+0776FU", "+7706FU", "+77a6FU", "+7776fu", "+7776ZZ", "+0000FU"}) {
    EXPECT_FALSE(parse_csa_move(wrong)) << wrong;
  }
}

TEST(Resolve, DeducesPromotionAndNamesThePieceAfterTheMove) {
  const Position position = at("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
  for (const auto& [text, move] : {std::pair{"+8822KA", Move::board(make_square(8, 8), make_square(2, 2), false)},
                                   {"+8822UM", Move::board(make_square(8, 8), make_square(2, 2), true)},
                                   {"+2726FU", Move::board(make_square(2, 7), make_square(2, 6), false)},
                                   {"+0055KA", Move::drop(BISHOP, make_square(5, 5))}}) {
    EXPECT_EQ(resolve(position, *parse_csa_move(text)), move) << text;
    EXPECT_EQ(to_csa(position, move), text);
  }
}

TEST(Resolve, RefusesWhatIsNoMove) {
  const Position position;
  for (const std::string_view wrong : {"-3334FU", "+7675FU", "+3334FU", "+7776KI", "+4938UM", "+0055TO", "+0055OU"}) {
    const auto csa = parse_csa_move(wrong);
    ASSERT_TRUE(csa) << wrong;
    EXPECT_FALSE(resolve(position, *csa)) << wrong;
    EXPECT_FALSE(why_unresolved(position, *csa).empty());
  }
  EXPECT_FALSE(resolve(position, CsaMove{BLACK, make_square(7, 7), make_square(7, 7), PAWN}));
  EXPECT_EQ(why_unresolved(position, *parse_csa_move("+7675FU")), "no own piece on 7f");
  EXPECT_EQ(why_unresolved(position, *parse_csa_move("+7776KI")), "the piece on 7g cannot become KI");
}

TEST(Resolve, DoesNotJudgeLegality) {
  EXPECT_TRUE(resolve(Position(), *parse_csa_move("+7733TO")));
  EXPECT_TRUE(resolve(Position(), *parse_csa_move("+0077FU")));
}

// The hands are ordered by name, as the records of shogi-server show: FU GI HI KA KE KI KY.
TEST(CsaBoard, HandsAndSideToMove) {
  const std::string board = csa_board(at("4k4/9/9/9/9/9/9/9/4K4 w RB2GS2N2L3Prb2g3s2n2l15p 1"));
  EXPECT_THAT(board, testing::EndsWith("P+00FU00FU00FU00GI00HI00KA00KE00KE00KI00KI00KY00KY\n"
                                       "P-00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU"
                                       "00GI00GI00GI00HI00KA00KE00KE00KI00KI00KY00KY\n-\n"));
}

Game parsed(std::string_view text) {
  const auto file = read_csa(text);
  EXPECT_TRUE(file) << to_string(file.error());
  return file ? file->games.front().game : Game{};
}

TEST(CsaWriter, WritesWhatTheFormatAsksFor) {
  Game game;
  game.black = "A";
  game.white = "B";
  game.event = "E";
  game.black_time = game.white_time = TimeControl{.total_ms = 36'600'000, .byoyomi_ms = 9'000};
  game.moves = {{Move::board(make_square(7, 7), make_square(7, 6), false), 1'234}};
  game.comments = {{1, Comment::Kind::program, false, "* 30"}};
  game.end = {EndKind::toryo, 2'000, ""};
  EXPECT_EQ(write_csa(game, CsaVersion::v2_2),
            "V2.2\nN+A\nN-B\n$EVENT:E\n$TIME_LIMIT:10:10+09\n"
            "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n"
            "P4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n"
            "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n"
            "+7776FU\nT1\n'** 30\n%TORYO\nT2\n");
  const std::string v3 = write_csa(game, CsaVersion::v3_0);
  EXPECT_TRUE(v3.starts_with("'CSA encoding=UTF-8\nV3.0\nN+A\n"));
  EXPECT_THAT(v3, testing::HasSubstr("$TIME:36600+9+0\n"));
  EXPECT_THAT(v3, testing::HasSubstr("+7776FU\nT1.234\n"));
}

// Each text uses something that could get lost on the way.
constexpr std::string_view kGames[] = {
    "PI\n+\n",
    "N+a\nN-b, c\n$EVENT:x:y\n$SITE:s\n$OPENING:o\n$NOTE:n\n$START_TIME:1\n$END_TIME:2\n$FOO:\n$BAR:b\nPI\n-\n",
    "$TIME:600.5+1+2\n$MAX_MOVES:0\nPI\n+\n",
    "$TIME+:600+1+2\nPI\n+\n",
    "$TIME_LIMIT:junk\n$TIME:1\n$MAX_MOVES:many\nPI\n+\n",
    "P-11OU21FU22FU23FU24FU25FU26FU27FU28FU29FU\nP+00HI00HI00KY\nP-00GI\n-\n-2131FU\n",
    "'before\nPI\n+\n'*start\n+7776FU\nT1.5\n'** 1\n'\n-3334FU,'x\n%TSUMI\nT0.001\n'P1-KY\n'*bye\n",
    "PI\n+\n+7776FU\n%MATTA,T3\n'c\n-3334FU\n#RESIGN\n%TORYO\n%CHUDAN\n#END\n",
    "PI\n+\n+7776FU\n'c\n-5534FU\nT9\n'd\n%-ILLEGAL_ACTION\nT1\n",
    "PI\n+\n%FROG\n'x\n",
    "N+a\rb\nPI\n+\n+7776FU\r,'x\r,'y \r \r\n%F\rG\nfoo \r \r\n",
    "PI\n+\nfoo, bar\nV2\nT5\nNx\n$y\n+7776FU\nP1 * , T3 ,zap\n",
};

TEST(CsaWriter, ParseWriteParseIsTheIdentityOfEachAndOfAllInOneFile) {
  std::vector<Game> games;
  for (const std::string_view text : kGames) {
    const Game& game = games.emplace_back(parsed(text));
    const std::string written = write_csa(game, CsaVersion::v3_0);
    EXPECT_EQ(parsed(written), game) << text << "---\n" << written;
    EXPECT_EQ(write_csa(parsed(written), CsaVersion::v3_0), written) << text;
  }
  const auto file = read_csa(write_csa(games, CsaVersion::v3_0));
  ASSERT_TRUE(file) << to_string(file.error());
  ASSERT_EQ(file->games.size(), games.size());
  for (std::size_t i = 0; i < games.size(); ++i) EXPECT_EQ(file->games[i].game, games[i]) << kGames[i];
}

TEST(CsaWriter, ValuesMakeNoStatements) {
  Game game;
  game.black = "A\n%TORYO";
  game.comments = {{0, Comment::Kind::note, false, "one\ntwo\n+7776FU"}};
  Game back = parsed(write_csa(game, CsaVersion::v2_2));
  EXPECT_EQ(back.black, "A %TORYO");
  EXPECT_EQ(back.end.kind, EndKind::none);
  EXPECT_EQ(back.plies(), 0);
  EXPECT_EQ(back.comments.size(), 3U);
  game.end = {EndKind::other, {}, "x,+7776FU"};
  back = parsed(write_csa(game, CsaVersion::v2_2));
  EXPECT_EQ(back.plies(), 0);
  EXPECT_EQ(back.end.text, "x +7776FU");
  Game unnamed;
  unnamed.end = {EndKind::other, 2'000, "不戦勝"};  // broken off
  EXPECT_TRUE(write_csa(unnamed, CsaVersion::v2_2).ends_with("+\n%CHUDAN\nT2\n'不戦勝\n"));
}

TEST(Seconds, ParseAndFormat) {
  EXPECT_EQ(parse_seconds("0"), 0);
  EXPECT_EQ(parse_seconds("12"), 12'000);
  EXPECT_EQ(parse_seconds("12."), 12'000);
  EXPECT_EQ(parse_seconds("0.5"), 500);
  EXPECT_EQ(parse_seconds("1.23456"), 1'234);
  EXPECT_EQ(parse_seconds("999999999"), 999'999'999'000);
  for (const std::string_view wrong : {"", ".5", "-1", "+1", "1000000000", "1x", "1.x", " 1", "1 "}) {
    EXPECT_EQ(parse_seconds(wrong), std::nullopt) << wrong;
  }
  for (const std::int64_t ms : {0, 1, 10, 100, 120, 999, 1000, 1001, 61'050}) {
    EXPECT_EQ(parse_seconds(format_seconds(ms)), ms);
  }
}

TEST(TimeLimits, ParseAndFormat) {
  EXPECT_EQ(parse_time_limit("01:30+60"), (TimeControl{.total_ms = 5'400'000, .byoyomi_ms = 60'000}));
  EXPECT_EQ(format_time_limit(*parse_time_limit("01:30+05")), "01:30+05");
  for (const std::string_view wrong : {"", "1:2", "1+2", "1:2+3x", ":+", "1:2+3+4"}) {
    EXPECT_EQ(parse_time_limit(wrong), std::nullopt) << wrong;
    EXPECT_EQ(parse_time(wrong), std::nullopt) << wrong;
  }
  EXPECT_EQ(format_time_limit({.total_ms = 1, .byoyomi_ms = 0, .increment_ms = 0}), std::nullopt);
}

}  // namespace
}  // namespace fuhyo::record
