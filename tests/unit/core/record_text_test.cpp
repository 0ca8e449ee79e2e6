#include "server/core/record_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/csa_reader.h"
#include "engines/shogi/position.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kBoard =
    "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n"
    "P2 * -HI *  *  *  *  * -KA * \n"
    "P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n"
    "P4 *  *  *  *  *  *  *  *  * \n"
    "P5 *  *  *  *  *  *  *  *  * \n"
    "P6 *  *  *  *  *  *  *  *  * \n"
    "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\n"
    "P8 * +KA *  *  *  *  * +HI * \n"
    "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n"
    "+\n";

GameOpened opened() {
  GameOpened game;
  game.game = GameId{1};
  game.room = "main";
  game.csa_id = "ev+cmd-300-10+A+B+20261121041507";
  game.game_name = "cmd-300-10";
  game.black = {"A", "A+7e5a", false};
  game.white = {"B", "B+d416", false};
  game.time = {.total_s = 300, .byoyomi_s = 10};
  game.max_moves = 256;
  game.start_sfen = shogi::Position::kStartSfen;
  game.local_time = "2026/11/21 04:15:07";
  return game;
}

GameEnded ended(EndKind kind, Outcome outcome) {
  GameEnded end;
  end.game = GameId{1};
  end.kind = kind;
  end.outcome = outcome;
  end.plies = 2;
  end.final_board = "P1x\n+\n";
  end.local_time = "2026/11/21 04:16:00";
  return end;
}

MoveMade made(std::string csa, int spent_s, std::string comment) {
  MoveMade move;
  move.csa = std::move(csa);
  move.spent_s = spent_s;
  move.comment = std::move(comment);
  return move;
}

// As %%MONITOR2ON shows the record of a running game.
TEST(RecordsText, HeadAndMovesAsShogiServerWritesThem) {
  const std::string head =
      "V2\nN+A\nN-B\n'Max_Moves:256\n'Least_Time_Per_Move:0\n"
      "$EVENT:ev+cmd-300-10+A+B+20261121041507\n$START_TIME:2026/11/21 04:15:07\n" +
      std::string(kBoard) + "'rating:A+7e5a:B+d416\n";
  EXPECT_EQ(record_head(opened()), head);
  EXPECT_EQ(record_move(made("+7776FU", 0, "* 5 +7776FU")), "+7776FU\nT0\n'** 5 +7776FU\n");
  EXPECT_EQ(record_move(made("-3334FU", 12, "")), "-3334FU\nT12\n");
  EXPECT_EQ(record_note({GameId{1}, "Deferred +2726FU"}), "'Deferred +2726FU\n");
}

// What players write is read on terminals, in files and by %%MONITOR2ON.
TEST(RecordsText, NoTextOfAPlayerHoldsWhatATerminalObeys) {
  EXPECT_EQ(record_move(made("+7776FU", 1, "\x1b[2J\x07\x7f\tx\r\n+")), "+7776FU\nT1\n'* [2J  \tx  +\n");
  const std::string euc = "\xc0\xe8\xbc\xea";  // 先手
  EXPECT_EQ(record_note({GameId{1}, "先手\xc2\x9b\x33m\x1b"}), "'" + euc + " 3m \n");
  EXPECT_EQ(record_note({GameId{1}, euc + "1\x9b\x31m"}), "'" + euc + "1 1m\n");
  EXPECT_EQ(record_note({GameId{1}, euc + "\x8e\xb1."}), "'" + euc + "\x8e\xb1.\n") << "SS2 begins a kana";
  GameEnded end = ended(EndKind::illegal_move, Outcome::white_wins);
  end.line = "+\x1b";
  EXPECT_THAT(record_end(opened(), end), testing::StartsWith("'ILLEGAL_MOVE(+ )\n"));
}

TEST(RecordsText, IncrementRatingAndBuoyLines) {
  GameOpened game = opened();
  game.white.id.clear();
  game.time.increment_s = 10;
  game.preset_moves = {"+7776FU,T3", "-3334FU"};
  const std::string head = record_head(game);
  EXPECT_THAT(head, testing::HasSubstr("'Least_Time_Per_Move:0\n'Increment:10\n$EVENT"));
  EXPECT_THAT(head, testing::Not(testing::HasSubstr("'rating")));
  EXPECT_THAT(head, testing::EndsWith("+\n'buoy game starting with 2 moves\n+7776FU\nT3\n-3334FU\nT1\n"));
}

