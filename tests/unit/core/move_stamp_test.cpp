// From when on the server has had a move: told with the line for the opponent, and with no other.

#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

using core::ConnId;
using core::Instant;
constexpr ConnId kBlack{1}, kWhite{2};

// The core with its effects as they are; what it appends is durable when the test says so.
class MoveStamps : public testing::Test {
 protected:
  MoveStamps() {
    for (const ConnId conn : {kBlack, kWhite}) deliver(core::Opened{.conn = conn, .peer = "192.0.2.1:1"});
    say(kBlack, "LOGIN ann g-300-10-B,x");
    say(kWhite, "LOGIN bob g-300-10-W,x");
    for (const ConnId conn : {kBlack, kWhite}) say(conn, "AGREE");
    commit();
    sends.clear();
  }
  void deliver(const core::Input& input) {
    core::Effects effects;
    server.apply(input, {Instant{now_us}, core::Wall{kStartWall.us + now_us}}, effects);
    for (core::Effect& effect : effects) {
      if (auto* send = std::get_if<core::Send>(&effect)) sends.push_back(*send);
      if (auto* append = std::get_if<core::Append>(&effect)) newest = append->row.seq;
    }
  }
  // It arrived so long ago.
  void say(ConnId conn, const std::string& line, std::int64_t late_us = 0) {
    deliver(core::ClientLine{.conn = conn, .text = line, .arrived = {now_us - late_us}});
  }
  void commit() { deliver(core::Durable{newest}); }
  std::vector<core::Send> stamped() const {
    std::vector<core::Send> found;
    for (const core::Send& send : sends) {
      if (send.move) found.push_back(send);
    }
    return found;
  }

  core::Server server{{}, test_rules(), {}};
  std::int64_t now_us = 1'000'000;
  core::Seq newest{};
  std::vector<core::Send> sends;
};

TEST_F(MoveStamps, TheOpponentsLineTellsWhenTheMoveArrived) {
  now_us += 3'500'000;
  say(kBlack, "+7776FU", 700);
  ASSERT_EQ(sends.size(), 2u);
  ASSERT_EQ(stamped().size(), 1u);
  EXPECT_EQ(stamped()[0].conn, kWhite);
  EXPECT_EQ(stamped()[0].bytes, "+7776FU,T3\n");
  EXPECT_EQ(stamped()[0].move->arrived, Instant{now_us - 700});
  EXPECT_EQ(stamped()[0].move->game, core::GameId{1});
}

TEST_F(MoveStamps, AMoveThatWasSentAheadCountsFromItsTurn) {
  now_us += 1'000'000;
  say(kWhite, "-3334FU");
  EXPECT_TRUE(stamped().empty());
  now_us += 60'000'000;
  say(kBlack, "+7776FU");
  now_us += 5'000;
  sends.clear();
  commit();  // his turn begins, and his move is there
  ASSERT_EQ(stamped().size(), 1u);
  EXPECT_EQ(stamped()[0].conn, kBlack);
  EXPECT_EQ(stamped()[0].move->arrived, Instant{now_us});
}

TEST_F(MoveStamps, WhatIsNoMoveHasNone) {
  say(kBlack, "%TORYO");
  EXPECT_GE(sends.size(), 2u);
  EXPECT_TRUE(stamped().empty());
}

}  // namespace
}  // namespace fuhyo::test
