// A match whose games workers play: the same games as on one machine, each counted once, whoever ends early.
#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <vector>

#include "engines/jobs/open.h"
#include "engines/match/queue/coordinator.h"
#include "engines/match/queue/job.h"
#include "engines/match/queue/worker.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::match {
namespace {

using testing::HasSubstr;

Contestant engine(const std::string& text) { return *parse_contestant(text); }

MatchPlan plan(std::int64_t rounds) {
  return {.engines = {engine("player=material-1 name=a"), engine("player=random name=b")},
          .schedule = {.rounds = rounds},
          .runner = {.rules = {.move_limit = 60}, .seed = 7}};
}

using Moves = std::map<std::int64_t, std::vector<shogi::Move>>;
void note(Moves& moves, const PlayedGame& game) {
  EXPECT_FALSE(moves.contains(game.number)) << "told twice";
  for (const MoveData& data : game.moves) moves[game.number].push_back(data.move);
}

class QueueMatch : public testing::Test {
 protected:
  std::unique_ptr<jobs::Queue> open() const {
    auto queue = jobs::open_queue((folder_.path() / "queue").string(), {.durable = false});
    EXPECT_TRUE(queue) << queue.error();
    return std::move(*queue);
  }
  static Match made(MatchPlan plan) {
    auto match = Match::make(std::move(plan));
    EXPECT_TRUE(match) << match.error();
    EXPECT_TRUE(match->resume());
    return std::move(*match);
  }
  // Between two looks of the coordinator, somebody works until nothing is left.
  QueueMatchOptions options(int concurrency = 2) {
    QueueMatchOptions options{.encounters = 2};
    options.pause = [this, concurrency](std::int64_t, const std::stop_token&) {
      report_ =
          play_for_queue(*worker_, {.name = "w", .concurrency = concurrency, .drain = true, .idle_longest_ms = 5}, {});
      if (++looks_ > 10) stop_.request_stop();
    };
    options.say = [this](std::string_view line) { said_.emplace_back(line); };
    return options;
  }
  MatchEnd run(Match& match, const QueueMatchOptions& how) {
    return run_over_queue(
        match, *queue_, how, [this](const PlayedGame& game) { note(moves_, game); }, stop_.get_token());
  }

  test::TemporaryFolder folder_;
  const std::unique_ptr<jobs::Queue> queue_ = open(), worker_ = open();
  std::stop_source stop_;
  Moves moves_;
  QueueWorkerReport report_;
  std::vector<std::string> said_;
  int looks_ = 0;
};

TEST_F(QueueMatch, IsTheSameAsOnOneMachine) {
  Match match = made(plan(5));
  EXPECT_EQ(run(match, options()), MatchEnd::played);
  EXPECT_EQ(report_.chunks.counted, 3);
  Match here = made(plan(5));
  Moves moves;
  EXPECT_EQ(here.run([&](const PlayedGame& game) { note(moves, game); }, {}), MatchEnd::played);
  EXPECT_EQ(moves_, moves);
  EXPECT_EQ(match.standings().meetings().at({0, 1}).games.wins, here.standings().meetings().at({0, 1}).games.wins);
  EXPECT_EQ(match.standings().meetings().at({0, 1}).pairs.pairs(), 5);
}

TEST_F(QueueMatch, EnginesStayFromChunkToChunk) {
  const std::string starts = (folder_.path() / "starts").string();
  MatchPlan counted = plan(6);
  counted.engines[0] =
      engine("cmd='sh -c \"echo >> " + starts + "; exec " FAKE_ENGINE " good\"' name=a tc=byoyomi=999");
  Match match = made(counted);
  EXPECT_EQ(run(match, options(1)), MatchEnd::played);
  EXPECT_EQ(report_.chunks.counted, 3);
  std::ifstream file(starts);
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(file), {}, '\n'), 2) << "tried out, and then for all of them";
}

TEST_F(QueueMatch, GoesOnWithWhatTheQueueAndTheLedgerHave) {
  MatchPlan kept = plan(6);
  kept.ledger = (folder_.path() / "games.jsonl").string();
  {
    Match match = made(kept);
    QueueMatchOptions once = options();
    once.pause = [this](std::int64_t, const std::stop_token&) {
      const auto claim = worker_->claim({.worker = "x", .kind = "", .batch = ""});
      EXPECT_TRUE(worker_->release((*claim)->lease).value());
      stop_.request_stop();
    };
    EXPECT_EQ(run(match, once), MatchEnd::interrupted);
  }
  play_for_queue(*worker_, {.name = "w", .drain = true}, {});  // they go on
  stop_ = {};
  {
    Match again = made(kept);
    EXPECT_EQ(run(again, options()), MatchEnd::played);
    EXPECT_EQ(looks_, 0) << "there is nothing to wait for";
    EXPECT_EQ(moves_.size(), 12U);
  }
  moves_.clear();
  Match once_more = made(kept);
  EXPECT_EQ(once_more.resumed(), 12);
  EXPECT_EQ(run(once_more, options()), MatchEnd::played);
  EXPECT_TRUE(moves_.empty());
}

