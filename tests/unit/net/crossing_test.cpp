// The queue between the thread of the sockets and the core's.
#include "server/net/crossing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fuhyo::net {
namespace {

using core::ConnId;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr ConnId kA{1}, kB{2};

TEST(Crossing, OnlyTheFirstHasToWakeTheOtherSide) {
  Crossing<int> queue(100, 1000);
  EXPECT_TRUE(queue.put(kA, 7, 1).wake);
  EXPECT_FALSE(queue.put(kB, 8, 1).wake);
  EXPECT_THAT(queue.take().items, ElementsAre(7, 8));
  EXPECT_THAT(queue.take().items, IsEmpty());
  EXPECT_TRUE(queue.put(kA, 9, 1).wake);
}

TEST(Crossing, SaysWhenAConnectionIsBeyondItsShare) {
  Crossing<int> queue(100, 1000);
  EXPECT_FALSE(queue.put(kA, 1, 100).too_much);
  EXPECT_TRUE(queue.put(kA, 2, 1).too_much);
  EXPECT_FALSE(queue.put(kB, 3, 100).too_much);
  const auto taken = queue.take();
  EXPECT_THAT(taken.items, ElementsAre(1, 2, 3)) << "nothing is lost";
  EXPECT_THAT(taken.too_much, ElementsAre(kA));
  EXPECT_FALSE(queue.put(kA, 4, 100).too_much) << "it begins anew";
}

TEST(Crossing, SaysWhenAllTogetherAre) {
  Crossing<int> queue(100, 150);
  EXPECT_FALSE(queue.put(kA, 1, 100).too_much);
  EXPECT_FALSE(queue.put(kB, 2, 50).too_much);
  EXPECT_TRUE(queue.put(ConnId{3}, 3, 1).too_much);
}

}  // namespace
}  // namespace fuhyo::net
