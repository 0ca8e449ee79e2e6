// The ratings that shogi-server's own mk_rate makes of three lists of results (tests/support/list_maker.h), made by the
// program itself with its defaults: ours are the same to a tenth of a point before they are cut, and after it.
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "server/core/rating/shogi_server.h"
#include "server/store/results/collector.h"
#include "server/store/shogi_server/local_time.h"
#include "tests/support/list_maker.h"

namespace fuhyo {
namespace {

using core::rating::ShogiServerRatings;

constexpr core::Wall kBase{1'767'225'600 * core::kSecond};  // 2026-01-01 00:00:00 UTC
constexpr double kClose = 0.1;

struct Expected {
  int group = 0;
  std::string id;
  double cut = 0, exact = 0, win = 0, loss = 0;
  std::string last_game;
};

std::vector<Expected> read_expected(const std::string& name) {
  std::ifstream in(std::string(FUHYO_SOURCE_DIR) + "/tests/golden/rating/" + name + ".tsv");
  std::vector<Expected> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    Expected row;
    std::istringstream fields(line);
    fields >> row.group >> row.id >> row.cut >> row.exact >> row.win >> row.loss;
    std::getline(fields >> std::ws, row.last_game);
    rows.push_back(row);
  }
  return rows;
}

core::rating::Games games_of(const test::ListPlan& plan) {
  store::ResultCollector results({});
  results.add_list(test::make_list(plan), "00LIST");
  EXPECT_EQ(results.faults().size(), 1U) << "the line that is cut short";
  return results.games();
}

// The same table, but for the numbers of groups of one size.
void expect_equal(const ShogiServerRatings& ours, const std::vector<Expected>& theirs) {
  ASSERT_FALSE(theirs.empty());
  EXPECT_EQ(ours.table.players.size(), theirs.size());
  std::map<int, std::set<int>> groups;
  std::map<int, std::size_t> size;
  for (const Expected& row : theirs) {
    const auto found = ours.table.players.find(row.id);
    ASSERT_NE(found, ours.table.players.end()) << row.id;
    const core::PlayerRating& player = found->second;
    groups[row.group].insert(player.group);
    ++size[player.group];
    EXPECT_EQ(player.rate, row.cut) << row.id;
    EXPECT_NEAR(player.win, row.win, 1e-6) << row.id;
    EXPECT_NEAR(player.loss, row.loss, 1e-6) << row.id;
    EXPECT_EQ(store::format_local_time(player.last_modified, {}), row.last_game) << row.id;
    if (row.group == core::kUnratedGroup) continue;
    EXPECT_NEAR(ours.exact.at(row.id), row.exact, kClose) << row.id;
  }
  for (const auto& [number, same] : groups) EXPECT_EQ(same.size(), 1U) << "group " << number;
  for (int group = 1; size.contains(group); ++group) EXPECT_LE(size[group], size[group - 1]) << "larger ones first";
}

void expect_as_mk_rate(const std::string& name, const test::ListPlan& plan) {
  const auto ours = core::rating::rate_as_shogi_server(games_of(plan), {.base = kBase});
  ASSERT_TRUE(ours) << ours.error();
  expect_equal(*ours, read_expected(name));
}

TEST(RatingGolden, SmallList) { expect_as_mk_rate("small", test::small_list()); }
TEST(RatingGolden, MiddleList) { expect_as_mk_rate("middle", test::middle_list()); }
TEST(RatingGolden, LargeList) { expect_as_mk_rate("large", test::large_list()); }

TEST(RatingGolden, MiddleListWithEveryOption) {
  const core::rating::ShogiServerRules rules{.base = kBase,
                                             .half_life_days = 30,
                                             .half_life_ignore_days = 3,
                                             .ignore_days = 200,
                                             .abnormal_plies = 0,
                                             .skip_draws = true,
                                             .fixed = {{.player = "player003", .rate = 2000}}};
  const auto ours = core::rating::rate_as_shogi_server(games_of(test::middle_list()), rules);
  ASSERT_TRUE(ours) << ours.error();
  expect_equal(*ours, read_expected("options"));
}

// What is asked for again and again starts from what was found last.
TEST(RatingGolden, FormerRatesLeadToTheSamePlace) {
  const auto games = games_of(test::large_list());
  const core::rating::ShogiServerRules month_ago{.base = {kBase.us - 30 * 86'400 * core::kSecond}};
  const auto former = core::rating::rate_as_shogi_server(games, month_ago);
  ASSERT_TRUE(former);
  const auto ours = core::rating::rate_as_shogi_server(games, {.base = kBase}, &former->table);
  ASSERT_TRUE(ours) << ours.error();
  for (const Expected& row : read_expected("large")) {
    if (row.group != core::kUnratedGroup) EXPECT_NEAR(ours->exact.at(row.id), row.exact, kClose) << row.id;
  }
}

}  // namespace
}  // namespace fuhyo