TEST(RecordsText, NamesAndIdsMayHoldAnAtSign) {
  GameOpened game = opened();
  game.csa_id = "ev+atmark-1500-0+B@p1+W@p2+20261121041507";
  game.black = {"B@p1", "B@p1+7e5a", false};
  game.white = {"W@p2", "W@p2+d416", false};
  EXPECT_THAT(record_head(game), testing::StartsWith("V2\nN+B@p1\nN-W@p2\n"));
  EXPECT_THAT(record_head(game), testing::HasSubstr("$EVENT:ev+atmark-1500-0+B@p1+W@p2+20261121041507\n"));
  EXPECT_THAT(record_head(game), testing::EndsWith("'rating:B@p1+7e5a:W@p2+d416\n"));
  const auto end = ended(EndKind::toryo, Outcome::white_wins);
  EXPECT_THAT(record_end(game, end), testing::HasSubstr("'summary:toryo:B@p1 lose:W@p2 win\n"));
  EXPECT_THAT(list_line(game, end, "/r/x.csa"), testing::HasSubstr("\ttoryo\tlose\tB@p1+7e5a\tW@p2+d416\twin\t"));
}

TEST(RecordsText, AHandicapGameBeginsWithItsBoard) {
  GameOpened game = opened();
  game.start_sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/1NSGKGSNL b - 1";
  EXPECT_THAT(record_head(game), testing::HasSubstr("P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\n"
                                                    "P8 *  *  *  *  *  *  *  *  * \n"
                                                    "P9 * +KE+GI+KI+OU+KI+GI+KE+KY\n"
                                                    "+\n"));
}

TEST(RecordsText, EveryEnd) {
  const auto text = [](EndKind kind, Outcome outcome, std::string line = "", int spent_s = 0) {
    GameEnded end = ended(kind, outcome);
    end.line = std::move(line);
    end.spent_s = spent_s;
    return record_end(opened(), end);
  };
  const std::string board = "'P1x\n'+\n";
  const std::string time = "'$END_TIME:2026/11/21 04:16:00\n";
  const auto b = Outcome::black_wins;
  const auto w = Outcome::white_wins;
  EXPECT_EQ(text(EndKind::toryo, b), "%TORYO\n" + board + "'summary:toryo:A win:B lose\n" + time);
  EXPECT_EQ(text(EndKind::abnormal, w), "%TORYO\n" + board + "'summary:abnormal:A lose:B win\n" + time);
  EXPECT_EQ(text(EndKind::time_up, w), "%TIME_UP\n" + board + "'summary:time up:A lose:B win\n" + time);
  EXPECT_EQ(text(EndKind::kachi, b, "%KACHI", 7),
            "%KACHI\nT7\n%KACHI\n" + board + "'summary:kachi:A win:B lose\n" + time);
  EXPECT_EQ(text(EndKind::illegal_kachi, w, "%KACHI", 0),
            "%KACHI\nT0\n%KACHI\n" + board + "'summary:illegal kachi:A lose:B win\n" + time);
  EXPECT_EQ(text(EndKind::illegal_move, w, "+1234FU"),
            "'ILLEGAL_MOVE(+1234FU)\n" + board + "'summary:illegal move:A lose:B win\n" + time);
  EXPECT_EQ(text(EndKind::oute_kaihimore, w, "+1716FU"),
            "'ILLEGAL_MOVE(+1716FU)\n" + board + "'summary:oute_kaihimore:A lose:B win\n" + time);
  EXPECT_EQ(text(EndKind::uchifuzume, b, "-0052FU"),
            "'ILLEGAL_MOVE(-0052FU)\n" + board + "'summary:uchifuzume:A win:B lose\n" + time);
  EXPECT_EQ(text(EndKind::sennichite, Outcome::draw),
            "%SENNICHITE\n" + board + "'summary:sennichite:A draw:B draw\n" + time);
  EXPECT_EQ(text(EndKind::oute_sennichite, w), board + "'summary:oute_sennichite:A lose:B win\n" + time);
  EXPECT_EQ(text(EndKind::max_moves, Outcome::draw), board + "'summary:max_moves:A draw:B draw\n" + time);
  EXPECT_EQ(text(EndKind::chudan, Outcome::none), "%CHUDAN\n" + board + time);
}

