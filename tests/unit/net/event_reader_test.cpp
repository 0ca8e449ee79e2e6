#include "server/net/event_reader.h"

#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>

namespace fuhyo::net {
namespace {

class EventReadersTest : public testing::Test {
 protected:
  EventReader reader_of(GameFilter games) { return EventReader(io_.get_executor(), std::move(games), 1'000); }
  void offer(std::uint64_t game) {
    readers_.offer({.game = core::GameId{game}, .text = std::make_shared<const EventText>(std::to_string(game))});
  }
  static std::string taken(EventReader& reader) {
    std::string all;
    for (const Text& text : reader.take(100)) all += text->plain() + " ";
    return all;
  }

  boost::asio::io_context io_;
  EventReaders readers_;
};

TEST_F(EventReadersTest, GetTheEventsOfTheGamesThatTheyAskFor) {
  EventReader every = reader_of({}), two = reader_of({core::GameId{7}, core::GameId{12}}),
              one = reader_of({core::GameId{9}});
  const EventReaders::Listed first(readers_, every), second(readers_, two), third(readers_, one);
  EXPECT_EQ(readers_.size(), 3U);
  for (const std::uint64_t game : {7U, 8U, 9U, 12U}) offer(game);
  EXPECT_EQ(taken(every), "7 8 9 12 ");
  EXPECT_EQ(taken(two), "7 12 ");
  EXPECT_EQ(taken(one), "9 ");
}

TEST_F(EventReadersTest, WhoLeavesGetsNothingAndTheOthersGoOn) {
  EventReader stays = reader_of({core::GameId{7}}), leaves = reader_of({core::GameId{7}}), every = reader_of({});
  const EventReaders::Listed first(readers_, stays);
  {
    const EventReaders::Listed second(readers_, leaves), third(readers_, every);
  }
  EXPECT_EQ(readers_.size(), 1U);
  offer(7);
  EXPECT_EQ(taken(stays), "7 ");
  EXPECT_TRUE(leaves.idle());
  EXPECT_TRUE(every.idle());
  readers_.demand_snapshots();
  EXPECT_TRUE(stays.take_snapshot_demand());
  EXPECT_FALSE(every.take_snapshot_demand());
}

TEST_F(EventReadersTest, AreNoneAtFirst) {
  EXPECT_TRUE(readers_.empty());
  offer(7);
}

}  // namespace
}  // namespace fuhyo::net
