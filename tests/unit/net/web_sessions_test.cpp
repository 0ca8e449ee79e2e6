// Sessions of the web login at their limits, under a time that the test chooses.
#include "server/net/web_sessions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fuhyo::net {
namespace {

using core::Instant;
using core::kSecond;
using core::Role;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kMinute = 60 * kSecond, kHour = 60 * kMinute;

struct WebSessionsTest : testing::Test {
  static Instant at(std::int64_t us) { return {us}; }
  static std::string open(WebSessions& sessions, const std::string& name, std::int64_t us) {
    return sessions.open(name, Role::host, "192.0.2.7", at(us)).value_or("");
  }

  int ids = 0;
  const WebSessions::Secrets secrets{
      .random_id = [this] { return "id-" + std::to_string(++ids); },
      .keyed_hash = [](std::string_view text) { return "hash of " + std::string(text); }};
  WebSessions sessions{WebSessionLimits{}, secrets};
};

TEST_F(WebSessionsTest, W6_AnIdIsNewAtEachLogin) {
  const std::string one = open(sessions, "aki", 0), other = open(sessions, "aki", 0);
  EXPECT_NE(one, other);
  ASSERT_NE(sessions.look(one, at(0)), nullptr);
  EXPECT_EQ(sessions.look(one, at(0))->name, "aki");
  EXPECT_NE(sessions.look(other, at(0)), nullptr);
  EXPECT_NE(sessions.csrf_of(one), sessions.csrf_of(other));
  EXPECT_THAT(sessions.csrf_of(one), Not(HasSubstr(" " + other)));
  for (const char* unknown : {"", "id-3", "hash of id-1", "csrf id-1"}) {
    EXPECT_EQ(sessions.look(unknown, at(0)), nullptr) << unknown;
  }
  EXPECT_EQ(sessions.look(std::string(1 << 20, 'x'), at(0)), nullptr);
}

TEST_F(WebSessionsTest, W6_AnIdleSessionEndsAfterHalfAnHour) {
  const std::string id = open(sessions, "aki", 0);
  ASSERT_NE(sessions.touch(id, at(30 * kMinute - 1)), nullptr);
  ASSERT_NE(sessions.touch(id, at(60 * kMinute - 2)), nullptr) << "use keeps it";
  EXPECT_NE(sessions.look(id, at(90 * kMinute - 3)), nullptr) << "looking does not";
  EXPECT_EQ(sessions.look(id, at(90 * kMinute - 2)), nullptr);
  EXPECT_EQ(sessions.look(id, at(0)), nullptr) << "it is gone for good";
  EXPECT_EQ(sessions.size(), 0u);
}

TEST_F(WebSessionsTest, W6_AUsedSessionEndsAfterTwelveHours) {
  const std::string id = open(sessions, "aki", 0);
  for (std::int64_t us = 0; us < 12 * kHour; us += 20 * kMinute) ASSERT_NE(sessions.touch(id, at(us)), nullptr);
  const WebSession* session = sessions.touch(id, at(12 * kHour - 1));
  ASSERT_NE(session, nullptr);
  EXPECT_EQ(sessions.whole_end_us(*session, at(12 * kHour - 1)), 1);
  EXPECT_EQ(sessions.idle_end_us(*session, at(12 * kHour - 1)), 1) << "no longer than the whole";
  EXPECT_EQ(sessions.touch(id, at(12 * kHour)), nullptr);
}

TEST_F(WebSessionsTest, W6_APasswordConfirmsForFiveMinutes) {
  const std::string id = open(sessions, "aki", 0);
  WebSession* session = sessions.touch(id, at(5 * kMinute - 1));
  EXPECT_TRUE(sessions.is_confirmed(*session, at(5 * kMinute - 1)));
  EXPECT_FALSE(sessions.is_confirmed(*session, at(5 * kMinute)));
  session->confirmed = at(5 * kMinute);
  EXPECT_TRUE(sessions.is_confirmed(*session, at(10 * kMinute - 1)));
}

TEST_F(WebSessionsTest, W6_SessionsAreEndedOneByOneAndByName) {
  const std::string one = open(sessions, "aki", 0), two = open(sessions, "aki", 1), other = open(sessions, "hana", 2);
  EXPECT_EQ(sessions.of("aki", at(2)).size(), 2u);
  ASSERT_EQ(sessions.of("", at(2)).size(), 3u);
  EXPECT_EQ(sessions.of("", at(2)).back().name, "hana");
  EXPECT_TRUE(sessions.close(one));
  EXPECT_FALSE(sessions.close(one));
  EXPECT_EQ(sessions.look(one, at(2)), nullptr);
  EXPECT_EQ(sessions.close_all_of("aki"), 1u);
  EXPECT_EQ(sessions.close_all_of("nobody"), 0u);
  EXPECT_EQ(sessions.look(two, at(2)), nullptr);
  EXPECT_NE(sessions.look(other, at(2)), nullptr);
}

TEST_F(WebSessionsTest, ANameHasSixteenAndTheLeastUsedGivesWay) {
  std::vector<std::string> ids_of_aki;
  for (int i = 0; i < 16; ++i) ids_of_aki.push_back(open(sessions, "aki", i));
  EXPECT_EQ(sessions.of("aki", at(16)).size(), 16u);
  ASSERT_NE(sessions.touch(ids_of_aki[0], at(20)), nullptr);
  open(sessions, "aki", 21);
  EXPECT_EQ(sessions.of("aki", at(21)).size(), 16u);
  EXPECT_NE(sessions.look(ids_of_aki[0], at(21)), nullptr);
  EXPECT_EQ(sessions.look(ids_of_aki[1], at(21)), nullptr);
}

TEST_F(WebSessionsTest, ThereAreOnlySoManyUntilOneEnds) {
  WebSessions few({.sessions = 3}, secrets);
  for (int i = 0; i < 3; ++i) EXPECT_NE(open(few, "name" + std::to_string(i), i), "");
  EXPECT_EQ(open(few, "late", 3), "");
  EXPECT_NE(open(few, "late", 30 * kMinute), "") << "the first one has been idle for too long";
  EXPECT_EQ(few.size(), 3u);
}

}  // namespace
}  // namespace fuhyo::net
