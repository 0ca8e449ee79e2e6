// What looks at every game looks at the index of those columns, and not at the table, which is ten times as large.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "server/store/catalogue/game_queries.h"
#include "server/store/sqlite/database.h"
#include "server/store/store.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::test {
namespace {

using testing::AllOf, testing::Contains, testing::Each, testing::HasSubstr;

class CataloguePlan : public ::testing::Test {
 protected:
  CataloguePlan() { EXPECT_TRUE((*store::make_store("sqlite:" + file_))->migrate()); }

  // A line for each table or index that is gone through; rows of known games are read by their number.
  std::vector<std::string> looks(const store::SqlQuery& query) {
    auto db = store::Database::open(file_, store::Database::Access::read, nullptr, 1000);
    auto plan = db->prepare("EXPLAIN QUERY PLAN " + query.sql());
    EXPECT_TRUE(plan) << plan.error().message;
    std::vector<std::string> lines;
    while (*plan->step()) {
      std::string line(plan->bytes(3));
      if (line.contains(" game") && !line.contains("INTEGER PRIMARY KEY (rowid=?)")) lines.push_back(std::move(line));
    }
    return lines;
  }

  TemporaryFolder folder_;
  const std::string file_ = folder_.file("fuhyo.db");
};

TEST_F(CataloguePlan, WhatFewGamesHaveIsFoundInTheIndex) {
  const store::Seen delayed = {{.games = "club-*", .until = {7}}};
  for (const core::GameQuery& query :
       {core::GameQuery{}, core::GameQuery{.game_name = "final-*"}, core::GameQuery{.room = "main"},
        core::GameQuery{.outcome = core::Outcome::draw}, core::GameQuery{.end_kind = "jishogi"},
        core::GameQuery{.from = "2026/11/22", .to = "2026/11/22"}, core::GameQuery{.min_plies = 500},
        core::GameQuery{.min_rate = 4000}}) {
    const store::ResolvedQuery resolved{.query = query, .player = {}, .opponent = {}, .seen = delayed};
    const auto index = HasSubstr("USING COVERING INDEX game_ended");
    const std::vector<std::string> games = looks(store::games_query(store::Dialect::sqlite, resolved));
    EXPECT_THAT(games, AllOf(Contains(index), Each(index)));
    const std::vector<std::string> met = looks(store::cross_query(store::Dialect::sqlite, resolved, 40));
    EXPECT_THAT(met, AllOf(Contains(index), Each(index)));
  }
}

}  // namespace
}  // namespace fuhyo::test
