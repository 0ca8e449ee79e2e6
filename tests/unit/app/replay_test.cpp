// What a recorded game asks of a server, for every kind of end; and what the server did and stored, compared with it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/csa_reader.h"
#include "server/app/replay/game.h"
#include "server/app/replay/plan.h"
#include "server/app/replay/stored_record.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Close = ReplayPlan::Close;
using namespace std::chrono_literals;

record::Game game(std::string_view lines) {
  const auto games = record::parse_csa(fmt::format("V2.2\nPI\n+\n{}", lines));
  EXPECT_TRUE(games) << (games ? "" : record::to_string(games.error()));
  return games ? games->front().game : record::Game();
}

ReplayPlan plan(std::string_view lines) {
  const auto planned = plan_replay(game(lines));
  EXPECT_TRUE(planned) << (planned ? "" : planned.error());
  return planned.value_or(ReplayPlan{});
}

// Rooks step aside and back: every position of the circle returns after four moves.
constexpr std::string_view kCircle = "+2838HI\n-8272HI\n+3828HI\n-7282HI\n";

TEST(ReplayPlan, ResignationIsReplayedAsItIs) {
  const ReplayPlan p = plan("+7776FU\n-3334FU\n%TORYO\n");
  EXPECT_THAT(p.moves, ElementsAre("+7776FU", "-3334FU"));
  EXPECT_EQ(p.close, Close::resign);
  EXPECT_EQ(p.remark, "");
  EXPECT_EQ(p.legal_moves(), 2U);
}

TEST(ReplayPlan, DeclarationThatTheRulesRefuseIsReplayedAsSuch) {
  const ReplayPlan p = plan("+7776FU\n%KACHI\n");
  EXPECT_EQ(p.close, Close::misdeclare);
  EXPECT_THAT(p.remark, HasSubstr("which does not win"));
}

TEST(ReplayPlan, EndsThatNoRuleDecidesAreRemarked) {
  EXPECT_THAT(plan("+7776FU\n%TIME_UP\n").remark, HasSubstr("ends by %TIME_UP"));
  EXPECT_THAT(plan("+7776FU\n%CHUDAN\n").remark, HasSubstr("ends by %CHUDAN"));
  EXPECT_THAT(plan("+7776FU\n").remark, HasSubstr("just stops"));
  EXPECT_EQ(plan("+7776FU\n").close, Close::resign);
}

TEST(ReplayPlan, IllegalLastMoveIsPlayed) {
  const ReplayPlan p = plan("+7776FU\n-3334FU\n+8822UM\n-3142GI\n%ILLEGAL_MOVE\n");
  EXPECT_EQ(p.close, Close::resign) << "every move is legal: what was illegal is not in the record";
  EXPECT_THAT(p.remark, HasSubstr("no move of it is illegal"));
  const ReplayPlan q = plan("+7776FU\n-8384FU\n+8833UM\n-8384FU\n%ILLEGAL_MOVE\n");
  EXPECT_EQ(q.close, Close::illegal_move) << "nothing of White stands on 8c: a move that nobody can carry out";
  EXPECT_EQ(q.moves.back(), "-8384FU");
  EXPECT_EQ(q.legal_moves(), 3U);
  EXPECT_EQ(q.remark, "");
}

TEST(ReplayPlan, AnIllegalMoveEndsTheGameWhereTheRecordGoesOn) {
  const ReplayPlan p = plan("+7776FU\n-3334FU\n+8833UM\n-8384FU\n+3322UM\n%TORYO\n");  // White's king stays attacked
  EXPECT_EQ(p.close, Close::illegal_move);
  EXPECT_EQ(p.moves.size(), 4U);
  EXPECT_EQ(p.legal_moves(), 3U);
  EXPECT_THAT(p.remark, HasSubstr("at ply 4, where the record goes on"));
}

TEST(ReplayPlan, RepetitionCountsFromTheFirstMove) {
  const std::string lines = fmt::format("{0}{0}{0}+2838HI\n", kCircle);
  EXPECT_EQ(plan(fmt::format("{0}{0}{0}%SENNICHITE\n", kCircle)).close, Close::resign) << "the start does not count";
  const ReplayPlan p = plan(lines + "%SENNICHITE\n");
  EXPECT_EQ(p.close, Close::repetition);
  EXPECT_EQ(p.moves.size(), 13U);
  EXPECT_EQ(p.remark, "");
  EXPECT_THAT(plan(lines + "-8272HI\n%TORYO\n").remark, HasSubstr("at ply 13, where the record goes on"));
  EXPECT_THAT(plan(lines + "%TORYO\n").remark, HasSubstr("at ply 13, but the record ends by %TORYO"));
}

TEST(ReplayPlan, OtherStartPositionsAreToldInBothForms) {
  EXPECT_EQ(plan("+7776FU\n%TORYO\n").start_sfen, "");
  const auto games = record::parse_csa(
      "V2.2\nP1 *  *  *  * -OU *  *  *  * \nP9 *  *  *  * +OU *  *  *  * \n"
      "P+00KI00FU\nP-00FU\n-\n-5152OU\n+0055KI\n%TORYO\n");
  ASSERT_TRUE(games) << record::to_string(games.error());
  const auto p = plan_replay(games->front().game);
  ASSERT_TRUE(p) << p.error();
  EXPECT_EQ(p->start_sfen, "4k4/9/9/9/9/9/9/9/4K4 w GPp 1");
  EXPECT_TRUE(p->white_first);
  EXPECT_THAT(p->moves, ElementsAre("-5152OU", "+0055KI"));
  ASSERT_EQ(p->start_board.size(), 12U);
  EXPECT_EQ(p->start_board[0], "P1 *  *  *  * -OU *  *  *  * ");
  EXPECT_EQ(p->start_board[1], "P2 *  *  *  *  *  *  *  *  * ");
  EXPECT_THAT(std::vector(p->start_board.begin() + 9, p->start_board.end()), ElementsAre("P+00FU00KI", "P-00FU", "-"));
}

