// Lines of the configuration that say which games spectators see with a delay.
#include "server/app/config/delay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/app/config/config.h"

namespace fuhyo::app {
namespace {

using core::DelayRule;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(std::string_view line) {
  const auto rule = parse_delay(line);
  return rule ? "taken" : rule.error();
}

TEST(DelayRuleText, IsInSecondsOrMoves) {
  EXPECT_EQ(parse_delay("games=club-* seconds=60"), (DelayRule{"club-*", {.seconds = 60}}));
  EXPECT_EQ(parse_delay("moves=3  games=*"), (DelayRule{"*", {.moves = 3}}));
  EXPECT_EQ(parse_delay("games=x seconds=0"), (DelayRule{"x", {}}));
  EXPECT_EQ(refusal("games=x seconds=3600"), "taken");
  EXPECT_EQ(refusal("games=x moves=100"), "taken");
}

TEST(DelayRuleText, WhatIsWrongIsSaid) {
  EXPECT_THAT(refusal("seconds=60"), HasSubstr("needs games="));
  EXPECT_THAT(refusal("games= seconds=60"), HasSubstr("needs games="));
  EXPECT_THAT(refusal("games=x"), HasSubstr("needs seconds= or moves="));
  EXPECT_THAT(refusal("games=x seconds=3601"), HasSubstr("seconds is a number from 0 to 3600, not '3601'"));
  EXPECT_THAT(refusal("games=x moves=101"), HasSubstr("moves is a number from 0 to 100, not '101'"));
  for (const char* wrong : {"games=x seconds=-1", "games=x seconds=", "games=x moves=3s", "games=x seconds=1.5"}) {
    EXPECT_THAT(refusal(wrong), HasSubstr("is a number from 0")) << wrong;
  }
  EXPECT_THAT(refusal("games=x seconds=60 moves=3"), HasSubstr("in seconds or in moves"));
  EXPECT_THAT(refusal("games=x minutes=1"), HasSubstr("not 'minutes'"));
  EXPECT_THAT(refusal("games=\xe6\xa3\x8b seconds=1"), HasSubstr("fits no game name"));
  EXPECT_THAT(refusal("games=" + std::string(101, 'a') + " seconds=1"), HasSubstr("fits no game name"));
  EXPECT_EQ(refusal("games=" + std::string(100, 'a') + " seconds=1"), "taken");
}

TEST(DelayRuleText, LinesKeepTheirOrderAndAreNotTooMany) {
  const auto none = [](const char*) -> const char* { return nullptr; };
  const auto resolved = [&](std::vector<std::string> lines) {
    return resolve_config({{"spectator-delay", std::move(lines)}}, none, {});
  };
  const auto two = resolved({"games=final-* seconds=0", "games=* moves=3"});
  ASSERT_TRUE(two) << two.error();
  EXPECT_THAT(two->config.spectator_delay, ElementsAre(DelayRule{"final-*", {}}, DelayRule{"*", {.moves = 3}}));
  const auto wrong = resolved({"games=x"});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error(), HasSubstr("spectator-delay"));
  EXPECT_TRUE(resolved(std::vector<std::string>(64, "games=x seconds=1")));
  const auto many = resolved(std::vector<std::string>(65, "games=x seconds=1"));
  ASSERT_FALSE(many);
  EXPECT_THAT(many.error(), HasSubstr("at most 64"));
}

}  // namespace
}  // namespace fuhyo::app
