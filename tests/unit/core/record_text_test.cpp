// Records of games, beyond those that shogi-server wrote itself (tests/golden/wire/records).
#include "server/core/record_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/csa_reader.h"
#include "engines/shogi/position.h"

namespace fuhyo::core {
namespace {

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

TEST(RecordsText, EveryEnd) {
  using enum EndKind;
  using enum Outcome;
  struct Case {
    EndKind kind;
    Outcome outcome;
    std::string line;
    int spent_s;
    std::string_view end, summary;
  };
  // Black is to move at the end: White's loss by a verdict has CSA's sign for a side out of turn.
  const Case cases[] = {
      {toryo, black_wins, "", 0, "%TORYO\n", "toryo:A win:B lose"},
      {abnormal, white_wins, "", 0, "%TORYO\n", "abnormal:A lose:B win"},
      {time_up, white_wins, "", 0, "%TIME_UP\n", "time up:A lose:B win"},
      {kachi, black_wins, "%KACHI", 7, "%KACHI\nT7\n%KACHI\n", "kachi:A win:B lose"},
      {illegal_kachi, white_wins, "%KACHI", 0, "%KACHI\nT0\n%KACHI\n", "illegal kachi:A lose:B win"},
      {illegal_move, white_wins, "+1234FU", 0, "'ILLEGAL_MOVE(+1234FU)\n", "illegal move:A lose:B win"},
      {oute_kaihimore, white_wins, "+1716FU", 0, "'ILLEGAL_MOVE(+1716FU)\n", "oute_kaihimore:A lose:B win"},
      {uchifuzume, black_wins, "-0052FU", 0, "'ILLEGAL_MOVE(-0052FU)\n", "uchifuzume:A win:B lose"},
      {sennichite, draw, "", 0, "%SENNICHITE\n", "sennichite:A draw:B draw"},
      {oute_sennichite, white_wins, "", 0, "", "oute_sennichite:A lose:B win"},
      {max_moves, draw, "", 0, "", "max_moves:A draw:B draw"},
      {chudan, none, "", 0, "%CHUDAN\n", ""},
      {adjudicated, white_wins, "", 0, "'* adjudicated: both agreed\n%TORYO\n", "adjudicated:A lose:B win"},
      {adjudicated, black_wins, "", 0, "'* adjudicated: both agreed\n%-ILLEGAL_ACTION\n", "adjudicated:A win:B lose"},
      {adjudicated, draw, "", 0, "'* adjudicated: both agreed\n%HIKIWAKE\n", "adjudicated:A draw:B draw"},
      {adjudicated, none, "", 0, "'* adjudicated: both agreed\n%CHUDAN\n", ""},
  };
  for (const Case& c : cases) {
    GameEnded end = ended(c.kind, c.outcome);
    end.line = c.line;
    end.spent_s = c.spent_s;
    if (c.kind == adjudicated) end.reason = "both\nagreed";
    const std::string summary = c.summary.empty() ? "" : fmt::format("'summary:{}\n", c.summary);
    EXPECT_EQ(record_end(opened(), end), fmt::format("{}'P1x\n'+\n{}'$END_TIME:2026/11/21 04:16:00\n", c.end, summary));
  }
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

TEST(RecordsText, TheGameNameIsTheSecondPartOfTheGameId) {
  EXPECT_EQ(game_name_of("wdoor+floodgate-900-0+a+b+20100507123456"), "floodgate-900-0");
  EXPECT_EQ(game_name_of("wdoor+floodgate-900-0"), "floodgate-900-0");
  EXPECT_EQ(game_name_of("floodgate-900-0"), "") << "there is no second part";
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
