// What is asked of an engine about finished games, in which order, and what is told of its answers.
#include "server/host/analysis_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "tests/unit/host/analysis_games.h"

namespace fuhyo::host {
namespace {

using core::AnalysisState;
using testing::ElementsAre;
using testing::IsEmpty;

class AnalysisQueueTest : public testing::Test {
 protected:
  core::PositionReport ask(std::uint64_t game, std::size_t ply, int lines = 1, const std::string& caller = "a") {
    return queue.position(game_of(game), ply, lines, caller, now);
  }
  core::GameReport ask_game(std::uint64_t game, const std::string& caller = "a") {
    return queue.game(game_of(game), caller, now);
  }
  void say(std::string_view info) { queue.said(usi::parse_info(info)); }
  bool answer(std::string_view best) { return queue.answered(usi::parse_bestmove(best).value(), now); }
  // What the engine is asked next; "-" if nothing.
  std::string next() {
    const auto task = queue.next(now);
    return task ? task->position : "-";
  }
  // One whole answer, whatever is asked.
  void work() {
    const std::string position = next();
    say("depth 5 nodes 900 score cp 100 pv 1g1f");
    say("depth 5 nodes 900 score cp 100 pv 1c1d");
    ASSERT_TRUE(answer("1g1f") || answer("1c1d")) << position;
  }

  // The engine dies on what it is asked next.
  void die() {
    next();
    queue.failed(now);
  }

