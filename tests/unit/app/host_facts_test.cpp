// Facts of this machine for the core, and the list of exempt addresses.
#include "server/app/serve/host_facts.h"

#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "server/app/config/network_list.h"
#include "tests/support/expected.h"

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

void expect_holds(const std::vector<std::string>& list, std::initializer_list<const char*> inside,
                  std::initializer_list<const char*> outside) {
  const auto parsed = NetworkList::parse(list);
  ASSERT_TRUE(parsed) << parsed.error();
  for (const char* in : inside) EXPECT_TRUE(parsed->contains(in)) << in;
  for (const char* out : outside) EXPECT_FALSE(parsed->contains(out)) << out;
}

TEST(NetworkListTest, HoldsAddressesAndNetworks) {
  expect_holds({"192.0.2.7", "10.0.0.0/8", "::1", "2001:db8::/32"},
               {"192.0.2.7", "10.0.0.0", "10.255.1.2", "::1", "2001:db8:ffff::5"},
               {"192.0.2.8", "11.0.0.1", "9.255.255.255", "::2", "2001:db9::1", "", "Fuhyo_Chidori"});
}

TEST(NetworkListTest, AMappedAddressIsTheOneThatItMaps) {
  expect_holds({"192.0.2.7", "::ffff:10.0.0.0/104", "::/64"},
               {"::ffff:192.0.2.7", "::ffff:c000:207", "10.255.1.2", "::ffff:10.0.0.1", "::7"},
               {"::ffff:192.0.2.8", "11.0.0.1", "::ffff:11.0.0.1", "198.51.100.1"});
}

// "lo" is an interface of every machine, the first.
TEST(NetworkListTest, AZoneIsOfThisMachineAndANetworkWithoutOneIsOfAll) {
  expect_holds({"fe80::/10"}, {"fe80::7", "fe80::7%lo", "fe80::7%99"}, {});
  expect_holds({"fe80::7%lo", "fe80::8%1"}, {"fe80::7%lo", "fe80::7%1", "fe80::8%lo"},
               {"fe80::7", "fe80::7%99", "fe80::9%lo"});
}

TEST(NetworkListTest, NobodyByDefault) {
  EXPECT_FALSE(NetworkList{}.contains("127.0.0.1"));
  EXPECT_FALSE(NetworkList::parse({"127.0.0.1/33"}));
  for (const char* zone : {"nowhere", "99999", "1x", ""}) {
    EXPECT_EQ(test::error_of(NetworkList::parse({fmt::format("fe80::1%{}", zone)})),
              fmt::format("'fe80::1%{}': this machine has no such zone (%eth0: a network interface)", zone));
  }
}

}  // namespace
}  // namespace fuhyo::app
