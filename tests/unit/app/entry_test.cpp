// Lines of the configuration that say what games ask of their players.
#include "server/app/config/entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fuhyo::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(std::string_view line) {
  const auto rule = parse_entry(line);
  return rule ? "taken" : rule.error();
}

TEST(EntryLine, SaysWhatAGameAsks) {
  const auto rule = parse_entry("players=Ann,bob tls=yes games=final-* accounts=closed");
  ASSERT_TRUE(rule) << rule.error();
  EXPECT_EQ(rule->games, "final-*");
  EXPECT_EQ(rule->accounts, core::AccountPolicy::closed);
  EXPECT_THAT(rule->players, ElementsAre(core::name_key("ann"), core::name_key("bob")));
  EXPECT_TRUE(rule->tls);
  for (const char* plain : {"games=x accounts=open", "games=x accounts=open tls=no"}) {
    const auto other = parse_entry(plain);
    ASSERT_TRUE(other) << plain;
    EXPECT_FALSE(other->tls) << plain;
    EXPECT_TRUE(other->players.empty()) << plain;
  }
}

TEST(EntryLine, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(refusal("accounts=open"), HasSubstr("needs games="));
  EXPECT_THAT(refusal("games=x"), HasSubstr("needs accounts="));
  EXPECT_THAT(refusal("games=x accounts=some"), HasSubstr("open, claim or closed, not 'some'"));
  EXPECT_THAT(refusal("games=x accounts=open tls=true"), HasSubstr("tls is yes or no, not 'true'"));
  EXPECT_THAT(refusal("games=x accounts=open tls="), HasSubstr("tls is yes or no"));
  EXPECT_THAT(refusal("games=x accounts=open port=1"), HasSubstr("not 'port'"));
  EXPECT_THAT(refusal("games=x accounts=open players="), HasSubstr("names nobody"));
  EXPECT_THAT(refusal("games=x accounts=open players=a/b"), HasSubstr("'a/b' is no name"));
  EXPECT_THAT(refusal("games=x accounts=open players=gps_l,gps_1"), HasSubstr("named twice"));
}

}  // namespace
}  // namespace fuhyo::app
