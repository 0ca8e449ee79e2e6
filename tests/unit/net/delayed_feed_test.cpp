// The feed of games that spectators see with a delay: what it says when, its own ids, resuming, beginning anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "server/net/feed.h"
#include "server/net/feed_json.h"
#include "tests/unit/net/some_facts.h"

namespace fuhyo::net {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::uint64_t kFirst = 1ull << 51;
const core::GameId kGame{7};

Feed::Options late() { return {.delays = {{"g-*", {.seconds = 10}}}, .first_id = kFirst}; }

class DelayedFeed : public testing::Test {
 protected:
  core::Now now() const { return {core::Instant{500 + us}, core::Wall{us}}; }
  // "+2 moved": how far the id is from the first one.
  std::vector<std::string> words(const std::vector<FeedEvent>& events) {
    std::vector<std::string> list;
    for (const FeedEvent& event : events) {
      const std::size_t at = event.text->plain().find("event: ") + 7;
      list.push_back("+" + std::to_string(core::value(event.seq) - kFirst) + " " +
                     event.text->plain().substr(at, event.text->plain().find('\n', at) - at));
      EXPECT_TRUE(event.text->plain().starts_with("id: " + std::to_string(core::value(event.seq)) + "\n"));
      newest = event;
    }
    return list;
  }
  std::vector<std::string> add(core::Fact fact, bool silent = false) {
    std::visit(
        [&](auto& f) {
          if constexpr (requires { f.at; }) f.at = core::Wall{us};
        },
        fact);
    facts.push_back(number(std::move(fact)).front());
    return words(feed.apply({facts.back()}, now(), silent));
  }
  std::vector<std::string> wait(std::int64_t seconds, bool silent = false) {
    us += seconds * core::kSecond;
    return words(feed.release(now(), silent));
  }
  json::value known() {
    return json::parse(game_json(*feed.find(kGame), now().wall, core::Comments::live, false)).at("game");
  }

