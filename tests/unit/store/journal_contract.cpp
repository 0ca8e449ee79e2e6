#include "tests/unit/store/journal_contract.h"

#include <atomic>
#include <gmock/gmock.h>
#include <numeric>
#include <thread>
#include <utility>

#include "tests/unit/store/journal_script.h"

namespace fuhyo::test {

using namespace core;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

void append_all(Journal& journal, const std::vector<Step>& steps) {
  for (const Step& step : steps) journal.append(step);
}

std::vector<Journaled> read_all(store::JournalReader& reader, Seq after = {}) {
  auto rows = reader.read_after(after, SIZE_MAX);
  EXPECT_TRUE(rows.has_value()) << rows.error();
  return rows.value_or(std::vector<Journaled>{});
}

// Retention does its work in the background, a range at a time.
template <class Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

std::unique_ptr<Journal> JournalContract::open(JournalEvents events, StoreUnderTest::Retention retention) {
  auto journal = store_->open(std::move(events), recovery_, retention);
  EXPECT_TRUE(journal.has_value()) << journal.error();
  return journal ? std::move(*journal) : nullptr;
}

TEST_P(JournalContract, AnEmptyStoreRecoversNothing) {
  Listener listener;
  const auto journal = open(listener.events());
  ASSERT_TRUE(journal);
  EXPECT_EQ(recovery_.last, Seq{0});
  EXPECT_EQ(recovery_.last_game, GameId{0});
  EXPECT_EQ(recovery_.last_stamp, 0U);
  EXPECT_THAT(recovery_.live, IsEmpty());
  EXPECT_TRUE(journal->close());
  EXPECT_EQ(listener.durable(), Seq{0});
}

TEST_P(JournalContract, WhatWasAppendedIsAnnouncedInOrderOnce) {
  const std::vector<Step> steps = workload(200);
  Listener listener;
  const auto journal = open(listener.events());
  append_all(*journal, steps);
  ASSERT_TRUE(listener.wait_durable(steps.back().back().seq));
  EXPECT_EQ(listener.committed(), steps);
  EXPECT_TRUE(listener.orderly());
  EXPECT_TRUE(journal->close());
  EXPECT_EQ(listener.lost(), 0);
}

TEST_P(JournalContract, AnEmptyStepIsNothing) {
  Listener listener;
  const auto journal = open(listener.events());
  journal->append({});
  journal->append(Script().step({opened(1)}));
  EXPECT_TRUE(listener.wait_durable(Seq{1}));
  EXPECT_THAT(listener.groups(), ElementsAre(1U));
}

TEST_P(JournalContract, CloseMakesTheQueueDurable) {
  const std::vector<Step> steps = workload(300);
  Listener listener;
  const auto journal = open(listener.events());
  append_all(*journal, steps);
  EXPECT_TRUE(journal->close());
  EXPECT_EQ(listener.durable(), steps.back().back().seq);
  EXPECT_EQ(listener.committed(), steps);
  EXPECT_TRUE(journal->close()) << "a second time";
}

// While one commit runs, the rest gathers: the first callback is held until everything is queued.
TEST_P(JournalContract, WhatQueuedDuringACommitIsTheNextCommit) {
  const std::vector<Step> steps = workload(100);
  Listener listener;
  std::atomic<bool> queued{false};
  JournalEvents events = listener.events();
  events.durable = [inner = events.durable, &queued](Seq seq) {
    while (!queued) std::this_thread::yield();
    inner(seq);
  };
  const auto journal = open(events);
  append_all(*journal, steps);
  queued = true;
  EXPECT_TRUE(journal->close());
  const std::vector<std::size_t> groups = listener.groups();
  EXPECT_LE(groups.size(), 2U);
  EXPECT_EQ(std::accumulate(groups.begin(), groups.end(), std::size_t{0}), steps.size());
}

TEST_P(JournalContract, RecoveryFindsTheUnfinishedGames) {
  const std::vector<Step> steps = workload(57);
  {
    append_all(*open({}), steps);
  }
  const auto journal = open({});
  const std::vector<Journaled> rows = rows_of(steps);
  EXPECT_EQ(recovery_.last, rows.back().seq);
  EXPECT_EQ(recovery_.live, live_rows(rows));
  EXPECT_THAT(recovery_.live, ::testing::Not(IsEmpty()));
  GameId newest{};
  for (const Journaled& row : rows) newest = std::max(newest, game_of(row.fact));
  EXPECT_EQ(recovery_.last_game, newest);
  EXPECT_EQ(recovery_.last_stamp, 20260701000000 + value(newest));
}

TEST_P(JournalContract, WhatStandsIsFoundAgainUntilItIsOver) {
  const auto buoy = [](std::string name, int count) {
    return core::BuoySet{
        .name = std::move(name), .owner = "host", .count = count, .start_sfen = "s", .moves = {"+1,T1"}};
  };
  Script script;
  {
    const auto journal = open({});
    journal->append(script.step({buoy("buoy_a-1-1", 3), buoy("buoy_b-1-1", 1)}));
    journal->append(script.step({buoy("buoy_a-1-1", 2), core::BuoyDeleted{.name = "buoy_b-1-1"}}));
    journal->append(script.step({buoy("buoy_c-1-1", 7)}));
  }
  {
    const auto journal = open({});
    EXPECT_THAT(recovery_.standing,
                ElementsAre(Journaled{Seq{3}, buoy("buoy_a-1-1", 2)}, Journaled{Seq{5}, buoy("buoy_c-1-1", 7)}));
    EXPECT_THAT(recovery_.live, IsEmpty());
    journal->append(script.step({core::BuoyDeleted{.name = "buoy_c-1-1"}}));
  }
  open({});
  EXPECT_THAT(recovery_.standing, ElementsAre(Journaled{Seq{3}, buoy("buoy_a-1-1", 2)}));
}

// Pairing looks back on these: newest last, only games of two players with a trip that came to a result.
TEST_P(JournalContract, RecoveryTellsTheLastGamesOfEachFloodgateGroup) {
  Script script;
  {
    const auto journal = open({});
    for (std::uint64_t id = 1; id <= 105; ++id) {
      core::GameOpened game = opened(id);
      game.game_name = id == 104 ? "other-300-10" : "floodgate-300-10F";
      game.black.id = "b+1";
      game.white.id = id == 105 ? "" : "w+2";
      journal->append(script.step({game, started(id)}));
      journal->append(script.step({ended(id, 4)}));
    }
  }
  open({});
  ASSERT_EQ(recovery_.past.size(), core::kPastGames);
  EXPECT_EQ(recovery_.past.front().csa_id, opened(4).csa_id);
  EXPECT_EQ(recovery_.past.back().csa_id, opened(103).csa_id);
  EXPECT_EQ(recovery_.past.back().white_id, "w+2");
}

TEST_P(JournalContract, AReopenedStoreGoesOn) {
  const std::vector<Step> steps = workload(120);
  for (std::size_t from = 0; from < steps.size(); from += 40) {
    Listener listener;
    const auto journal = open(listener.events());
    for (std::size_t i = from; i < from + 40; ++i) journal->append(steps[i]);
    EXPECT_TRUE(journal->close());
  }
  const auto journal = open({});
  EXPECT_EQ(recovery_.last, steps.back().back().seq);
  EXPECT_EQ(read_all(*store_->reader()), rows_of(steps));
}

TEST_P(JournalContract, AFinishedGameBecomesOneRow) {
  Script script;
  auto journal = open({});
  journal->append(script.step({opened(1)}));
  journal->append(script.step({opened(2), started(1)}));
  journal->append(script.step({move(1, 2)}));
  journal->append(script.step({RecordNote{.game = GameId{1}, .text = "Deferred -3334FU"}, move(1, 3)}));
  journal->append(script.step({rejected(2)}));
  EXPECT_TRUE(journal->close());
  EXPECT_THAT(store_->archive(), IsEmpty()) << "nothing has finished, and a rejected game was never played";

  // The end comes after a restart: the row is whole all the same.
  journal.reset();
  journal = open({});
  journal->append(script.step({move(1, 4), ended(1, 4)}));
  journal.reset();
  const StoreUnderTest::Archived expected{
      .game = 1,
      .csa_id = opened(1).csa_id,
      .black = "b1",
      .white = "w1",
      .end_kind = "toryo",
      .outcome = "black_wins",
      .moves = "+7776FU,T1 -3334FU,T2 +2726FU,T3 -3334FU,T4",
      .notes = "2 ' Deferred -3334FU\n3 * " + move(1, 3).comment + "\n",
      .preset_plies = 1,
      .plies = 4,
  };
  EXPECT_THAT(store_->archive(), ElementsAre(expected));
  open({});
  EXPECT_THAT(recovery_.live, IsEmpty());
  EXPECT_EQ(recovery_.last_game, GameId{2});
}

TEST_P(JournalContract, AReaderFollowsTheWriter) {
  const std::vector<Step> steps = workload(400);
  const std::vector<Journaled> rows = rows_of(steps);
  Listener listener;
  const auto journal = open(listener.events());
  const auto reader = store_->reader();
  std::vector<Journaled> seen;
  std::thread follower([&] {
    while (seen.size() < rows.size()) {
      const auto more = reader->read_after(seen.empty() ? Seq{0} : seen.back().seq, 7);
      ASSERT_TRUE(more.has_value()) << more.error();
      ASSERT_LE(more->size(), 7U);
      seen.insert(seen.end(), more->begin(), more->end());
    }
  });
  for (const Step& step : steps) {
    journal->append(step);
    if (value(step.back().seq) % 40 == 0) listener.wait_durable(step.back().seq);
  }
  follower.join();
  EXPECT_EQ(seen, rows);
  EXPECT_THAT(read_all(*reader, rows.back().seq), IsEmpty());
}

TEST_P(JournalContract, WhileCommitsFailNothingIsLostOrAnnounced) {
  const std::vector<Step> steps = workload(100);
  Listener listener;
  const auto journal = open(listener.events());
  for (std::size_t i = 0; i < 10; ++i) journal->append(steps[i]);
  const Seq before = steps[9].back().seq;
  ASSERT_TRUE(listener.wait_durable(before));
  store_->break_disk(true);
  for (std::size_t i = 10; i < 100; ++i) journal->append(steps[i]);
  ASSERT_TRUE(listener.wait_lost());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(listener.durable(), before);
  EXPECT_EQ(listener.lost(), 1) << "once an episode";
  EXPECT_FALSE(listener.why().empty());
  store_->break_disk(false);
  ASSERT_TRUE(listener.wait_durable(steps.back().back().seq));
  EXPECT_EQ(listener.committed(), steps);
  EXPECT_EQ(listener.lost(), 1);
  EXPECT_EQ(listener.back(), 1);
  EXPECT_TRUE(listener.orderly());
}

TEST_P(JournalContract, CloseGivesUpWhenTheStoreIsAway) {
  const std::vector<Step> steps = workload(20);
  Listener listener;
  {
    const auto journal = open(listener.events());
    for (std::size_t i = 0; i < 10; ++i) journal->append(steps[i]);
    ASSERT_TRUE(listener.wait_durable(steps[9].back().seq));
    store_->break_disk(true);
    for (std::size_t i = 10; i < 20; ++i) journal->append(steps[i]);
    EXPECT_FALSE(journal->close());
    EXPECT_EQ(listener.durable(), steps[9].back().seq);
  }
  store_->break_disk(false);
  open({});
  EXPECT_EQ(recovery_.last, steps[9].back().seq);
}

TEST_P(JournalContract, AReplacedWriterNeverWritesAgain) {
  const std::vector<Step> steps = workload(3);
  Listener listener;
  const auto journal = open(listener.events());
  journal->append(steps[0]);
  ASSERT_TRUE(listener.wait_durable(steps[0].back().seq));
  store_->take_lease();
  journal->append(steps[1]);
  ASSERT_TRUE(listener.wait_lost());
  EXPECT_THAT(listener.why(), ::testing::HasSubstr("another writer has taken over"));
  EXPECT_FALSE(journal->close());
  EXPECT_EQ(listener.durable(), steps[0].back().seq);
  EXPECT_EQ(read_all(*store_->reader()), rows_of({steps[0]}));
}

TEST_P(JournalContract, RetentionKeepsWhatLiveGamesNeed) {
  Script script;
  {
    const auto journal = open({});
    for (std::uint64_t game = 1; game <= 3; ++game) {
      journal->append(script.step({opened(game), started(game), move(game, 2)}));
    }
    journal->append(script.step({ended(1, 2)}));
    journal->append(script.step({ended(3, 2)}));
  }
  const auto journal = open({}, {.keep_us = 0, .keep_rows = 1});
  const auto reader = store_->reader();
  EXPECT_TRUE(eventually([&] { return read_all(*reader).front().seq == Seq{4}; })) << "game 2 began there";
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(read_all(*reader).front().seq, Seq{4});
  EXPECT_EQ(read_all(*reader).back().seq, script.last());
  EXPECT_EQ(store_->archive().size(), 2U);
}

TEST_P(JournalContract, RetentionNeverEmptiesTheJournal) {
  Script script;
  {
    open({})->append(script.step({opened(1), rejected(1), opened(2), rejected(2)}));
  }
  {
    const auto journal = open({}, {.keep_us = 0, .keep_rows = 0});
    const auto reader = store_->reader();
    EXPECT_TRUE(eventually([&] { return read_all(*reader).size() == 1; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(read_all(*reader).size(), 1U);
  }
  open({});
  EXPECT_EQ(recovery_.last, Seq{4}) << "or seqs would be given twice";
  EXPECT_EQ(recovery_.last_game, GameId{2});
}

TEST_P(JournalContract, RetentionCountsByTheTimesOfTheFacts) {
  constexpr StoreUnderTest::Retention kTenSeconds{.keep_us = 10 * kSecond, .keep_rows = 1'000'000};
  Script script;
  {
    Listener listener;
    const auto journal = open(listener.events(), kTenSeconds);
    journal->append(script.step({opened(1), started(1)}));
    for (std::int32_t ply = 2; ply <= 60; ++ply) {
      journal->append(script.step({move(1, ply)}));  // at second ply + 1
      ASSERT_TRUE(listener.wait_durable(script.last()));
    }
    journal->append(script.step({ended(1, 60)}));  // at second 62
  }
  const auto journal = open({}, kTenSeconds);
  const auto reader = store_->reader();
  const auto oldest = [&] { return read_all(*reader).front().fact; };
  EXPECT_TRUE(eventually([&] { return oldest() == Fact{move(1, 51)}; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(oldest(), Fact{move(1, 51)});
}

TEST_P(JournalContract, WithinRetentionEveryRowStays) {
  const std::vector<Step> steps = workload(200);
  {
    append_all(*open({}), steps);
  }
  Listener listener;
  const auto journal = open(listener.events(), {.keep_us = 3'600'000'000, .keep_rows = 100'000});
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(read_all(*store_->reader()), rows_of(steps));
}

}  // namespace fuhyo::test
