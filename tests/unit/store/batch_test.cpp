#include "server/store/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/store/journal_script.h"

namespace fuhyo::test {
namespace {

using core::GameId;
using core::Seq;
using store::Batch;
using store::LiveGames;
using ::testing::ElementsAre;

TEST(Batch, KeepsEveryRowOfEveryStepInOrder) {
  LiveGames live;
  const std::vector<core::Transaction> transactions = workload(30);
  const Batch batch(transactions, live);
  EXPECT_EQ(batch.transactions, transactions);
  const std::vector<core::Journaled> rows = rows_of(transactions);
  ASSERT_EQ(batch.rows.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(batch.rows[i].seq, rows[i].seq);
    EXPECT_EQ(batch.rows[i].game, core::game_of(rows[i].fact));
    const core::EncodedFact& fact = batch.rows[i].fact;
    EXPECT_EQ(core::decode(fact.kind, fact.version, fact.payload).value(), rows[i].fact);
  }
  EXPECT_EQ(batch.first(), Seq{1});
  EXPECT_EQ(batch.last(), rows.back().seq);
}

TEST(Batch, TellsOpenedClosedAndFinishedGames) {
  LiveGames live;
  Script script;
  const Batch batch({script.transaction({opened(5), opened(3), started(3)}),
                     script.transaction({rejected(5), ended(3, 1)}), script.transaction({opened(4)})},
                    live);
  ASSERT_EQ(batch.opened.size(), 3U);
  EXPECT_EQ(batch.opened[1].game, GameId{3});
  EXPECT_EQ(batch.opened[1].first, Seq{2});
  EXPECT_THAT(batch.closed, ElementsAre(GameId{5}, GameId{3}));
  ASSERT_EQ(batch.finished.size(), 1U);
  EXPECT_EQ(batch.finished[0].opened, opened(3));
  EXPECT_EQ(batch.finished[0].started, started(3).at);
  EXPECT_EQ(batch.finished[0].ended, ended(3, 1));
  EXPECT_EQ(batch.last_game, 5U);
  EXPECT_EQ(batch.last_stamp, 20260701000005U);
  EXPECT_EQ(batch.newest, ended(3, 1).at);
  EXPECT_EQ(live.size(), 1U) << "game 4";
}

TEST(Batch, AGameOfAnEventIsFiledAsAnyOther) {
  LiveGames live;
  Script script;
  const core::TournamentGame of_event{.game = GameId{3}, .event = "cup", .key = {}};
  const Batch batch(
      {script.transaction({opened(3), of_event}), script.transaction({started(3)}), script.transaction({ended(3, 1)})},
      live);
  ASSERT_EQ(batch.finished.size(), 1U);
  EXPECT_EQ(batch.finished[0].opened, opened(3));
}

TEST(Batch, AGameIdWithoutTimeStampHasNone) {
  LiveGames live;
  Script script;
  core::GameOpened odd = opened(1);
  for (const char* id : {"", "no plus", "a+b+", "a+12x", "a+99999999999999999999999"}) {
    odd.csa_id = id;
    EXPECT_EQ(Batch({script.transaction({odd})}, live).last_stamp, 0U) << id;
  }
}

TEST(LiveGames, UnknownAndRejectedGamesLeaveNoRow) {
  LiveGames live;
  for (const core::Fact& fact : {core::Fact(move(9, 1)), core::Fact(ended(9, 1)), core::Fact(opened(1)),
                                 core::Fact(rejected(1)), core::Fact(ended(1, 1))}) {
    EXPECT_FALSE(live.take(fact));
  }
  EXPECT_EQ(live.size(), 0U);
}

}  // namespace
}  // namespace fuhyo::test
