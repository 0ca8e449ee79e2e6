// Which indexes a search goes by: the table is ten times as large as what tells games apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <tuple>
#include <vector>

#include "server/store/catalogue/game_queries.h"
#include "server/store/sqlite/database.h"
#include "server/store/store.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::test {
namespace {

using testing::AllOf, testing::Contains, testing::Each, testing::ElementsAre, testing::HasSubstr;

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

const store::Seen kDelayed = {{.games = "club-*", .until = {7}}};
const std::optional<store::PlayerMatch> kMany = store::PlayerMatch{.ids = {"a+1", "b+2"}, .nameless = "a*"};

store::ResolvedQuery resolved(const core::GameQuery& query) {
  store::ResolvedQuery resolved{.query = query, .player = {}, .opponent = {}, .seen = kDelayed};
  if (!query.player.empty()) resolved.player = kMany;
  resolved.game_names = std::vector<std::string>{"final-900-5F"};
  return resolved;
}

TEST_F(CataloguePlan, GamesAreGoneThroughInTheOrderOfTheirEndsWithoutTheTable) {
  for (const core::GameQuery& query :
       {core::GameQuery{}, core::GameQuery{.player = "a*"}, core::GameQuery{.game_name = "final-*"},
        core::GameQuery{.room = "main"}, core::GameQuery{.outcome = core::Outcome::draw},
        core::GameQuery{.end_kind = "jishogi"}, core::GameQuery{.from = "2026/11/22", .to = "2026/11/22"},
        core::GameQuery{.min_plies = 500}, core::GameQuery{.min_rate = 4000}}) {
    const auto index = HasSubstr("USING COVERING INDEX game_ended");
    const std::vector<std::string> games = looks(store::games_query(store::Dialect::sqlite, resolved(query)));
    EXPECT_THAT(games, AllOf(Contains(index), Each(index)));
    const std::vector<std::string> met = looks(store::cross_query(store::Dialect::sqlite, resolved(query), 40));
    EXPECT_THAT(met, AllOf(Contains(index), Each(index)));
  }
}

TEST_F(CataloguePlan, WhatFewGamesHaveIsLookedUp) {
  using enum store::Criterion;
  const std::vector<std::tuple<store::Criterion, core::GameQuery, std::string>> rare = {
      {game_name, {.game_name = "final-*"}, "game_named"},
      {room, {.room = "cup"}, "game_room"},
      {outcome, {.outcome = core::Outcome::draw}, "game_outcome"},
      {end_kind, {.end_kind = "jishogi"}, "game_end_kind"},
      {plies, {.min_plies = 500}, "game_plies"},
      {rate, {.min_rate = 4000}, "game_rate"}};
  for (const auto& [criterion, query, index] : rare) {
    core::GameQuery more = query;
    more.player = "a*";
    for (store::ResolvedQuery which : {resolved(query), resolved(more)}) {
      which.rare = criterion;
      const std::vector<std::string> games = looks(store::games_query(store::Dialect::sqlite, which));
      EXPECT_THAT(games, AllOf(Contains(HasSubstr("INDEX " + index + " (")), Each(HasSubstr("SEARCH game USING"))));
      EXPECT_THAT(games, Each(HasSubstr(index)));
    }
  }
  EXPECT_THAT(looks(store::long_games_query(store::Dialect::sqlite, 7)), ElementsAre(HasSubstr("INDEX game_long (")));
}

}  // namespace
}  // namespace fuhyo::test
