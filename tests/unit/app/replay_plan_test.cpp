// What a recorded game asks of a server, for every kind of end.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/csa_reader.h"
#include "server/app/replay/plan.h"

namespace fuhyo::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Close = ReplayPlan::Close;

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

}  // namespace
}  // namespace fuhyo::app
