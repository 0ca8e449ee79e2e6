// Game names with their time controls, and what CSA mode hides in the password.
#include "server/csa/game_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fuhyo::csa {
namespace {

using testing::FieldsAre;

TEST(GameName, ReadsTheThreeParts) {
  EXPECT_THAT(parse_game_name("foo-300-10", 32).value(), FieldsAre("foo-300-10", "foo", 300, 10, 0, 0));
  EXPECT_THAT(parse_game_name("a-b.c@d_e-600-10F", 32).value(),
              FieldsAre("a-b.c@d_e-600-10F", "a-b.c@d_e", 600, 0, 10, 0));
  EXPECT_THAT(parse_game_name("foo-1500-060", 32).value(), FieldsAre("foo-1500-060", "foo", 1500, 0, 0, 60));
  EXPECT_TRUE(parse_game_name("x-0-0", 32));
}

TEST(GameName, KnowsSpecialNames) {
  EXPECT_TRUE(parse_game_name("floodgate-600-10F", 32)->is_floodgate());
  EXPECT_FALSE(parse_game_name("floodgate2-600-10F", 32)->is_floodgate());
  EXPECT_TRUE(parse_game_name("buoy_x-600-10", 32)->is_buoy());
}

TEST(GameName, B8_RefusesWhatMakesNoGame) {
  for (const std::string_view name :
       {"", "foo", "foo-300", "-300-10", "300-10", "foo-300-", "foo--10", "foo-300-10f", "foo-a-10", "foo-300-1x",
        "foo-300-F", "x-900-00", "x-900-05F", "x-0-060", "x-1000000-0", "x-99999999999999999999-0", "x-10--5"}) {
    EXPECT_EQ(parse_game_name(name, 32), std::unexpected(BadGameName::shape)) << name;
  }
  EXPECT_EQ(parse_game_name("f$o-300-10", 32).error(), BadGameName::identifier);
  EXPECT_TRUE(parse_game_name(std::string(32, 'n') + "-300-10", 32));
  EXPECT_EQ(parse_game_name(std::string(33, 'n') + "-300-10", 32).error(), BadGameName::identifier);
  EXPECT_TRUE(parse_game_name("x-999999-0", 32));
}

TEST(CsaPassword, GameNameAloneIsUnrated) {
  const CsaPassword plain = parse_csa_password("foo-300-10F", 32);
  EXPECT_EQ(plain.game.text, "foo-300-10F");
  EXPECT_EQ(plain.turn, Turn::any);
  EXPECT_FALSE(plain.trip);
  EXPECT_EQ(parse_csa_password("foo-300-10-B", 32).turn, Turn::black);
  const CsaPassword white = parse_csa_password("foo-300-10F-w", 32);
  EXPECT_EQ(white.turn, Turn::white);
  EXPECT_EQ(white.game.text, "foo-300-10F");
}

TEST(CsaPassword, TripFollowsTheFirstComma) {
  const CsaPassword both = parse_csa_password("foo-300-10-W,trip,with,commas", 32);
  EXPECT_EQ(both.game.text, "foo-300-10");
  EXPECT_EQ(both.turn, Turn::white);
  EXPECT_EQ(both.trip->reveal(), "trip,with,commas");
  const CsaPassword junk = parse_csa_password("junk,trip", 32);
  EXPECT_EQ(junk.game.text, "default-1500-0");
  EXPECT_EQ(junk.turn, Turn::any);
  EXPECT_EQ(junk.trip->reveal(), "trip");
}

TEST(CsaPassword, AnythingElseIsATrip) {
  const CsaPassword secret = parse_csa_password("secret", 32);
  EXPECT_EQ(secret.game.text, "default-1500-0");
  EXPECT_EQ(secret.trip->reveal(), "secret");
  EXPECT_EQ(parse_csa_password("secret", 3).game.text, "default-1500-0");
  EXPECT_EQ(parse_csa_password("x-900-00", 32).trip->reveal(), "x-900-00");
}

}  // namespace
}  // namespace fuhyo::csa
