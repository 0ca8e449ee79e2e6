// A worker over a queue whose time, failures and pauses the test chooses.
#include "engines/jobs/worker.h"

#include <condition_variable>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <vector>

#include "tests/support/patience.h"
#include "tests/unit/jobs/files/files_under_test.h"

namespace fuhyo::test {
namespace {

using jobs::Claim;
using jobs::Result;
using jobs::WorkerReport;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kRenewal_ms = kLease_ms / 4;

class WorkerTest : public ::testing::Test {
 protected:
  WorkerTest() {
    options_.wanted = {.worker = "w", .kind = "match", .batch = ""};
    options_.drain = true;
    options_.pause = [this](std::int64_t ms, const std::stop_token& stop) { pause(ms, stop); };
    options_.say = [this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      said_.emplace_back(line);
    };
  }
  void add(int chunks, int attempts = 3) { ASSERT_TRUE(queue_->add(batch_of("a", chunks, attempts))); }
  // Renewals wait for the test's word; idle time flies.
  void pause(std::int64_t ms, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (ms != kRenewal_ms) {
      idle_ms_.push_back(ms);
      under_test_.pass(ms);
      if (on_idle_) on_idle_();
      return;
    }
    ticked_.wait(lock, stop, [&] { return ticks_ > 0; });
    if (!stop.stop_requested()) --ticks_;
  }
  void tick() {
    const std::lock_guard lock(mutex_);
    ++ticks_;
    ticked_.notify_all();
  }
  WorkerReport run(const jobs::Work& work) { return jobs::run_worker(*queue_, options_, work, stop_.get_token()); }
  static Result<std::string> wait_for_stop(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait(lock, stop, [] { return false; });
    return std::unexpected("was stopped");
  }