TEST_F(QueueMatch, ADecidedTestCancelsTheRest) {
  MatchPlan tested = plan(400);
  tested.engines[0] = engine("player=material-2 name=a");
  tested.sprt = Sprt{.elo0 = 0, .elo1 = 50};
  Match match = made(tested);
  QueueMatchOptions how = options();
  how.batch = "test";
  how.pause = [this](std::int64_t, const std::stop_token&) {
    // One chunk at a time: a result must stop the rest.
    const auto claim = worker_->claim({.worker = "x", .kind = "", .batch = ""});
    const auto games = parse_games((*claim)->chunk);
    std::vector<PlayedGame> won = *games;
    for (PlayedGame& game : won) {
      game.result = game.engines[0] == 0 ? GameResult::black_wins : GameResult::white_wins;
      game.detail = std::to_string(game.number);  // none is a copy
    }
    EXPECT_EQ(worker_->finish((*claim)->lease, games_text(won)), jobs::Finish::counted);
    if (++looks_ > 100) stop_.request_stop();
  };
  EXPECT_EQ(run(match, how), MatchEnd::decided);
  EXPECT_TRUE(queue_->progress("test")->cancelled);
  EXPECT_LT(looks_, 100);
}

TEST_F(QueueMatch, AMachineWithoutTheEngineGivesItsChunksBack) {
  MatchPlan lacking = plan(2);
  lacking.engines[1] = engine("/nowhere/engine name=b tc=nodes=100");
  Match match = made(lacking);
  const jobs::Batch batch = to_batch(match, "lacking", 1);
  ASSERT_TRUE(queue_->add(batch));
  const auto report = play_for_queue(*worker_, {.name = "w", .concurrency = 2, .drain = true}, {});
  EXPECT_THAT(report.trouble, HasSubstr("engine 'b' does not run here"));
  EXPECT_EQ(report.chunks.counted + report.chunks.failed, 0);
  EXPECT_EQ(queue_->progress("lacking")->waiting, 2) << "for a machine that has it";
}

TEST_F(QueueMatch, WhatCannotBePlayedIsSetAsideAndTold) {
  Match match = made(plan(2));
  jobs::Batch batch = to_batch(match, "b", 2);
  batch.attempts = 1;
  ASSERT_TRUE(queue_->add(batch));
  const auto claim = worker_->claim({.worker = "x", .kind = "", .batch = ""});
  EXPECT_EQ(worker_->fail((*claim)->lease, "no memory"), true);
  QueueMatchOptions how = options();
  how.batch = "b";
  EXPECT_EQ(run(match, how), MatchEnd::faulty);
  EXPECT_THAT(match.trouble(), HasSubstr("another batch of the name b")) << "it has other attempts";
  batch.name = "c";
  batch.attempts = 5;
  ASSERT_TRUE(queue_->add(batch));
  for (int i = 0; i < 5; ++i) {
    const auto bad = worker_->claim({.worker = "x", .kind = "", .batch = "c"});
    EXPECT_EQ(worker_->fail((*bad)->lease, "no memory"), true);
  }
  Match second = made(plan(2));
  how.batch = "c";
  EXPECT_EQ(run(second, how), MatchEnd::faulty);
  EXPECT_THAT(second.trouble(), HasSubstr("1 chunks were set aside; chunk 0: no memory"));
}

TEST_F(QueueMatch, ResultsOfOtherGamesAreRefused) {
  Match match = made(plan(2));
  const jobs::Batch batch = to_batch(match, "", 1);
  ASSERT_TRUE(queue_->add(batch));
  const auto claim = worker_->claim({.worker = "x", .kind = "", .batch = ""});
  EXPECT_EQ(worker_->finish((*claim)->lease, batch.chunks[1]), jobs::Finish::counted);
  QueueMatchOptions how = options();
  how.encounters = 1;
  EXPECT_EQ(run(match, how), MatchEnd::faulty);
  EXPECT_THAT(match.trouble(), HasSubstr("chunk 0 by x: these are not its games"));
}

TEST(MatchJob, ComesBackAsItWas) {
  MatchJob job{.engines = {engine("name=a cmd='/bin/x y' tc=2+0.1 option.Hash=16 'option.Book File=a b'"),
                           engine("player=random name=b")},
               .rules = {.move_limit = 256,
                         .declaration = shogi::DeclarationRule::TRY,
                         .margin_ms = 1,
                         .hang_ms = 2,
                         .patience_ms = 3,
                         .adjudication = {.resign_cp = 900, .resign_moves = 3, .both = true}},
               .seed = UINT64_MAX};
  EXPECT_EQ(parse_match_job(to_text(job)), job);
  const std::string text = to_text(job);
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_FALSE(parse_match_job(text.substr(0, size))) << size;
  EXPECT_EQ(parse_match_job(R"({"fuhyoMatchJob":2})").error(), "this is no match that this program can play");
  EXPECT_EQ(parse_match_job(R"({"fuhyoMatchJob":1,"engines":[],"rules":{},"seed":"1"})").error(),
            "a match whose rules cannot be read");
}

}  // namespace
}  // namespace fuhyo::match