TEST(ReplayPlan, RefusesWhatIsNoGame) {
  EXPECT_EQ(plan_replay(game("%TORYO\n")).error(), "it has no moves");
  record::Game nonsense = game("+7776FU\n%TORYO\n");
  nonsense.start.board.fill(shogi::make_piece(shogi::BLACK, shogi::PAWN));
  EXPECT_THAT(plan_replay(nonsense).error(), HasSubstr("its start position is refused: "));
}

// ---- what was done and stored ----

class StoredRecord : public ::testing::Test {
 protected:
  StoredRecord() {
    std::filesystem::create_directories(folder_ / "2026/11/21");
    plan_.moves = {"+7776FU", "-3334FU"};
    played_ = {.id = "test+r-0-0+b+w+20261121080000", .accepted = plan_.moves, .end = "#RESIGN"};
  }

  // What differs of a record with these lines.
  std::string stored(std::string_view lines) {
    folder_.write("2026/11/21/" + played_.id + ".csa",
                  fmt::format("V2\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n+\n{}'$END_TIME:2026/11/21 08:00:01\n", lines));
    return found();
  }
  std::string found() { return stored_difference(folder_.path(), plan_, played_, 50ms); }

  test::TemporaryFolder folder_;
  ReplayPlan plan_;
  PlayedGame played_;
};

TEST_F(StoredRecord, EqualRecordHasNoDifference) {
  EXPECT_EQ(stored("+7776FU\nT0\n-3334FU\nT0\n'* 30\n%TORYO\n'summary:toryo:b lose:w win\n"), "");
}

TEST_F(StoredRecord, MovesMustBeTheSame) {
  const std::string end = "%TORYO\n'summary:toryo:b lose:w win\n";
  EXPECT_THAT(stored("+7776FU\nT0\n" + end), HasSubstr("'nothing' for ply 2, not '-3334FU'"));
  EXPECT_THAT(stored("+7776FU\nT0\n-8384FU\nT0\n" + end), HasSubstr("'-8384FU' for ply 2"));
  EXPECT_THAT(stored("+7776FU\nT0\n-3334FU\nT0\n+2726FU\n" + end), HasSubstr("'+2726FU' for ply 3, not 'nothing'"));
}

TEST_F(StoredRecord, AnotherStartMustBeTheSame) {
  plan_.start_board = {"P1-KY-KE-GI-KI-OU-KI-GI-KE-KY", "+"};
  const std::string_view end = "+7776FU\n-3334FU\n%TORYO\n'summary:toryo:b lose:w win\n";
  EXPECT_EQ(stored(end), "");
  plan_.start_board.insert(plan_.start_board.begin() + 1, "P+00KI00FU");
  EXPECT_THAT(found(), HasSubstr("starts with '+', not 'P+00FU00KI'"));
  EXPECT_THAT(stored(fmt::format("P+00FU00KI\n{}", end)), HasSubstr("starts with '+'")) << "in another order";
  plan_.start_board = {"P1 *  *  *  * -OU *  *  *  * ", "+"};
  EXPECT_THAT(found(), HasSubstr("'P1-KY-KE-GI-KI-OU-KI-GI-KE-KY', not 'P1 *  *  *  * -OU *  *  *  *'"));
}

TEST_F(StoredRecord, EndMustBeTheSame) {
  const std::string moves = "+7776FU\nT0\n-3334FU\nT0\n";
  EXPECT_THAT(stored(moves + "%TIME_UP\n'summary:time up:b lose:w win\n"), HasSubstr("'%TIME_UP', not '%TORYO'"));
  EXPECT_THAT(stored(moves + "%TORYO\n'summary:abnormal:b lose:w win\n"), HasSubstr("sums up 'abnormal'"));
}

TEST_F(StoredRecord, MissingAndUnfinishedRecordsAreNamed) {
  EXPECT_THAT(found(), HasSubstr("no record test+r-0-0+b+w+20261121080000.csa"));
  folder_.write(played_.id + ".csa", "V2\n+7776FU\n");
  EXPECT_THAT(found(), HasSubstr("not complete"));
}

TEST(Difference, NamesEarlyAndWrongEnds) {
  ReplayPlan plan;
  plan.moves = {"+7776FU", "-3334FU"};
  PlayedGame played{.id = "x", .accepted = plan.moves, .end = "#RESIGN"};
  EXPECT_EQ(difference(plan, played), "");
  played.end = "#TIME_UP";
  EXPECT_THAT(difference(plan, played), HasSubstr("#TIME_UP"));
  played.accepted.pop_back();
  EXPECT_THAT(difference(plan, played), HasSubstr("after 1 of 2 moves"));
  plan.close = ReplayPlan::Close::illegal_move;
  played.end = "#ILLEGAL_MOVE";
  EXPECT_EQ(difference(plan, played), "");
}

}  // namespace
}  // namespace fuhyo::app
