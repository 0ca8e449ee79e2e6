// Games of elsewhere, added to the archive of every store: all or none, each once.
#include <gmock/gmock.h>

#include "tests/unit/store/contract/contracts.h"

namespace fuhyo::test {

using testing::ElementsAre;
using testing::IsEmpty;

namespace {

bool add(store::ArchiveImport& import, const std::string& csa_id) {
  store::FinishedGame game{.opened = opened(1), .started = {}, .ended = ended(1, 3), .moves = "", .notes = ""};
  game.opened.csa_id = csa_id;
  game.opened.black.id = "a+1";
  game.opened.white.id = "b+2";
  return value_of(import.add(game));
}

}  // namespace

void ImportContract::hold(std::vector<core::Fact> facts) {
  journal_.reset();
  journal_ = value_of(store_->open_journal({}, recovery_));
  journal_->append(Script(recovery_.last).transaction(std::move(facts)));
  EXPECT_TRUE(journal_->close());
}

TEST_P(ImportContract, GamesFollowThoseThatWerePlayedHere) {
  hold({opened(7), started(7), ended(7, 3)});
  const auto import = begin();
  EXPECT_TRUE(add(*import, "x"));
  EXPECT_FALSE(add(*import, "x")) << "twice is once";
  EXPECT_FALSE(add(*import, opened(7).csa_id));
  EXPECT_TRUE(add(*import, std::string("y\xff\0", 3)));
  EXPECT_TRUE(import->commit());
  EXPECT_THAT(numbers_and_ids(), ElementsAre("7|" + opened(7).csa_id, "8|x", std::string("9|y\xff\0", 5)));
  EXPECT_THAT(under_test_->ask("SELECT id, games, wins FROM player ORDER BY id"),
              ElementsAre("a+1|2|2", "b+2|2|0", "b7+trip|1|1"));
  hold();
  EXPECT_EQ(recovery_.last_game, core::GameId{9}) << "no number is given twice";
  EXPECT_FALSE(add(*begin(), std::string("y\xff\0", 3)));
}

TEST_P(ImportContract, AThousandGamesAreAddedAtOnceOrWithoutACommitNone) {
  hold();
  {
    const auto import = begin();
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(add(*import, std::to_string(i)));
  }
  EXPECT_THAT(numbers_and_ids(), IsEmpty());
  const auto import = begin();
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(add(*import, std::to_string(i)));
  EXPECT_TRUE(import->commit());
  EXPECT_EQ(numbers_and_ids().size(), 1000U);
  EXPECT_THAT(under_test_->ask("SELECT games FROM player WHERE id = 'a+1'"), ElementsAre("1000"));
}

TEST_P(ImportContract, TheHistoryOfRatingsIsForgottenOnlyIfGamesAreNew) {
  hold();
  rate("2026-11-20", {{"a+1", {1200, 30}}});
  EXPECT_TRUE(begin()->commit());
  EXPECT_EQ((*store_->open_ratings())->last_day_before("2026-12-01"), "2026-11-20");
  const auto import = begin();
  EXPECT_TRUE(add(*import, "x"));
  EXPECT_TRUE(import->commit());
  EXPECT_EQ((*store_->open_ratings())->last_day_before("2026-12-01"), "");
}

TEST_P(ImportContract, ADryOneOnlyCounts) {
  {
    const auto import = begin(true);  // of a store that does not exist yet
    EXPECT_TRUE(add(*import, "x"));
    EXPECT_FALSE(add(*import, "x"));
    EXPECT_TRUE(import->commit());
  }
  hold({opened(7), started(7), ended(7, 3)});
  const auto import = begin(true);
  EXPECT_TRUE(add(*import, "x"));
  EXPECT_FALSE(add(*import, opened(7).csa_id));
  EXPECT_TRUE(import->commit());
  EXPECT_EQ(numbers_and_ids().size(), 1U);
}

}  // namespace fuhyo::test
