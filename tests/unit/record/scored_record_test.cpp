// Records as games with scores, and back.
#include "engines/record/scored_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/csa_reader.h"
#include "engines/record/csa_writer.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::record {
namespace {

using ::testing::HasSubstr;

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
  const auto move = [](std::string_view text) { return *shogi::parse_usi_move(text); };
  const std::pair<Winner, ScoredEnd> kKept[] = {{Winner::black, ScoredEnd::no_move},
                                                {Winner::nobody, ScoredEnd::repetition},
                                                {Winner::nobody, ScoredEnd::move_limit},
                                                {Winner::white, ScoredEnd::declaration},
                                                {Winner::nobody, ScoredEnd::unknown}};
  for (const auto& [winner, end] : kKept) {
    const ScoredGame game{.start = {},
                          .moves = {{move("7g7f"), 31}, {move("3c3d"), {}}, {move("2g2f"), -5}},
                          .winner = winner,
                          .end = end};
    const auto back = scored_game(parse_csa(write_csa(record_of(game), CsaVersion::v3_0))->front().game);
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(back->moves, game.moves);
    EXPECT_EQ(back->winner, winner);
    EXPECT_EQ(back->end, end);
  }
  const ScoredGame lost{.start = {}, .moves = {{move("7g7f"), 31}}, .winner = Winner::white};
  EXPECT_EQ(record_of(lost).end.kind, EndKind::black_illegal);
}

}  // namespace
}  // namespace fuhyo::record
