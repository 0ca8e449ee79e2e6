// The gate: nothing leaves before what it depends on is durable, and nothing overtakes.
#include "server/core/outbox.h"

#include <gtest/gtest.h>

namespace fuhyo::core {
namespace {

constexpr ConnId kA{1}, kB{2};

std::string bytes_for(std::vector<Outbox::Ready> ready, ConnId conn) {
  for (const auto& r : ready) {
    if (r.conn == conn) return r.bytes + (r.close ? "[close]" : "");
  }
  return "";
}

TEST(Outbox, UngatedLeavesAtOnceInOneWrite) {
  Outbox box;
  box.push(Send{kA, "one\n", Seq{0}});
  box.push(Send{kA, "two\n", Seq{0}});
  EXPECT_EQ(box.held(kA), 0u) << "nothing of it waits for the journal";
  const auto ready = box.take();
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].bytes, "one\ntwo\n");
  EXPECT_TRUE(box.take().empty());
}

TEST(Outbox, TellsOfTheOldestMoveThatLeaves) {
  Outbox box;
  const MoveStamp first{.game = GameId{1}, .arrived = {100}}, second{.game = GameId{1}, .arrived = {200}};
  box.push(Send{kA, "hello\n", Seq{0}});
  box.push(Send{kA, "move\n", Seq{5}, first});
  box.push(Send{kA, "another\n", Seq{6}, second});
  EXPECT_FALSE(box.take().front().move) << "it has not left";
  box.durable(Seq{6});
  const auto ready = box.take();
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].move->arrived, first.arrived);
  box.push(Send{kA, "more\n", Seq{0}});
  EXPECT_FALSE(box.take().front().move) << "told once";
}

TEST(Outbox, GatedWaitsAndNothingOvertakes) {
  Outbox box;
  box.push(Send{kA, "move\n", Seq{5}});
  box.push(Send{kA, "keepalive\n", Seq{0}});
  box.push(Send{kB, "other\n", Seq{0}});
  EXPECT_EQ(bytes_for(box.take(), kA), "");
  EXPECT_EQ(box.held(kA), 5u) << "beside the longest";
  EXPECT_EQ(box.held(kB), 0u) << "it is free at once";
  box.durable(Seq{4});
  EXPECT_TRUE(box.take().empty());
  box.durable(Seq{5});
  EXPECT_EQ(bytes_for(box.take(), kA), "move\nkeepalive\n");
  EXPECT_EQ(box.held(kA), 0u);
}

TEST(Outbox, PartlyDurable) {
  Outbox box;
  box.push(Send{kA, "1\n", Seq{1}});
  box.push(Send{kA, "2\n", Seq{2}});
  box.durable(Seq{1});
  EXPECT_EQ(bytes_for(box.take(), kA), "1\n");
  box.push(Send{kA, "3\n", Seq{0}});
  EXPECT_TRUE(box.take().empty());
  box.durable(Seq{2});
  EXPECT_EQ(bytes_for(box.take(), kA), "2\n3\n");
}

TEST(Outbox, CloseWaitsForItsTurn) {
  Outbox box;
  box.push(Send{kA, "end\n", Seq{3}});
  box.push(Close{kA, "game over", Seq{3}});
  EXPECT_TRUE(box.take().empty());
  box.durable(Seq{3});
  EXPECT_EQ(bytes_for(box.take(), kA), "end\n[close]");
}

TEST(Outbox, DurableNeverGoesBack) {
  Outbox box(Seq{10});
  box.durable(Seq{3});
  box.push(Send{kA, "x\n", Seq{10}});
  EXPECT_EQ(bytes_for(box.take(), kA), "x\n");
}

TEST(Outbox, ForgottenConnectionsHoldNothing) {
  Outbox box;
  box.push(Send{kA, "x\n", Seq{1}});
  box.take();
  box.forget(kA);
  EXPECT_EQ(box.held(kA), 0u);
  box.durable(Seq{1});
  EXPECT_TRUE(box.take().empty());
}

}  // namespace
}  // namespace fuhyo::core
