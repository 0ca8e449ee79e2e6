// What wrong secrets cost: waits of names, guilt of addresses, both bounded.
#include "server/core/logins/penalties.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fuhyo::core {
namespace {

constexpr Instant at(std::int64_t seconds) { return Instant{1'000'000 * kSecond + seconds * kSecond}; }

TEST(Networks, AreOfTheWidthThatOneAttackerHas) {
  EXPECT_EQ(wide_network("192.0.2.7"), "192.0.2.0/24");
  EXPECT_EQ(narrow_network("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(wide_network("2001:db8:1:2:3:4:5:6"), "2001:db8:1::/48");
  EXPECT_EQ(narrow_network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(narrow_network("2001:db8::1"), "2001:db8:0:0::/64");
  EXPECT_EQ(narrow_network("::1"), "0:0:0:0::/64");
  EXPECT_EQ(narrow_network("fe80::1%eth0"), "fe80:0:0:0::/64");
  EXPECT_EQ(narrow_network("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(wide_network("::ffff:192.0.2.7"), "192.0.2.0/24");
  // No addresses: each is itself.
  for (const auto* word : {"engine", "", "1:2:3", "1::2::3", "12345::", "g::1", "1:2:3:4:5:6:7:8:9"}) {
    EXPECT_EQ(wide_network(word), word);
  }
}

TEST(Penalties, FiveTriesOfANameAreFreeThenWaitsDouble) {
  Penalties penalties({.tolerated_us = 100'000 * kSecond});
  std::int64_t now = 0;
  for (int i = 0; i < 4; ++i) penalties.failed("alice", "192.0.2.1", at(now));
  EXPECT_EQ(penalties.wait_us("alice", "192.0.2.1", at(now)), 0);
  for (const std::int64_t wait : {1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300}) {
    penalties.failed("alice", "192.0.2.1", at(now));
    EXPECT_EQ(penalties.wait_us("alice", "192.0.2.1", at(now)), wait * kSecond);
    now += wait;
    EXPECT_EQ(penalties.wait_us("alice", "192.0.2.1", at(now)), 0);
  }
  // The next house but one of the street shares the wait; another street, and another name, do not.
  penalties.failed("alice", "192.0.2.1", at(now));
  EXPECT_GT(penalties.wait_us("alice", "192.0.2.200", at(now)), 0);
  EXPECT_EQ(penalties.wait_us("alice", "192.0.3.1", at(now)), 0);
  EXPECT_EQ(penalties.wait_us("bob", "192.0.2.1", at(now)), 0);
}

TEST(Penalties, ANameIsForgottenAfterAnHourOrWhenItsOwnerComes) {
  Penalties penalties({.tolerated_us = 100'000 * kSecond});
  for (int i = 0; i < 6; ++i) penalties.failed("alice", "192.0.2.1", at(0));
  penalties.failed("alice", "192.0.2.1", at(3599));
  EXPECT_EQ(penalties.wait_us("alice", "192.0.2.1", at(3599)), 4 * kSecond);
  penalties.failed("alice", "192.0.2.1", at(3599 + 3600));  // counted from one again
  EXPECT_EQ(penalties.wait_us("alice", "192.0.2.1", at(3599 + 3600)), 0);
  for (int i = 0; i < 6; ++i) penalties.failed("bob", "192.0.2.1", at(0));
  penalties.succeeded("bob", "192.0.2.9");
  EXPECT_EQ(penalties.wait_us("bob", "192.0.2.1", at(0)), 0);
}

TEST(Penalties, AnAddressThatTriesManyNamesIsShutOut) {
  Penalties penalties({});
  for (int i = 0; i < 3; ++i) penalties.failed(fmt::format("name{}", i), "192.0.2.1", at(0));
  EXPECT_EQ(penalties.shut_out_us("192.0.2.1", at(0)), 0);  // 15 s of guilt are tolerated
  penalties.failed("name3", "192.0.2.1", at(0));
  EXPECT_EQ(penalties.shut_out_us("192.0.2.1", at(0)), 5 * kSecond);
  EXPECT_EQ(penalties.shut_out_us("192.0.2.1", at(4)), kSecond);
  EXPECT_EQ(penalties.shut_out_us("192.0.2.1", at(5)), 0);
  EXPECT_EQ(penalties.shut_out_us("192.0.2.2", at(0)), 0);  // its neighbour is not
  for (int i = 0; i < 1000; ++i) penalties.failed(fmt::format("name{}", i), "192.0.2.1", at(6));
  EXPECT_EQ(penalties.shut_out_us("192.0.2.1", at(6)), (600 - 15) * kSecond);  // never longer
  // Somebody's right secret does not clear an address that tries many.
  penalties.succeeded("name1", "192.0.2.1");
  EXPECT_GT(penalties.shut_out_us("192.0.2.1", at(6)), 0);
}

TEST(Penalties, ChargesAddUpAndArePaidOffByTime) {
  Penalties penalties({});
  for (int i = 0; i < 7; ++i) penalties.charge("2001:db8::1", 2 * kSecond, at(0));
  EXPECT_EQ(penalties.shut_out_us("2001:db8::1", at(0)), 0);
  penalties.charge("2001:db8::2", 2 * kSecond, at(0));  // of the same /64
  EXPECT_EQ(penalties.shut_out_us("2001:db8::1", at(0)), kSecond);
  EXPECT_EQ(penalties.shut_out_us("2001:db8::1", at(1)), 0);
}

TEST(Penalties, TablesAreBoundedAndTheOldestGoesFirst) {
  Penalties penalties({.free_tries = 1, .entries = 100});
  for (int i = 0; i < 250; ++i) penalties.failed(fmt::format("name{}", i), fmt::format("192.0.{}.1", i), at(0));
  EXPECT_EQ(penalties.names(), 100u);
  EXPECT_EQ(penalties.addresses(), 100u);
  EXPECT_EQ(penalties.wait_us("name149", "192.0.149.1", at(0)), 0);
  EXPECT_EQ(penalties.wait_us("name150", "192.0.150.1", at(0)), kSecond);
  penalties.failed("name150", "192.0.150.1", at(0));  // touched: not the oldest any more
  penalties.failed("newcomer", "192.0.251.1", at(0));
  EXPECT_EQ(penalties.wait_us("name150", "192.0.150.1", at(0)), 2 * kSecond);
  EXPECT_EQ(penalties.wait_us("name151", "192.0.151.1", at(0)), 0);
}

}  // namespace
}  // namespace fuhyo::core