// Black is to move at the end: White's loss has CSA's sign for a side out of turn.
TEST(RecordsText, AdjudicatedGames) {
  const auto text = [](Outcome outcome) {
    core::GameEnded end = ended(EndKind::adjudicated, outcome);
    end.reason = "both\nagreed";
    return record_end(opened(), end);
  };
  const std::string head = "'* adjudicated: both agreed\n", board = "'P1x\n'+\n",
                    time = "'$END_TIME:2026/11/21 04:16:00\n";
  EXPECT_EQ(text(Outcome::white_wins), head + "%TORYO\n" + board + "'summary:adjudicated:A lose:B win\n" + time);
  EXPECT_EQ(text(Outcome::black_wins),
            head + "%-ILLEGAL_ACTION\n" + board + "'summary:adjudicated:A win:B lose\n" + time);
  EXPECT_EQ(text(Outcome::draw), head + "%HIKIWAKE\n" + board + "'summary:adjudicated:A draw:B draw\n" + time);
  EXPECT_EQ(text(Outcome::none), head + "%CHUDAN\n" + board + time);
}

TEST(RecordsText, PausesAreComments) {
  EXPECT_EQ(record_lines(GamePaused{.game = {}, .used_us = 5, .by = "host", .why = "power\ncut", .at = {}}),
            "'* paused by host: power cut\n");
  EXPECT_EQ(record_lines(GameResumed{.game = {}, .by = "host", .at = {}}), "'* resumed by host\n");
}

TEST(RecordsText, RejectedGameHasAnEndTimeOnly) {
  GameRejected rejected;
  rejected.local_time = "2026/11/21 04:17:07";
  EXPECT_EQ(record_rejected(rejected), "'$END_TIME:2026/11/21 04:17:07\n");
}

TEST(RecordsText, CommentsBecomeEucJpAndStayOneLine) {
  EXPECT_EQ(record_move(made("+7776FU", 1, "\xE4\xB8\xAD")), "+7776FU\nT1\n'*\xC3\xE6\n");              // UTF-8
  EXPECT_EQ(record_move(made("+7776FU", 1, "\xC3\xE6\xB8\xB6")), "+7776FU\nT1\n'*\xC3\xE6\xB8\xB6\n");  // EUC-JP
  EXPECT_EQ(record_move(made("+7776FU", 1, "\x92\x86")), "+7776FU\nT1\n'*\xC3\xE6\n");                  // Shift_JIS
  EXPECT_EQ(record_move(made("+7776FU", 1, std::string("a\nb\rc\0d", 7))), "+7776FU\nT1\n'*a b c d\n");
}

TEST(RecordsText, ListLine) {
  const auto end = ended(EndKind::time_up, Outcome::white_wins);
  EXPECT_EQ(list_line(opened(), end, "/r/x.csa"),
            "2026/11/21 04:16:00\ttime up\tlose\tA+7e5a\tB+d416\twin\t/r/x.csa\t2\n");
  GameOpened game = opened();
  game.white.id.clear();
  EXPECT_THAT(list_line(game, end, "/r/x.csa"), testing::HasSubstr("\tA+7e5a\tB\twin\t"));
}

TEST(RecordsText, WhichListTakesWhichGame) {
  GameOpened game = opened();
  EXPECT_TRUE(is_listed(game, ended(EndKind::toryo, Outcome::draw)));
  EXPECT_FALSE(is_listed(game, ended(EndKind::chudan, Outcome::none)));
  game.room = "demo";
  EXPECT_FALSE(is_listed(game, ended(EndKind::toryo, Outcome::draw)));
  const auto list_of = [&](std::string name) {
    game.game_name = std::move(name);
    return second_list(game);
  };
  EXPECT_EQ(list_of("floodgate-600-10F"), "00LIST.floodgate");
  EXPECT_EQ(list_of("floodgate-900-0"), "00LIST.floodgate");
  for (const char* other : {"test-900-0", "floodgate-900", "floodgate-900-0x", "floodgate--0", "floodgate-9-0FF",
                            "xfloodgate-900-0", "floodgate-900-"}) {
    EXPECT_EQ(list_of(other), "00LIST.others") << other;
  }
}

TEST(RecordsText, OurReaderUnderstandsTheRecord) {
  std::string text = record_head(opened()) + record_move(made("+7776FU", 3, "* 30 +7776FU"));
  text += record_move(made("-3334FU", 4, "")) + record_end(opened(), ended(EndKind::toryo, Outcome::white_wins));
  const auto file = record::read_csa(text);
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_THAT(file->games[0].warnings, testing::IsEmpty());
  const record::Game& game = file->games[0].game;
  EXPECT_EQ(game.plies(), 2);
  EXPECT_EQ(game.moves[1].spent_ms, 4000);
  EXPECT_EQ(game.end.kind, record::EndKind::toryo);
  EXPECT_EQ(game.event, opened().csa_id);
}

}  // namespace
}  // namespace fuhyo::core
