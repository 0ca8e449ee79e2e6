#include "server/host/player_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fuhyo::host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(PlayerLine, TakesEverything) {
  const auto player = parse_player_line(
      "name=Gps engine='/usr/games/gpsusi --book \"a b\"' game=test-600-10 turn=- option.USI_Hash=64 "
      "option.Book='x y' ponder=true comments=false nice=19 think-ms=500 room=club password=trip");
  ASSERT_TRUE(player) << player.error();
  EXPECT_EQ(player->name, "Gps");
  EXPECT_THAT(player->command, ElementsAre("/usr/games/gpsusi", "--book", "a b"));
  EXPECT_EQ(player->game, "test-600-10");
  EXPECT_EQ(player->turn, '-');
  EXPECT_THAT(player->options, ElementsAre(Pair("USI_Hash", "64"), Pair("Book", "x y")));
  EXPECT_TRUE(player->ponder);
  EXPECT_FALSE(player->comments);
  EXPECT_EQ(player->nice, 19);
  EXPECT_EQ(player->unlimited.movetime_ms, 500);
  EXPECT_EQ(player->room, "club");
  EXPECT_EQ(player->password, "trip");
}

TEST(PlayerLine, NeedsNameAndEngineOnly) {
  const auto player = parse_player_line("name=a engine=b");
  ASSERT_TRUE(player) << player.error();
  EXPECT_EQ(player->game, "default-1500-0");
  EXPECT_EQ(player->turn, '*');
  EXPECT_EQ(player->room, "main");
  EXPECT_FALSE(player->rests);
  EXPECT_TRUE(player->comments);
}

TEST(PlayerLine, SaysWhatIsWrong) {
  const auto error_of = [](std::string_view line) {
    const auto player = parse_player_line(line);
    return player ? std::string() : player.error();
  };
  EXPECT_THAT(error_of(""), HasSubstr("empty"));
  EXPECT_THAT(error_of("name=a"), HasSubstr("engine=... is missing"));
  EXPECT_THAT(error_of("engine=b"), HasSubstr("name=... is missing"));
  EXPECT_THAT(error_of("name=a engine=b speed=9"), HasSubstr("unknown key 'speed'"));
  EXPECT_THAT(error_of("name=a engine=b ponder"), HasSubstr("'ponder': key=value"));
  EXPECT_THAT(error_of("name=a engine=b ponder=yes"), HasSubstr("ponder=yes: true or false"));
  EXPECT_THAT(error_of("name=a engine=b comments=1"), HasSubstr("comments=1: true or false"));
  EXPECT_THAT(error_of("name=a engine=b nice=20"), HasSubstr("nice=20: a number from 0 to 19"));
  EXPECT_THAT(error_of("name=a engine=b turn=x"), HasSubstr("turn=x"));
  EXPECT_THAT(error_of("name='a b' engine=b"), HasSubstr("name=a b"));
  EXPECT_THAT(error_of("name=" + std::string(33, 'a') + " engine=b"), HasSubstr("name="));
  EXPECT_EQ(error_of("name=" + std::string(32, 'a') + " engine=b"), "");
  EXPECT_THAT(error_of("name=a engine="), HasSubstr("engine: the command is empty"));
  EXPECT_THAT(error_of("name=a engine='b"), HasSubstr("quote"));
  EXPECT_THAT(error_of("name=a engine=b option.=1"), HasSubstr("unknown key"));
}

}  // namespace
}  // namespace fuhyo::host
