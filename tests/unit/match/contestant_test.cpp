#include "engines/match/contestant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fuhyo::match {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(Contestant, IsACommandWithSettingsAndOptions) {
  const auto engine = parse_contestant(
      "name='A B' ./engine --net=x.bin /opt/a=b dir=/tmp tc=2+0.1 ponder=true USI_Hash=64 option.name=N EvalDir=");
  ASSERT_TRUE(engine) << engine.error();
  EXPECT_EQ(engine->name, "A B");
  EXPECT_EQ(engine->engine.command, "./engine --net=x.bin /opt/a=b") << "flags and paths are the command's";
  EXPECT_EQ(engine->engine.folder, "/tmp");
  EXPECT_TRUE(engine->engine.ponder);
  EXPECT_EQ(engine->time, (TimeControl{.time_ms = 2000, .inc_ms = 100}));
  EXPECT_THAT(engine->engine.options, ElementsAre(Pair("USI_Hash", "64"), Pair("name", "N"), Pair("EvalDir", "")));
}

TEST(Contestant, TakesOverWhatHoldsForAll) {
  const auto each = parse_contestant("tc=nodes=5000 USI_Hash=16 Threads=1");
  ASSERT_TRUE(each);
  const auto engine = parse_contestant("./e USI_Hash=64 tc=depth=3", *each);
  ASSERT_TRUE(engine);
  EXPECT_EQ(engine->time, TimeControl{.depth = 3});
  EXPECT_THAT(engine->engine.options, ElementsAre(Pair("Threads", "1"), Pair("USI_Hash", "64")));
  EXPECT_EQ(parse_contestant("  "), Contestant{});
}

TEST(Contestant, IsWrittenAsItIsRead) {
  for (const char* text :
       {"name=x cmd=./e", "\"name=a b\" player=random", "cmd=\"./e 'q' \\\\\" dir=/t tc=depth=1 option.A=",
        "cmd=./e ponder=true stderr=show start=5 ready=6 rating=1234.5 \"option.B=c d\""}) {
    const auto engine = parse_contestant(text);
    ASSERT_TRUE(engine) << text;
    EXPECT_EQ(parse_contestant(to_text(*engine)), *engine) << to_text(*engine);
  }
}

TEST(Contestant, OfNonsenseIsRefusedByName) {
  EXPECT_THAT(parse_contestant("./e tc=fast").error(), HasSubstr("tc=fast"));
  EXPECT_THAT(parse_contestant("./e ponder=yes").error(), HasSubstr("ponder=yes"));
  EXPECT_THAT(parse_contestant("./e stderr=on").error(), HasSubstr("stderr=on"));
  EXPECT_THAT(parse_contestant("./e start=-1").error(), HasSubstr("start=-1"));
  EXPECT_THAT(parse_contestant("./e rating=strong").error(), HasSubstr("rating=strong"));
  EXPECT_THAT(parse_contestant("./e rating=1200x").error(), HasSubstr("rating=1200x"));
  EXPECT_THAT(parse_contestant("./e rating=inf").error(), HasSubstr("rating=inf"));
  EXPECT_EQ(parse_contestant("./e rating=-50")->rating, -50);
  EXPECT_THAT(parse_contestant("player=grandmaster").error(), HasSubstr("grandmaster"));
  EXPECT_FALSE(parse_contestant("'./e"));
}

}  // namespace
}  // namespace fuhyo::match