  AnalysisLimits limits;
  AnalysisQueue queue{limits, 400'000, 5'000};
  std::int64_t now = 0;
};

TEST_F(AnalysisQueueTest, APositionIsAskedForAndToldFromBlacksSide) {
  queue.set_engine("Fake");
  EXPECT_EQ(ask(7, 1, 2).state, AnalysisState::queued);
  const auto task = queue.next(now);
  ASSERT_TRUE(task);
  EXPECT_EQ(task->position, "position startpos moves 7g7f");
  EXPECT_EQ(task->limits.nodes, 400'000);
  EXPECT_EQ(task->lines, 2);
  EXPECT_EQ(task->max_moves, 256);
  EXPECT_TRUE(task->another);
  EXPECT_EQ(ask(7, 1, 2).state, AnalysisState::running);
  say("depth 3 nodes 100 multipv 1 score cp 60 pv 3c3d 2g2f");
  EXPECT_EQ(ask(7, 1, 2).position.lines.size(), 1U) << "what it thinks so far";
  say("depth 3 nodes 200 multipv 2 score mate -8 pv 8c8d 2g2f");
  ASSERT_TRUE(answer("3c3d ponder 2g2f"));
  const auto report = ask(7, 1, 2);
  EXPECT_EQ(report.state, AnalysisState::done);
  EXPECT_EQ(report.engine, "Fake");
  EXPECT_EQ(report.position.depth, 3);
  EXPECT_EQ(report.position.nodes, 200);
  ASSERT_EQ(report.position.lines.size(), 2U);
  EXPECT_EQ(report.position.lines[0].value, core::valuation_of_cp(-60)) << "White is to move";
  EXPECT_THAT(report.position.lines[0].moves, ElementsAre("3c3d", "2g2f"));
  EXPECT_EQ(report.position.lines[1].value, core::decided(shogi::BLACK, 8));
  EXPECT_TRUE(queue.idle());
  EXPECT_EQ(ask(7, 1, 1).state, AnalysisState::queued) << "one line is another question";
}

TEST_F(AnalysisQueueTest, AWholeGameFromItsEnd) {
  EXPECT_EQ(ask_game(7).state, AnalysisState::queued);
  EXPECT_EQ(next(), "position startpos moves 7g7f 3c3d 2g2f");
  say("depth 1 nodes 5 score cp 10 pv 8c8d");
  answer("8c8d");
  EXPECT_EQ(ask_game(7).state, AnalysisState::running);
  EXPECT_EQ(ask_game(7).done, 1U);
  const auto task = queue.next(now);
  EXPECT_EQ(task->position, "position startpos moves 7g7f 3c3d");
  EXPECT_EQ(task->limits.nodes, 5'000);
  EXPECT_FALSE(task->another) << "the engine may use what it knows";
  say("depth 1 nodes 5 score cp 20 pv 2g2f");
  answer("2g2f");
  work();
  work();
  const auto report = ask_game(7);
  EXPECT_EQ(report.state, AnalysisState::done);
  EXPECT_EQ(report.done, 4U);
  ASSERT_EQ(report.positions.size(), 4U);
  EXPECT_EQ(report.positions[3]->lines.front().value.cp, -10);
  EXPECT_EQ(report.positions[2]->lines.front().value.cp, 20);
  EXPECT_EQ(next(), "-");
}

TEST_F(AnalysisQueueTest, PositionsAndGamesTakeTurns) {
  ask_game(7);
  ask(8, 0);
  ask(9, 0);
  std::string order;
  for (int i = 0; i < 6; ++i) {
    order += queue.next(now)->limits.nodes == 5'000 ? 'g' : 'p';
    work();
  }
  EXPECT_EQ(order, "gpgpgg");
}

TEST_F(AnalysisQueueTest, OneLimitACallerAndOneForAll) {
  for (std::size_t ply = 0; ply < 4; ++ply) EXPECT_EQ(ask(1, ply).state, AnalysisState::queued);
  EXPECT_EQ(ask(2, 0).state, AnalysisState::too_many);
  EXPECT_EQ(ask(1, 0).state, AnalysisState::queued) << "it is in the queue already";
  for (std::size_t i = 4; i < limits.positions; ++i) {
    EXPECT_EQ(ask(i, 0, 1, "caller " + std::to_string(i)).state, AnalysisState::queued);
  }
  EXPECT_EQ(ask(99, 0, 1, "b").state, AnalysisState::full);
  EXPECT_EQ(ask_game(1).state, AnalysisState::queued);
  EXPECT_EQ(ask_game(2).state, AnalysisState::queued);
  EXPECT_EQ(ask_game(3).state, AnalysisState::too_many);
  for (std::size_t i = 2; i < limits.games; ++i) ask_game(i + 10, "caller " + std::to_string(i));
  EXPECT_EQ(ask_game(99, "b").state, AnalysisState::full);
}

TEST_F(AnalysisQueueTest, WhatNobodyAsksForAnyMoreIsGivenUp) {
  ask(1, 0);
  ask(2, 0);
  now = limits.patience_ms;
  ask(2, 0);
  ++now;
  EXPECT_EQ(next(), "position startpos");
  work();
  EXPECT_TRUE(queue.idle());
  ask_game(3);
  now += limits.game_patience_ms;
  work();
  EXPECT_EQ(ask_game(3).state, AnalysisState::running);
  now += limits.game_patience_ms + 1;
  EXPECT_EQ(next(), "-");
  EXPECT_EQ(ask(1, 0).state, AnalysisState::queued) << "it was not answered";
  EXPECT_EQ(ask(2, 0).state, AnalysisState::done);
}

TEST_F(AnalysisQueueTest, WhatIsWrongIsNotTold) {
  ask(1, 0, 3);
  next();
  say("depth 9 score cp 5 multipv 2 pv 2g2f");  // before the first line
  say("depth 9 score cp 5 multipv 1 pv 5e5d");  // no legal move
  say("depth 9 score cp 5 multipv 4 pv 2g2f");  // more than was asked for
  say("depth 9 score cp 5 multipv 0 pv 2g2f");
  say("depth 9 score cp 5");  // no line
  EXPECT_THAT(ask(1, 0, 3).position.lines, IsEmpty());
  say("depth 9 score cp 5 multipv 1 pv 2g2f 5e5d 8c8d");
  EXPECT_THAT(ask(1, 0, 3).position.lines.front().moves, ElementsAre("2g2f")) << "the legal part";
  say("depth 9 score cp 99 lowerbound multipv 1 pv 2g2f");
  EXPECT_EQ(ask(1, 0, 3).position.lines.front().value.cp, 5) << "a bound is no value";
  say("depth 9 score cp 99999999 nodes -5 multipv 1 pv 2g2f");
  EXPECT_EQ(ask(1, 0, 3).position.lines.front().value.cp, 100'000);
  EXPECT_EQ(ask(1, 0, 3).position.nodes, 0);
  EXPECT_FALSE(answer("5e5d"));
}

TEST_F(AnalysisQueueTest, AnAnswerWithoutAValueIsNone) {
  ask(1, 0);
  next();
  EXPECT_FALSE(answer("2g2f"));
  queue.failed(now);
  next();
  EXPECT_TRUE(answer("resign"));
  EXPECT_EQ(ask(1, 0).position.lines.front().value, core::decided(shogi::WHITE, std::nullopt));
  ask(2, 0);
  next();
  EXPECT_TRUE(answer("win"));
  EXPECT_EQ(ask(2, 0).position.lines.front().value, core::decided(shogi::BLACK, std::nullopt));
  EXPECT_THAT(ask(2, 0).position.lines.front().moves, IsEmpty());
}

TEST_F(AnalysisQueueTest, APositionOnWhichTheEngineDiesIsTriedTwiceAndToldAsFailedForAWhile) {
  ask(1, 0);
  ask(2, 0);
  die();
  EXPECT_EQ(ask(1, 0).state, AnalysisState::queued);
  die();
  EXPECT_EQ(ask(1, 0).state, AnalysisState::failed);
  work();
  EXPECT_EQ(ask(2, 0).state, AnalysisState::done) << "which was none of the other one's business";
  now += limits.failed_for_ms;
  EXPECT_EQ(ask(1, 0).state, AnalysisState::queued);
}

TEST_F(AnalysisQueueTest, AGameGoesOnBehindSuchAPosition) {
  ask_game(1);
  work();
  die();
  die();
  work();
  work();
  const auto report = ask_game(1);
  EXPECT_EQ(report.state, AnalysisState::done);
  EXPECT_FALSE(report.positions[2]);
  EXPECT_TRUE(report.positions[1]);
}

TEST_F(AnalysisQueueTest, WhoIsMatedIsKnownWithoutTheEngine) {
  core::PlayedGame game = game_of(1, {"G*5b"});
  game.start = *shogi::Position::from_sfen("4k4/9/4G4/9/9/9/9/9/4K4 b G 1");
  queue.position(game, 1, 3, "a", now);
  EXPECT_EQ(next(), "-");
  const auto report = queue.position(game, 1, 3, "a", now);
  EXPECT_EQ(report.state, AnalysisState::done);
  ASSERT_EQ(report.position.lines.size(), 1U);
  EXPECT_EQ(report.position.lines.front().value, core::decided(shogi::BLACK, 0));
}

TEST_F(AnalysisQueueTest, AnEngineThatIsAwayTakesNothing) {
  ask(1, 0);
  ask_game(2);
  next();
  queue.set_away(true);
  EXPECT_TRUE(queue.idle());
  EXPECT_EQ(ask(1, 0).state, AnalysisState::away);
  EXPECT_EQ(ask_game(2).state, AnalysisState::away);
  EXPECT_EQ(next(), "-");
  queue.set_away(false);
  EXPECT_EQ(ask(1, 0).state, AnalysisState::queued);
}

TEST_F(AnalysisQueueTest, WhatWasAnsweredIsKeptWithinItsRoom) {
  limits.kept_bytes = 4'000;
  AnalysisQueue small(limits, 1, 1);
  const auto done = [&](std::uint64_t id) {
    small.position(game_of(id), 0, 1, "a", now);
    if (!small.next(now)) return;
    small.said(usi::parse_info("score cp 1 pv 1g1f"));
    small.answered(usi::parse_bestmove("1g1f").value(), now);
  };
  const auto is_kept = [&](std::uint64_t id) {
    return small.position(game_of(id), 0, 1, "a", now).state == AnalysisState::done;
  };
  for (std::uint64_t id = 1; id <= 30; ++id) done(id), done(1);
  EXPECT_TRUE(is_kept(1)) << "which was asked for again and again";
  EXPECT_TRUE(is_kept(30));
  EXPECT_FALSE(is_kept(2));
}

TEST(LruCacheTest, KeepsWhatWasUsedLast) {
  LruCache<int, char> cache(10);
  cache.put(1, 'a', 4);
  cache.put(2, 'b', 4);
  EXPECT_EQ(*cache.find(1), 'a');
  cache.put(3, 'c', 4);
  EXPECT_EQ(cache.find(2), nullptr);
  EXPECT_NE(cache.find(1), nullptr);
  cache.put(1, 'd', 6);
  EXPECT_EQ(*cache.find(1), 'd');
  EXPECT_EQ(cache.bytes(), 10U);
  cache.put(4, 'e', 11);
  EXPECT_EQ(cache.find(4), nullptr) << "larger than all of it";
  EXPECT_EQ(cache.bytes(), 10U);
}

}  // namespace
}  // namespace fuhyo::host
