// Facts of this machine for the core, and the list of exempt addresses.
#include "server/app/serve/host_facts.h"

#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/app/config/network_list.h"

namespace fuhyo::app {
namespace {

TEST(Md5, IsWhatShogiServerUses) {
  EXPECT_EQ(md5_hex(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5_hex("abc"), "900150983cd24fb0d6963f7d28e17f72");
}

class TimeZoneTest : public testing::Test {
 protected:
  ~TimeZoneTest() override {
    ::unsetenv("TZ");
    ::tzset();
  }
  static core::TimeZone zone(const char* name) {
    ::setenv("TZ", name, 1);
    return local_time_zone(core::Wall{kNow_s * 1'000'000});
  }
  static constexpr std::int64_t kNow_s = 1'795'234'480;  // 2026-11-21
};

TEST_F(TimeZoneTest, JapanHasOneOffset) {
  const core::TimeZone japan = zone("JST-9");
  EXPECT_EQ(japan.spans.size(), 1u);
  EXPECT_EQ(japan.offset_at(core::Wall{0}), 9 * 3600);
  EXPECT_EQ(japan.offset_at(core::Wall{kNow_s * 1'000'000}), 9 * 3600);
}

TEST_F(TimeZoneTest, SummerTimeChangesToTheSecond) {
  const core::TimeZone berlin = zone("CET-1CEST,M3.5.0,M10.5.0/3");
  constexpr std::int64_t kSpring2027_s = 1'806'195'600;  // 2027-03-28T01:00:00Z
  EXPECT_EQ(berlin.offset_at(core::Wall{kSpring2027_s * 1'000'000 - 1}), 3600);
  EXPECT_EQ(berlin.offset_at(core::Wall{kSpring2027_s * 1'000'000}), 7200);
}

TEST(NetworkListTest, HoldsAddressesAndNetworks) {
  const auto list = NetworkList::parse({"192.0.2.7", "10.0.0.0/8", "::1", "2001:db8::/32"});
  ASSERT_TRUE(list);
  for (const char* in : {"192.0.2.7", "10.0.0.0", "10.255.1.2", "::1", "2001:db8:ffff::5"}) {
    EXPECT_TRUE(list->contains(in)) << in;
  }
  for (const char* out : {"192.0.2.8", "11.0.0.1", "9.255.255.255", "::2", "2001:db9::1", "", "Fuhyo_Chidori"}) {
    EXPECT_FALSE(list->contains(out)) << out;
  }
}

TEST(NetworkListTest, AMappedAddressIsTheOneThatItMaps) {
  const auto list = NetworkList::parse({"192.0.2.7", "::ffff:10.0.0.0/104", "::/64"});
  ASSERT_TRUE(list);
  for (const char* in : {"::ffff:192.0.2.7", "::ffff:c000:207", "10.255.1.2", "::ffff:10.0.0.1", "::7"}) {
    EXPECT_TRUE(list->contains(in)) << in;
  }
  for (const char* out : {"::ffff:192.0.2.8", "11.0.0.1", "::ffff:11.0.0.1", "198.51.100.1"}) {
    EXPECT_FALSE(list->contains(out)) << out;
  }
}

// "lo" is an interface of every machine, the first.
TEST(NetworkListTest, AZoneIsOfThisMachineAndANetworkWithoutOneIsOfAll) {
  const auto every = NetworkList::parse({"fe80::/10"}), one = NetworkList::parse({"fe80::7%lo", "fe80::8%1"});
  ASSERT_TRUE(every && one);
  for (const char* in : {"fe80::7", "fe80::7%lo", "fe80::7%99"}) EXPECT_TRUE(every->contains(in)) << in;
  for (const char* in : {"fe80::7%lo", "fe80::7%1", "fe80::8%lo"}) EXPECT_TRUE(one->contains(in)) << in;
  for (const char* out : {"fe80::7", "fe80::7%99", "fe80::9%lo"}) EXPECT_FALSE(one->contains(out)) << out;
}

TEST(NetworkListTest, NobodyByDefault) {
  EXPECT_FALSE(NetworkList{}.contains("127.0.0.1"));
  EXPECT_FALSE(NetworkList::parse({"127.0.0.1/33"}));
  for (const char* zone : {"nowhere", "99999", "1x", ""}) {
    const auto list = NetworkList::parse({fmt::format("fe80::1%{}", zone)});
    ASSERT_FALSE(list) << zone;
    EXPECT_EQ(list.error(),
              fmt::format("'fe80::1%{}': this machine has no such zone (%eth0: a network interface)", zone));
  }
}

}  // namespace
}  // namespace fuhyo::app
