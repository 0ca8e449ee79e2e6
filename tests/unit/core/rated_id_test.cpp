// Whose rating a game counts for, and how a player's rating is found.
#include "server/core/rating/rated_id.h"

#include <gtest/gtest.h>

#include "server/core/rating/table.h"

namespace fuhyo::core {
namespace {

using rating::name_of;
using rating::rated_id;

TEST(RatedId, PlacesPlayForOnePlayer) {
  EXPECT_EQ(rated_id("gps+0123"), "gps+0123");
  EXPECT_EQ(rated_id("gps@tokyo+0123"), "gps+0123");
  EXPECT_EQ(rated_id("gps@+0123"), "gps+0123");
  EXPECT_EQ(rated_id("gps@a@b+0123"), "gps+0123") << "from the first @ on";
  EXPECT_EQ(rated_id("gps@a+b@c+0123"), "gps+b+0123") << "each one, up to the next +";
}

TEST(RatedId, WithoutATripTheNameStays) {
  EXPECT_EQ(rated_id("gps@tokyo"), "gps@tokyo");
  EXPECT_EQ(rated_id("gps"), "gps");
  EXPECT_EQ(rated_id("a+b@c"), "a+b@c") << "no + follows";
  EXPECT_EQ(rated_id(""), "");
}

TEST(RatedId, ThereIsNoneForThoseWhoAskedNotToBeRated) {
  EXPECT_EQ(rated_id("gps@NORATE+0123"), std::nullopt);
  EXPECT_EQ(rated_id("gps@tokyo@NORATE+0123"), std::nullopt);
  EXPECT_EQ(rated_id("gps@NORATED+0123"), "gps+0123");
  EXPECT_EQ(rated_id("NORATE+0123"), "NORATE+0123");
}

TEST(RatedId, NameIsWhatStandsBeforeThePlus) {
  EXPECT_EQ(name_of("gps+0123"), "gps");
  EXPECT_EQ(name_of("gps"), "gps");
  EXPECT_EQ(name_of("+0123"), "");
}

TEST(PlayerRatings, FindAPlayerWhereverHeLogsInFrom) {
  PlayerRatings ratings;
  ratings.players["gps+0123"] = {.name = "gps", .rate = 2500};
  ratings.players["odd@name+9"] = {.name = "odd@name", .rate = 1};
  ASSERT_NE(ratings.find("gps+0123"), nullptr);
  EXPECT_EQ(ratings.find("gps@tokyo+0123"), ratings.find("gps+0123"));
  EXPECT_EQ(ratings.find("gps@NORATE+0123"), nullptr);
  EXPECT_EQ(ratings.find("gps"), nullptr);
  ASSERT_NE(ratings.find("odd@name+9"), nullptr) << "what stands in the table word by word comes first";
  EXPECT_EQ(ratings.find("odd@name+9")->rate, 1);
}

}  // namespace
}  // namespace fuhyo::core