  Numbering number;
  Feed feed{late(), core::Recovery{.last = core::Seq{99}}, {}};
  std::vector<core::Journaled> facts;
  FeedEvent newest;
  std::int64_t us = 0;
};

TEST_F(DelayedFeed, SaysLateWhatHappenedWithTheTimesOfThen) {
  EXPECT_THAT(add(opened(7)), ElementsAre("+1 opened"));
  EXPECT_EQ(data_of(newest.text).at("game").at("delay"), (json::object{{"seconds", 10}}));
  EXPECT_THAT(add(core::GameStarted{kGame, {}}), IsEmpty());
  wait(2);
  EXPECT_THAT(add(moved(7, 1, "+7776FU")), IsEmpty());
  EXPECT_EQ(feed.next_release(), (core::Instant{500 + 10 * core::kSecond}));
  EXPECT_EQ(known().at("state"), "agreeing");
  EXPECT_THAT(feed.snapshot({}, now().wall)->plain(), Not(HasSubstr("+7776FU")));
  EXPECT_THAT(wait(8), ElementsAre("+2 started"));
  EXPECT_EQ(data_of(newest.text).at("at_ms"), 10'000);
  EXPECT_THAT(wait(2), ElementsAre("+3 moved"));
  EXPECT_EQ(data_of(newest.text).at("at_ms"), 12'000);
  EXPECT_EQ(known().at("turn_since_ms"), 12'000);
  add(core::GamePaused{.game = kGame, .used_us = 500'000});
  wait(4);
  add(core::GameResumed{.game = kGame});
  EXPECT_THAT(add(ended(7)), IsEmpty());
  EXPECT_THAT(wait(6), ElementsAre("+4 paused"));
  EXPECT_EQ(known().at("paused_ms"), 500);
  EXPECT_EQ(known().at("end"), nullptr);
  EXPECT_THAT(wait(4), ElementsAre("+5 resumed", "+6 ended"));
  EXPECT_EQ(known().at("turn_since_ms"), 26'000 - 500) << "as long after it is shown as it was for the players";
  EXPECT_EQ(known().at("end").at("at_ms"), 26'000);
}

TEST_F(DelayedFeed, ResumesInTheOrderInWhichItWasShown) {
  add(opened(7));
  add(core::GameStarted{kGame, {}});
  wait(5);
  core::GameOpened other = opened(8);
  other.game_name = "open-300-10";
  EXPECT_THAT(add(other), ElementsAre("+2 opened"));
  EXPECT_THAT(wait(5), ElementsAre("+3 started")) << "although it stands before the other in the journal";
  EXPECT_THAT(words(*feed.since(core::Seq{kFirst + 1})), ElementsAre("+2 opened", "+3 started"));
  EXPECT_THAT(words(*feed.since(core::Seq{kFirst})), ElementsAre("+1 opened", "+2 opened", "+3 started"));
  EXPECT_EQ(feed.since(core::Seq{kFirst - 1}), std::nullopt);
  EXPECT_EQ(feed.since(core::Seq{kFirst + 4}), std::nullopt);
  EXPECT_EQ(feed.since(core::Seq{3}), std::nullopt) << "of a node without delays";
}

TEST_F(DelayedFeed, WhatNobodyReadIsNotResumedAcross) {
  add(opened(7));
  add(moved(7, 1, "+7776FU"));
  EXPECT_THAT(wait(10, true), IsEmpty());
  EXPECT_EQ(known().at("moves").as_array().size(), 1U);
  EXPECT_EQ(feed.since(core::Seq{kFirst + 1}), std::nullopt);
  EXPECT_EQ(feed.since(core::Seq{kFirst + 2})->size(), 0U);
}

TEST_F(DelayedFeed, BeginsAnewWithoutWhatIsNotDue) {
  add(opened(7));
  add(core::GameStarted{kGame, {}});
  wait(8);
  add(moved(7, 1, "+7776FU"));
  wait(4);
  Feed::Options options = late();
  options.first_id = kFirst + 1'000;
  feed = Feed(options, {.last = core::Seq{99}, .live = facts}, now());
  EXPECT_EQ(known().at("state"), "running");
  EXPECT_EQ(known().at("turn_since_ms"), 10'000);
  EXPECT_TRUE(known().at("moves").as_array().empty());
  EXPECT_THAT(wait(6), ElementsAre("+1001 moved"));
  EXPECT_EQ(data_of(newest.text).at("at_ms"), 18'000);
  EXPECT_EQ(feed.since(core::Seq{kFirst + 2}), std::nullopt) << "an id from before";
}

TEST(DelayedFeedByMoves, IsSoManyBehindUntilTheEnd) {
  Numbering number;
  Feed feed{{.delays = {{"*", {.moves = 1}}}, .first_id = 5}, {}, kNow};
  const auto count = [&](core::Fact fact) { return feed.apply(number(std::move(fact)), kNow, false).size(); };
  EXPECT_EQ(count(opened(7)), 1U);
  EXPECT_EQ(count(core::GameStarted{kGame, core::Wall{1}}), 1U);
  EXPECT_EQ(count(moved(7, 1, "+7776FU")), 0U);
  EXPECT_EQ(count(moved(7, 2, "-3334FU")), 1U);
  EXPECT_EQ(feed.find(kGame)->moves.size(), 1U);
  EXPECT_EQ(feed.find(kGame)->delay.moves, 1);
  EXPECT_EQ(feed.next_release(), std::nullopt);
  EXPECT_EQ(count(ended(7)), 2U);
  EXPECT_EQ(feed.find(kGame)->moves.size(), 2U);
}

// A game says itself how its room shows it; the feed had nothing to delay before.
class RoomFeed : public testing::Test {
 protected:
  static core::GameOpened shown(std::uint64_t id, core::SpectatorDelay showing) {
    core::GameOpened fact = opened(id);
    fact.room = "final";
    fact.showing = showing;
    return fact;
  }
  std::vector<FeedEvent> add(core::Fact fact) { return feed.apply(number(std::move(fact)), kNow, false); }

  Numbering number{41};
  Feed feed{{.first_id = kFirst}, {.last = core::Seq{41}}, kNow};
};

TEST_F(RoomFeed, OfAHiddenGameNothingIsSeenUntilItIsOver) {
  EXPECT_EQ(add(opened(1)).front().seq, core::Seq{42}) << "without delays a place of the journal, on every node";
  EXPECT_THAT(add(shown(7, {.hidden = true})), IsEmpty());
  EXPECT_THAT(add(core::GameStarted{kGame, core::Wall{1}}), IsEmpty());
  EXPECT_THAT(add(moved(7, 1, "+7776FU")), IsEmpty());
  EXPECT_EQ(feed.find(kGame), nullptr);
  EXPECT_THAT(feed.snapshot({}, kNow.wall)->plain(), Not(HasSubstr("final")));
  const auto events = add(ended(7));
  ASSERT_EQ(events.size(), 4U);
  EXPECT_THAT(events.front().text->plain(), HasSubstr("event: opened"));
  EXPECT_THAT(events.back().text->plain(), HasSubstr("event: ended"));
  EXPECT_EQ(feed.find(kGame)->moves.size(), 1U);
}

TEST_F(RoomFeed, AHiddenGameThatWasNotAgreedToNeverWas) {
  add(shown(7, {.hidden = true}));
  EXPECT_THAT(add(core::GameRejected{.game = kGame, .by = "alice"}), IsEmpty());
  EXPECT_EQ(feed.find(kGame), nullptr);
  EXPECT_EQ(feed.take_lost(), 0U);
  EXPECT_EQ(add(opened(8)).size(), 1U);
}

TEST_F(RoomFeed, FromTheFirstDelayOnTheIdsAreItsOwn) {
  add(opened(1));
  EXPECT_EQ(feed.since(core::Seq{41})->size(), 1U);
  EXPECT_EQ(add(shown(7, {.moves = 1})).front().seq, core::Seq{kFirst + 1});
  EXPECT_EQ(add(moved(1, 1, "+7776FU")).front().seq, core::Seq{kFirst + 2});
  EXPECT_EQ(feed.since(core::Seq{42}), std::nullopt) << "who knows a place of the journal gets a snapshot";
  EXPECT_EQ(feed.since(core::Seq{kFirst})->size(), 2U);
  EXPECT_THAT(add(moved(7, 1, "+7776FU")), IsEmpty());
}

TEST_F(RoomFeed, OfGamesThatRoomsDelayTheEndsAreNotSeenEither) {
  EXPECT_THAT(feed.ends_seen(kNow.wall), IsEmpty());
  add(core::RoomSet{.name = "final", .settings = {"games=g-*", "visibility=seconds:60"}});
  add(core::RoomSet{.name = "open", .settings = {"games=o-*", "visibility=public"}});
  add(shown(7, {.seconds = 60}));
  const core::Wall until{kNow.wall.us - 60 * core::kSecond};
  EXPECT_THAT(feed.ends_seen(kNow.wall),
              ElementsAre(core::EndsSeen{.games = {}, .until = until, .ids = {kGame}},
                          core::EndsSeen{.games = {}, .until = until, .room = "final"},
                          core::EndsSeen{.games = {}, .until = core::Wall{INT64_MAX}, .room = "open"}));
  add(core::RoomClosed{.name = "final"});
  EXPECT_EQ(feed.ends_seen(kNow.wall).front().ids, std::vector{kGame}) << "it stays what it was opened as";
}

TEST_F(RoomFeed, AfterAStartAHiddenGameIsHiddenStill) {
  const core::Step first = number(shown(7, {.hidden = true}));
  feed = Feed({.first_id = kFirst}, {.last = core::Seq{42}, .live = first}, kNow);
  EXPECT_EQ(feed.find(kGame), nullptr);
  EXPECT_EQ(add(ended(7)).size(), 2U);
}

}  // namespace
}  // namespace fuhyo::net
