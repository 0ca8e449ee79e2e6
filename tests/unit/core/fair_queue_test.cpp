// Who comes next where one waits for another: turns of networks, places, and who finds none.
#include "server/core/logins/fair_queue.h"

#include "tests/unit/core/core_test.h"

namespace fuhyo::core {
namespace {

using Queue = FairQueue<std::string>;

// All that wait, in their order.
std::string order(Queue& queue) {
  std::string all;
  while (const auto next = queue.pop()) all += *next;
  return all;
}

TEST(FairQueue, OneNetworkIsServedInTheOrderOfItsQuestions) {
  Queue queue(9);
  for (const auto* item : {"a", "b", "c", "d"}) EXPECT_EQ(queue.push(item, "192.0.2.1", false), std::nullopt);
  EXPECT_EQ(order(queue), "abcd");
}

TEST(FairQueue, NobodyWaitsForWhoAsksMoreOften) {
  Queue queue(9);
  for (const auto* item : {"a", "b", "c", "d"}) queue.push(item, "192.0.2.1", false);
  EXPECT_EQ(queue.pop(), "a");
  queue.push("x", "198.51.100.1", false);
  queue.push("e", "192.0.2.1", false);
  queue.push("y", "198.51.100.1", false);
  EXPECT_EQ(order(queue), "xybcde") << "in turns, however long one network has waited";
}

TEST(FairQueue, OfTheSameTurnTheNewestComesFirst) {
  Queue queue(9);
  for (int i = 1; i <= 5; ++i) queue.push(std::to_string(i), fmt::format("192.0.{}.1", i), false);
  EXPECT_EQ(order(queue), "54321") << "strangers who came before from everywhere are not waited for";
}

// So that one of a /24 or /48 does not shut its neighbours out.
TEST(FairQueue, AddressesOfANetworkHaveTurnsToo) {
  for (const auto& [many, neighbour, stranger] : {std::array{"192.0.2.1", "192.0.2.7", "198.51.100.1"},
                                                  std::array{"2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:2::1"}}) {
    Queue queue(64);
    for (int i = 0; i < 60; ++i) queue.push("m", many, false);
    queue.push("n", neighbour, false);
    queue.push("s", stranger, false);
    EXPECT_THAT(order(queue), StartsWith("smmmmnm")) << many;
  }
  Queue queue(64);
  for (int i = 0; i < 60; ++i) queue.push("m", fmt::format("2001:db8:1:1::{}", i), false);
  queue.push("n", "2001:db8:1:2::1", false);
  EXPECT_THAT(order(queue), StartsWith("mmmmn")) << "a /64 is one address";
}

TEST(FairQueue, WhoComesLastFindsNoPlace) {
  Queue queue(3);
  for (const auto* item : {"a", "b", "c"}) EXPECT_EQ(queue.push(item, "192.0.2.1", false), std::nullopt);
  EXPECT_EQ(queue.push("d", "192.0.2.1", false), "d");
  EXPECT_EQ(queue.push("x", "198.51.100.1", false), "c") << "the network that has most gives way";
  EXPECT_EQ(queue.push("y", "203.0.113.1", false), "b");
  EXPECT_EQ(queue.push("z", "192.0.0.1", false), "a") << "of the same turn the one that is older";
  EXPECT_EQ(queue.size(), 3u);
  EXPECT_EQ(order(queue), "zyx");
}

TEST(FairQueue, AReservedPlaceIsTakenByNobodyElse) {
  Queue queue(3);
  queue.push("s", "192.0.2.1", false);
  for (const auto* item : {"a", "b"}) queue.push(item, "203.0.113.1", true);
  EXPECT_EQ(queue.push("t", "198.51.100.1", false), "s");
  EXPECT_EQ(queue.push("c", "203.0.113.1", true), "t");
  EXPECT_EQ(queue.push("u", "192.0.0.1", false), "u");
  EXPECT_EQ(queue.push("d", "203.0.113.2", true), "c") << "among themselves they have turns";
  EXPECT_EQ(order(queue), "adb");
}

TEST(FairQueue, WhenNobodyWaitsTurnsAreForgotten) {
  Queue queue(9);
  for (const auto* item : {"a", "b"}) queue.push(item, "192.0.2.1", false);
  EXPECT_EQ(order(queue), "ab");
  queue.push("x", "198.51.100.1", false);
  queue.push("c", "192.0.2.1", false);
  EXPECT_EQ(order(queue), "cx");
}

TEST(FairQueue, TurnsOfSoManyNetworksAreRemembered) {
  const auto comes_last = [](int networks) {
    Queue queue(2);
    for (const auto* item : {"a", "b"}) queue.push(item, "192.0.2.1", false);
    for (int i = 0; i < networks; ++i) queue.push(".", fmt::format("10.{}.{}.1", i / 256, i % 256), false);
    return queue.push("c", "192.0.2.1", false) == "c";
  };
  EXPECT_TRUE(comes_last(2046)) << "two entries each: the network, and the address in it";
  EXPECT_FALSE(comes_last(2047));
}

}  // namespace
}  // namespace fuhyo::core
