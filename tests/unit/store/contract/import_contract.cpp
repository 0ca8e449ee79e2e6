// Games of elsewhere, added to the archive of every store: all or none, each once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "tests/unit/store/contract/contracts.h"

namespace fuhyo::test {

using testing::ElementsAre;
using testing::IsEmpty;

namespace {

store::FinishedGame played(std::uint64_t id, const std::string& csa_id) {
  store::FinishedGame game{.opened = opened(id), .started = {}, .ended = ended(id, 3), .moves = "", .notes = ""};
  game.opened.csa_id = csa_id;
  game.opened.black.id = "a+1";
  game.opened.white.id = "b+2";
  return game;
}

bool add(store::ArchiveImport& import, const std::string& csa_id) {
  store::FinishedGame game = played(1, csa_id);
  const auto added = import.add(game);
  EXPECT_TRUE(added.has_value()) << added.error();
  return added.value_or(false);
}

}  // namespace

void ImportContract::open() {
  auto journal = store_->open_journal({}, recovery_);
  ASSERT_TRUE(journal) << journal.error();
  journal_ = std::move(*journal);
}

std::unique_ptr<store::ArchiveImport> ImportContract::begin(bool dry) {
  auto import = store_->begin_import(dry);
  EXPECT_TRUE(import) << import.error();
  return import ? std::move(*import) : nullptr;
}

std::vector<std::string> ImportContract::numbers_and_ids() {
  return under_test_->ask("SELECT game, csa_id FROM game ORDER BY game");
}

TEST_P(ImportContract, GamesFollowThoseThatWerePlayedHere) {
  open();
  Script script;
  journal_->append(script.step({opened(7), started(7), ended(7, 3)}));
  EXPECT_TRUE(journal_->close());
  const auto import = begin();
  EXPECT_TRUE(import->knows(opened(7).csa_id));
  EXPECT_FALSE(import->knows("x"));
  EXPECT_TRUE(add(*import, "x"));
  EXPECT_TRUE(import->knows("x"));
  EXPECT_FALSE(add(*import, "x")) << "twice is once";
  EXPECT_FALSE(add(*import, opened(7).csa_id));
  EXPECT_TRUE(add(*import, std::string("y\xff\0", 3)));
  EXPECT_TRUE(import->commit());
  EXPECT_THAT(numbers_and_ids(), ElementsAre("7|" + opened(7).csa_id, "8|x", std::string("9|y\xff\0", 5)));
  EXPECT_THAT(under_test_->ask("SELECT id, games, wins FROM player ORDER BY id"),
              ElementsAre("a+1|2|2", "b+2|2|0", "b7+trip|1|1"));
  journal_.reset();
  open();
  EXPECT_EQ(recovery_.last_game, core::GameId{9}) << "no number is given twice";
  EXPECT_TRUE(journal_->close());
  EXPECT_TRUE(begin()->knows(std::string("y\xff\0", 3)));
}

TEST_P(ImportContract, WithoutACommitNothingIsAdded) {
  open();
  EXPECT_TRUE(journal_->close());
  {
    const auto import = begin();
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(add(*import, std::to_string(i)));
  }
  EXPECT_THAT(numbers_and_ids(), IsEmpty());
  EXPECT_TRUE(add(*begin(), "1"));
}

TEST_P(ImportContract, ManyGamesAreAddedAtOnce) {
  open();
  EXPECT_TRUE(journal_->close());
  const auto import = begin();
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(add(*import, std::to_string(i)));
  EXPECT_TRUE(import->commit());
  EXPECT_EQ(numbers_and_ids().size(), 1000U);
  EXPECT_THAT(under_test_->ask("SELECT games FROM player WHERE id = 'a+1'"), ElementsAre("1000"));
}

TEST_P(ImportContract, TheHistoryOfRatingsIsForgottenOnlyIfGamesAreNew) {
  open();
  EXPECT_TRUE(journal_->close());
  rate(*store_, "2026-11-20", {{"a+1", {1200, 30}}});
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
  open();
  Script script;
  journal_->append(script.step({opened(7), started(7), ended(7, 3)}));
  EXPECT_TRUE(journal_->close());
  const auto import = begin(true);
  EXPECT_TRUE(add(*import, "x"));
  EXPECT_FALSE(add(*import, opened(7).csa_id));
  EXPECT_TRUE(import->commit());
  EXPECT_EQ(numbers_and_ids().size(), 1U);
}

}  // namespace fuhyo::test
