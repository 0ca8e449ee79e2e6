// Lines of the configuration that describe built-in players.
#include "server/host/player_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expected.h"

namespace fuhyo::host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(PlayerLine, TakesEverything) {
  const auto player = parse_player_line(
      "name=Gps engine='/usr/games/gpsusi --book \"a b\"' game=test-600-10 turn=- option.USI_Hash=64 "
      "option.Book='x y' ponder=true comments=false nice=19 think-ms=500 room=club password=trip "
      "usiok-timeout=120 readyok-timeout=600");
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
  EXPECT_EQ(player->usiok_ms, 120'000);
  EXPECT_EQ(player->readyok_ms, 600'000);
  EXPECT_EQ(player->room, "club");
  EXPECT_EQ(player->password, "trip");
}

TEST(PlayerLine, NeedsNameAndEngineOnly) {
  const auto player = parse_player_line("name=a engine=b");
  ASSERT_TRUE(player) << player.error();
  EXPECT_EQ(player->game, "default-1500-0");
  EXPECT_EQ(player->turn, '*');
  EXPECT_EQ(player->room, "main");
  EXPECT_FALSE(player->gives_way);
  EXPECT_TRUE(player->comments);
  EXPECT_EQ(player->usiok_ms, 30'000);
  EXPECT_EQ(player->readyok_ms, 60'000);
  EXPECT_EQ(player->threads, 1);
  EXPECT_EQ(each_of(*player).at(0).name, "a");
  EXPECT_EQ(parse_player_line("name=a engine=b option.Threads=48")->threads, 48);
  EXPECT_EQ(parse_player_line("name=a engine=b option.Threads=48")->sandbox.tasks, 80);
  EXPECT_EQ(parse_player_line("name=a engine=b serve=x-* game=club-60-0")->game, "club-60-0");
}

TEST(PlayerLine, TakesWhatAPoolNeeds) {
  const auto player = parse_player_line(
      "name=Oni engine=b serve=club-*,floodgate-300-10F count=3 level=12 threads=2 memory=512 dir=/usr read=/bin,/etc "
      "scratch=/tmp share=true greeting='Good evening.' option.Book=/etc/hostname");
  ASSERT_TRUE(player) << player.error();
  EXPECT_THAT(player->serves, ElementsAre("club-*", "floodgate-300-10F"));
  EXPECT_EQ(player->game, "") << "it waits for nothing else";
  EXPECT_THAT(player->options, ElementsAre(Pair("Threads", "2"), Pair("Level", "12"), Pair("Book", "/etc/hostname")));
  EXPECT_EQ(player->threads, 2);
  EXPECT_EQ(player->sandbox.memory_bytes, std::size_t{512} << 20);
  EXPECT_EQ(player->sandbox.tasks, 64);
  EXPECT_THAT(player->sandbox.readable, ElementsAre("/bin", "/etc", "/etc/hostname"));
  EXPECT_EQ(player->sandbox.scratch, "/tmp");
  EXPECT_TRUE(player->sandbox.shared_memory);
  EXPECT_EQ(player->working_dir, "/usr");
  EXPECT_EQ(player->greeting, "Good evening.");
  const auto each = each_of(*player);
  ASSERT_EQ(each.size(), 3u);
  EXPECT_EQ(each[0].name, "Oni-1");
  EXPECT_EQ(each[2].name, "Oni-3");
}

TEST(PlayerLine, SaysWhatIsWrong) {
  const auto error_of = [](std::string_view line) { return test::error_of(parse_player_line(line)); };
  EXPECT_THAT(error_of(""), HasSubstr("empty"));
  EXPECT_THAT(error_of("name=a"), HasSubstr("engine=... is missing"));
  EXPECT_THAT(error_of("engine=b"), HasSubstr("name=... is missing"));
  EXPECT_THAT(error_of("name=a engine=b speed=9"), HasSubstr("unknown key 'speed'"));
  EXPECT_THAT(error_of("name=a engine=b ponder"), HasSubstr("'ponder': key=value"));
  EXPECT_THAT(error_of("name=a engine=b ponder=yes"), HasSubstr("ponder=yes: true or false"));
  EXPECT_THAT(error_of("name=a engine=b comments=1"), HasSubstr("comments=1: true or false"));
  EXPECT_THAT(error_of("name=a engine=b nice=20"), HasSubstr("nice=20: a number from 0 to 19"));
  EXPECT_THAT(error_of("name=a engine=b usiok-timeout=0"), HasSubstr("usiok-timeout=0: a number from 1 to 86400"));
  EXPECT_THAT(error_of("name=a engine=b turn=x"), HasSubstr("turn=x"));
  EXPECT_THAT(error_of("name='a b' engine=b"), HasSubstr("name=a b"));
  EXPECT_THAT(error_of("name=" + std::string(33, 'a') + " engine=b"), HasSubstr("name="));
  EXPECT_EQ(error_of("name=" + std::string(32, 'a') + " engine=b"), "");
  EXPECT_THAT(error_of("name=a engine="), HasSubstr("engine: the command is empty"));
  EXPECT_THAT(error_of("name=a engine='b"), HasSubstr("quote"));
  EXPECT_THAT(error_of("name=a engine=b option.=1"), HasSubstr("unknown key"));
  EXPECT_THAT(error_of("name=a engine=b level=31"), HasSubstr("level=31: a number from 1 to 30"));
  EXPECT_THAT(error_of("name=a engine=b count=0"), HasSubstr("count=0: a number from 1 to 64"));
  EXPECT_THAT(error_of("name=a engine=b threads=0"), HasSubstr("threads=0"));
  EXPECT_THAT(error_of("name=a engine=b option.Threads=many"), HasSubstr("option.Threads=many: a number"));
  EXPECT_THAT(error_of("name=a engine=b memory=1"), HasSubstr("memory=1: a number from 16"));
  EXPECT_THAT(error_of("name=a engine=b serve='a b'"), HasSubstr("serve=a b: game names or patterns"));
  EXPECT_THAT(error_of("name=a engine=b serve="), HasSubstr("serve="));
  EXPECT_THAT(error_of("name=a engine=b greeting='* 30'"), HasSubstr("greeting=* 30"));
  EXPECT_THAT(error_of("name=a engine=b greeting='a\nb'"), HasSubstr("greeting="));
  EXPECT_THAT(error_of("name=a engine=b dir=/nonexistent"), HasSubstr("dir=/nonexistent: a folder"));
  EXPECT_THAT(error_of("name=a engine=b read=/usr,/nonexistent"), HasSubstr("read=/nonexistent: a file or folder"));
  EXPECT_THAT(error_of("name=" + std::string(30, 'a') + " engine=b count=2"), HasSubstr("29 characters"));
}

}  // namespace
}  // namespace fuhyo::host