  FilesUnderTest under_test_;
  const std::unique_ptr<jobs::Queue> queue_ = under_test_.open(), other_ = under_test_.open();
  jobs::WorkerOptions options_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable_any ticked_;
  int ticks_ = 0;
  std::function<void()> on_idle_;  // under the lock
  std::vector<std::int64_t> idle_ms_;
  std::vector<std::string> said_;
};

Result<std::string> echo(const Claim& claim, const std::stop_token&) { return claim.job + " " + claim.chunk; }

TEST_F(WorkerTest, DoesWhatThereIsAndEnds) {
  add(5);
  EXPECT_EQ(run(echo), WorkerReport{.counted = 5});
  const auto results = other_->results("a", {});
  ASSERT_EQ(results->size(), 5U);
  EXPECT_EQ(results->at(4), (jobs::ChunkResult{4, "w", "job of a 4"}));
  EXPECT_THAT(idle_ms_, ElementsAre());
  EXPECT_EQ(run(echo), WorkerReport{});
}

TEST_F(WorkerTest, WithoutDrainingItWaitsLongerAndLonger) {
  options_.drain = false;
  options_.idle_first_ms = 100;
  options_.idle_longest_ms = 500;
  int told = 0;
  options_.idle = [&] { ++told; };
  on_idle_ = [this] {
    if (idle_ms_.size() == 4) add(1);
    if (idle_ms_.size() == 6) stop_.request_stop();
  };
  EXPECT_EQ(run(echo), WorkerReport{.counted = 1});
  EXPECT_EQ(told, 6) << "each time that there is nothing, and not between";
  EXPECT_THAT(idle_ms_, ElementsAre(100, 200, 400, 500, 100, 200)) << "work makes it eager again";
}

TEST_F(WorkerTest, WhatFailsIsSetAsideAndTheRestIsDone) {
  add(3, 2);
  int tried = 0;
  const auto report = run([&](const Claim& claim, const std::stop_token& stop) -> Result<std::string> {
    if (claim.chunk != "1") return echo(claim, stop);
    return std::unexpected(std::string("no engine ") + std::to_string(++tried));
  });
  EXPECT_EQ(report, (WorkerReport{.counted = 2, .failed = 2}));
  const auto progress = other_->progress("a");
  ASSERT_EQ(progress->set_aside.size(), 1U);
  EXPECT_EQ(progress->set_aside[0].why, "no engine 2");
  EXPECT_THAT(said_, ElementsAre("a: chunk 1 failed: no engine 1", "a: chunk 1 failed: no engine 2"));
}

TEST_F(WorkerTest, WhoeverIsToldToStopGivesBack) {
  add(2, 1);
  const auto report = run([&](const Claim&, const std::stop_token& stop) {
    stop_.request_stop();
    return wait_for_stop(stop);
  });
  EXPECT_EQ(report, WorkerReport{.given_back = 1});
  EXPECT_EQ(other_->progress("a")->waiting, 2);
}

TEST_F(WorkerTest, AResultThatIsReadyWhenTheStopComesCounts) {
  add(2);
  const auto report = run([&](const Claim& claim, const std::stop_token& stop) {
    stop_.request_stop();
    return echo(claim, stop);
  });
  EXPECT_EQ(report, WorkerReport{.counted = 1});
}

TEST_F(WorkerTest, LongWorkIsRenewed) {
  add(1);
  const auto report = run([&](const Claim& claim, const std::stop_token& stop) {
    const auto file = std::filesystem::path(under_test_.address()) / "batches/a/claims/0.1";
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(*other_->claim(any("x")), std::nullopt) << i;
      const auto before = std::filesystem::last_write_time(file);
      tick();
      EXPECT_TRUE(eventually([&] { return std::filesystem::last_write_time(file) != before; }));
      under_test_.pass(kLease_ms / 2);
    }
    return echo(claim, stop);
  });
  EXPECT_EQ(report, WorkerReport{.counted = 1});
}

TEST_F(WorkerTest, WorkOnACancelledBatchIsLeftOff) {
  add(2);
  const auto report = run([&](const Claim&, const std::stop_token& stop) {
    EXPECT_TRUE(other_->cancel("a"));
    tick();
    return wait_for_stop(stop);
  });
  EXPECT_EQ(report, WorkerReport{.lost = 1});
  EXPECT_THAT(said_, ElementsAre("a: chunk 0 is not wanted any more"));
}

TEST_F(WorkerTest, WhoeverWasGivenUpLeavesOff) {
  add(1);
  bool first = true;
  const auto report = run([&](const Claim& claim, const std::stop_token& stop) -> Result<std::string> {
    if (!std::exchange(first, false)) return echo(claim, stop);
    EXPECT_EQ(*other_->claim(any("x")), std::nullopt);
    under_test_.pass(kLease_ms + 1);
    const auto theirs = other_->claim(any("x"));
    EXPECT_TRUE(theirs->has_value());
    tick();
    auto stopped = wait_for_stop(stop);
    EXPECT_TRUE(*other_->release((*theirs)->lease));
    return stopped;
  });
  EXPECT_EQ(report, (WorkerReport{.counted = 1, .lost = 1}));
  EXPECT_THAT(said_, ElementsAre("a: chunk 0 has been given to another worker"));
}

TEST_F(WorkerTest, AResultThatComesSecondIsLate) {
  add(1);
  const auto report = run([&](const Claim& claim, const std::stop_token& stop) {
    jobs::Lease theirs = claim.lease;
    theirs.worker = "x";
    EXPECT_EQ(other_->finish(theirs, "theirs"), jobs::Finish::counted);
    return echo(claim, stop);
  });
  EXPECT_EQ(report, WorkerReport{.late = 1});
}

TEST_F(WorkerTest, AResultOutlivesAFullDisk) {
  add(2);
  on_idle_ = [this] {
    if (idle_ms_.size() == 3) under_test_.break_off(false);
  };
  const auto report = run([&](const Claim& claim, const std::stop_token& stop) {
    under_test_.break_off(claim.chunk == "0");
    return echo(claim, stop);
  });
  EXPECT_EQ(report, WorkerReport{.counted = 2});
  EXPECT_THAT(idle_ms_, ElementsAre(100, 200, 400));
  EXPECT_THAT(said_, ElementsAre(HasSubstr("No space left on device"), "the queue is back"));
}

TEST_F(WorkerTest, AnEndIsNotPutOffByAQueueThatIsAway) {
  add(1);
  const auto report = run([&](const Claim& claim, const std::stop_token& stop) {
    under_test_.break_off(true);
    stop_.request_stop();
    return echo(claim, stop);
  });
  EXPECT_EQ(report, WorkerReport{.lost = 1});
  EXPECT_THAT(said_.back(), "a: chunk 0 is done, but its result could not be handed in and is lost");
}

TEST_F(WorkerTest, AQueueThatIsAwayIsWaitedFor) {
  add(1);
  under_test_.break_off(true);
  on_idle_ = [this] {
    if (idle_ms_.size() == 3) under_test_.break_off(false);
  };
  EXPECT_EQ(run(echo), WorkerReport{.counted = 1});
  EXPECT_THAT(said_, ElementsAre(HasSubstr("No space left on device"), "the queue is back"));
}

TEST_F(WorkerTest, DrainingWaitsForWhatOthersHoldAndTakesItOver) {
  add(2);
  ASSERT_TRUE(other_->claim(any("killed")));
  EXPECT_EQ(run(echo), WorkerReport{.counted = 2});
  EXPECT_GE(idle_ms_.size(), 2U);
}

TEST_F(WorkerTest, OtherKindsOfWorkAreNotWaitedFor) {
  ASSERT_TRUE(queue_->add({.name = "t", .kind = "tune", .payload = "", .chunks = {"0"}}));
  add(1);
  EXPECT_EQ(run(echo), WorkerReport{.counted = 1});
}

}  // namespace
}  // namespace fuhyo::test
