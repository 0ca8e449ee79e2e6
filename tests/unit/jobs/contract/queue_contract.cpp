// What every queue does, wherever it lies.
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/jobs/contract/queue_under_test.h"

namespace fuhyo::test {

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(QueueContract);

using jobs::Finish;
using jobs::Held;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_P(QueueContract, AChunkGoesFromHandToHand) {
  jobs::Batch batch = batch_of("a", 2);
  batch.payload = std::string("how\0\n\xff", 6);
  batch.chunks[1] = std::string("\0\n\x80", 3);
  EXPECT_EQ(queue_->add(batch), true);
  const jobs::Claim first = must_claim(*queue_, "w"), second = must_claim(*other_, "x");
  EXPECT_EQ(first.chunk, "0");
  EXPECT_EQ(first.kind, "match");
  EXPECT_EQ(first.lease_ms, kLease_ms);
  EXPECT_EQ(first.lease.fence, 1);
  EXPECT_EQ(second.job, batch.payload);
  EXPECT_EQ(second.chunk, batch.chunks[1]);
  EXPECT_TRUE(has_none(*queue_, "y"));
  const std::string bytes("two\0\n\xfe", 6);
  EXPECT_EQ(other_->finish(second.lease, bytes), Finish::counted);
  EXPECT_EQ(queue_->renew(first.lease), Held::yes);
  EXPECT_EQ(queue_->finish(first.lease, ""), Finish::counted);
  const auto results = queue_->results("a", {});
  ASSERT_TRUE(results);
  EXPECT_THAT(*results, ElementsAre(jobs::ChunkResult{0, "w", ""}, jobs::ChunkResult{1, "x", bytes}));
  EXPECT_EQ(queue_->results("a", {0})->size(), 1U);
  const auto progress = other_->progress("a");
  EXPECT_EQ(progress->done, 2);
  EXPECT_TRUE(progress->complete());
  EXPECT_TRUE(has_none(*queue_, "w"));
}

TEST_P(QueueContract, WhoKnowsThatAHolderIsDeadNeedNotWait) {
  ASSERT_EQ(queue_->add(batch_of("a", 3)), true);
  EXPECT_EQ(queue_->held("a"), std::vector<jobs::Lease>{});
  const jobs::Claim first = must_claim(*queue_, "w"), second = must_claim(*queue_, "x"),
                    third = must_claim(*queue_, "y");
  EXPECT_EQ(queue_->finish(third.lease, ""), Finish::counted);
  EXPECT_EQ(other_->held("a"), (std::vector{first.lease, second.lease}));
  EXPECT_EQ(other_->release(first.lease), true);
  EXPECT_EQ(other_->held("a"), std::vector{second.lease});
  EXPECT_EQ(queue_->renew(first.lease), Held::lost);
  const jobs::Claim again = must_claim(*other_, "z");
  EXPECT_EQ(again.lease.chunk, first.lease.chunk);
  EXPECT_EQ(other_->held("a")->front(), again.lease);
  EXPECT_THAT(queue_->held("b").error(), HasSubstr("no batch b"));
}

TEST_P(QueueContract, ABatchIsPutInOnce) {
  EXPECT_EQ(queue_->add(batch_of("a", 2)), true);
  EXPECT_EQ(queue_->add(batch_of("a", 2)), false);
  EXPECT_EQ(other_->add(batch_of("a", 2)), false);
  EXPECT_THAT(other_->add(batch_of("a", 3)).error(), HasSubstr("has another batch of the name a"));
  jobs::Batch other_work = batch_of("a", 2);
  other_work.chunks = {"01", ""};  // the same bytes in a row
  EXPECT_FALSE(queue_->add(other_work));
  EXPECT_EQ(queue_->progress("a")->chunks, 2);
}

TEST_P(QueueContract, WhatIsNoBatchIsRefused) {
  EXPECT_THAT(queue_->add(batch_of("", 1)).error(), HasSubstr("is no name of a batch"));
  EXPECT_FALSE(queue_->add(batch_of("../a", 1)));
  EXPECT_FALSE(queue_->add(batch_of(std::string(jobs::kMaxName + 1, 'a'), 1)));
  EXPECT_TRUE(queue_->add(batch_of(std::string(jobs::kMaxName, 'a'), 1)));
  EXPECT_THAT(queue_->add(batch_of("a", 0)).error(), HasSubstr("has no chunks"));
  EXPECT_THAT(queue_->add(batch_of("a", 1, 0)).error(), HasSubstr("0 attempts"));
  jobs::Batch large = batch_of("a", 1);
  large.chunks[0].assign(jobs::kMaxPayload + 1, 'x');
  EXPECT_THAT(queue_->add(large).error(), HasSubstr("chunk 0 of batch a has"));
  EXPECT_THAT(queue_->progress("b").error(), HasSubstr("has no batch b"));
  EXPECT_THAT(queue_->results("b", {}).error(), HasSubstr("has no batch b"));
  EXPECT_FALSE(queue_->cancel("b"));
  EXPECT_FALSE(queue_->remove("b"));
  EXPECT_THAT(queue_->claim(any("two words")).error(), HasSubstr("is no name of a worker"));
}

TEST_P(QueueContract, OlderBatchesComeFirstAndKindsAreKeptApart) {
  ASSERT_TRUE(queue_->add(batch_of("a", 1)));
  jobs::Batch tuning = batch_of("b", 1);
  tuning.kind = "tune";
  ASSERT_TRUE(queue_->add(tuning));
  ASSERT_TRUE(queue_->add(batch_of("c", 2)));
  EXPECT_THAT(*other_->batches(), ElementsAre("a", "b", "c"));
  EXPECT_EQ((*queue_->claim({.worker = "w", .kind = "", .batch = "c"}))->lease.batch, "c");
  EXPECT_EQ((*queue_->claim({.worker = "w", .kind = "tune", .batch = ""}))->lease.batch, "b");
  EXPECT_EQ(*queue_->claim({.worker = "w", .kind = "tune", .batch = ""}), std::nullopt);
  EXPECT_EQ(*queue_->claim({.worker = "w", .kind = "tune", .batch = "c"}), std::nullopt);
  EXPECT_EQ(must_claim(*queue_, "w").lease.batch, "a");
  EXPECT_EQ(must_claim(*queue_, "w").lease.batch, "c");
  EXPECT_TRUE(has_none(*queue_, "w"));
}

TEST_P(QueueContract, ALeaseThatIsRenewedLasts) {
  ASSERT_TRUE(queue_->add(batch_of("a", 1)));
  const jobs::Claim claim = must_claim(*queue_, "w");
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(has_none(*other_, "x")) << i;
    under_test_->pass(kLease_ms * 3 / 4);
    EXPECT_EQ(queue_->renew(claim.lease), Held::yes);
  }
  EXPECT_TRUE(has_none(*other_, "x"));
  under_test_->pass(kLease_ms * 3 / 4);
  EXPECT_TRUE(has_none(*other_, "x"));
}

TEST_P(QueueContract, ASilentHolderLosesItsChunkAndComesTooLate) {
  ASSERT_TRUE(queue_->add(batch_of("a", 1)));
  const jobs::Claim old = must_claim(*queue_, "old");
  wait_out(*other_);
  const jobs::Claim young = must_claim(*other_, "young");
  EXPECT_EQ(young.chunk, old.chunk);
  EXPECT_GT(young.lease.fence, old.lease.fence);
  EXPECT_EQ(queue_->renew(old.lease), Held::lost);
  EXPECT_EQ(queue_->release(old.lease), false);
  EXPECT_EQ(queue_->fail(old.lease, "nothing"), false);
  EXPECT_EQ(other_->renew(young.lease), Held::yes) << "whatever the former holder tries";
  EXPECT_EQ(other_->finish(young.lease, "young"), Finish::counted);
  EXPECT_EQ(queue_->finish(old.lease, "old"), Finish::late);
  EXPECT_THAT(*queue_->results("a", {}), ElementsAre(jobs::ChunkResult{0, "young", "young"}));
}

// It was started again, say: a name proves nothing.
TEST_P(QueueContract, AWorkerOfTheSameNameIsAnotherHolder) {
  ASSERT_TRUE(queue_->add(batch_of("a", 1)));
  const jobs::Claim old = must_claim(*queue_, "same");
  wait_out(*other_);
  const jobs::Claim young = must_claim(*other_, "same");
  EXPECT_EQ(other_->finish(young.lease, "young"), Finish::counted);
  EXPECT_EQ(queue_->finish(old.lease, "old"), Finish::late);
  EXPECT_EQ(other_->finish(young.lease, "young"), Finish::counted) << "it asks again whether it was";
}

TEST_P(QueueContract, WhoeverFinishesFirstIsCounted) {
  ASSERT_TRUE(queue_->add(batch_of("a", 1)));
  const jobs::Claim old = must_claim(*queue_, "old");
  wait_out(*other_);
  const jobs::Claim young = must_claim(*other_, "young");
  EXPECT_EQ(queue_->finish(old.lease, "old"), Finish::counted);
  EXPECT_EQ(other_->renew(young.lease), Held::lost);
  EXPECT_EQ(other_->finish(young.lease, "young"), Finish::late);
  EXPECT_EQ(queue_->finish(old.lease, "old"), Finish::counted) << "and is told so again";
  EXPECT_THAT(*queue_->results("a", {}), ElementsAre(jobs::ChunkResult{0, "old", "old"}));
  EXPECT_EQ(queue_->progress("a")->held, 0);
  EXPECT_TRUE(has_none(*other_, "x"));
}

TEST_P(QueueContract, AChunkThatIsFinishedLateIsNotBegunAgain) {
  ASSERT_TRUE(queue_->add(batch_of("a", 3)));
  const jobs::Claim zero = must_claim(*queue_, "w"), one = must_claim(*queue_, "w"), two = must_claim(*queue_, "w");
  EXPECT_EQ(queue_->release(zero.lease), true);
  EXPECT_EQ(queue_->fail(one.lease, "gave up too soon"), true);
  EXPECT_EQ(queue_->release(two.lease), true);
  EXPECT_EQ(must_claim(*other_, "x").chunk, "0") << "and knows of the others";
  EXPECT_EQ(queue_->finish(one.lease, "after all"), Finish::counted);
  EXPECT_EQ(must_claim(*other_, "x").chunk, "2");
  EXPECT_TRUE(has_none(*other_, "x"));
}

TEST_P(QueueContract, WhatIsGivenBackIsThereAtOnceAndUnharmed) {
  ASSERT_TRUE(queue_->add(batch_of("a", 1, 1)));
  for (int i = 1; i <= 5; ++i) {
    const jobs::Claim claim = must_claim(i % 2 == 0 ? *queue_ : *other_, "w");
    EXPECT_EQ(claim.lease.fence, i);
    EXPECT_EQ(queue_->release(claim.lease), true);
    EXPECT_EQ(queue_->renew(claim.lease), Held::lost);
  }
  EXPECT_EQ(queue_->progress("a")->waiting, 1);
}

TEST_P(QueueContract, AChunkThatFailsTooOftenIsSetAside) {
  ASSERT_TRUE(queue_->add(batch_of("a", 1, 3)));
  EXPECT_EQ(queue_->fail(must_claim(*queue_, "w").lease, "first"), true);
  EXPECT_EQ(queue_->fail(must_claim(*queue_, "w").lease, "second \xff"), true);
  const jobs::Claim third = must_claim(*queue_, "w");
  EXPECT_EQ(third.lease.fence, 3);
  EXPECT_FALSE(queue_->progress("a")->complete());
  wait_out(*other_);
  EXPECT_TRUE(has_none(*other_, "x")) << "it has fallen silent, for the third time";
  const auto progress = other_->progress("a");
  ASSERT_EQ(progress->set_aside.size(), 1U);
  EXPECT_EQ(progress->set_aside[0].chunk, 0);
  EXPECT_EQ(progress->set_aside[0].why, "worker w fell silent");
  EXPECT_TRUE(progress->complete()) << "there is nothing that a worker could do";
  ASSERT_TRUE(queue_->retry("a"));
  EXPECT_EQ(queue_->progress("a")->waiting, 1);
  EXPECT_EQ(queue_->fail(must_claim(*other_, "x").lease, "once more \xff"), true);
  EXPECT_THAT(queue_->progress("a")->set_aside, IsEmpty()) << "it begins anew";
  for (int i = 0; i < 2; ++i) EXPECT_EQ(queue_->fail(must_claim(*queue_, "w").lease, "once more \xff"), true);
  EXPECT_EQ(queue_->progress("a")->set_aside.at(0).why, "once more \xff");
  EXPECT_EQ(queue_->finish(third.lease, "late, but the first"), Finish::counted);
  EXPECT_THAT(queue_->progress("a")->set_aside, IsEmpty());
}

TEST_P(QueueContract, ACancelledBatchEnds) {
  ASSERT_TRUE(queue_->add(batch_of("a", 3)));
  const jobs::Claim done = must_claim(*queue_, "w"), held = must_claim(*queue_, "w");
  EXPECT_EQ(queue_->finish(done.lease, "0"), Finish::counted);
  ASSERT_TRUE(other_->cancel("a"));
  EXPECT_TRUE(other_->cancel("a")) << "twice is once";
  EXPECT_TRUE(has_none(*queue_, "w"));
  EXPECT_EQ(queue_->renew(held.lease), Held::over);
  EXPECT_EQ(queue_->finish(held.lease, "1"), Finish::over);
  EXPECT_EQ(queue_->finish(done.lease, "0"), Finish::counted);
  EXPECT_EQ(queue_->release(held.lease), false);
  EXPECT_TRUE(queue_->progress("a")->complete());
  EXPECT_TRUE(queue_->progress("a")->cancelled);
  EXPECT_EQ(queue_->results("a", {})->size(), 1U);
  EXPECT_EQ(queue_->add(batch_of("a", 3)), false) << "it stays cancelled";
  EXPECT_TRUE(has_none(*queue_, "w"));
}

TEST_P(QueueContract, ANameIsFreeOnceItsBatchIsRemoved) {
  ASSERT_TRUE(queue_->add(batch_of("a", 1)));
  const jobs::Claim old = must_claim(*queue_, "w");
  ASSERT_TRUE(other_->remove("a"));
  EXPECT_THAT(*queue_->batches(), IsEmpty());
  EXPECT_EQ(queue_->renew(old.lease), Held::over);
  EXPECT_EQ(queue_->finish(old.lease, "of the old one"), Finish::over);
  EXPECT_EQ(other_->add(batch_of("a", 2)), true);
  EXPECT_EQ(queue_->finish(old.lease, "of the old one"), Finish::over);
  EXPECT_EQ(queue_->renew(old.lease), Held::over);
  EXPECT_EQ(must_claim(*queue_, "w").job, "job of a");
  EXPECT_EQ(queue_->progress("a")->waiting, 1);
  EXPECT_THAT(*queue_->results("a", {}), IsEmpty());
}

TEST_P(QueueContract, AQueueThatIsAwaySaysSoAndGoesOn) {
  ASSERT_TRUE(queue_->add(batch_of("a", 2)));
  const jobs::Claim claim = must_claim(*queue_, "w");
  under_test_->break_off(true);
  EXPECT_FALSE(queue_->claim(any("w")));
  EXPECT_FALSE(queue_->renew(claim.lease));
  EXPECT_FALSE(queue_->finish(claim.lease, "0"));
  EXPECT_FALSE(queue_->add(batch_of("b", 1)));
  EXPECT_FALSE(queue_->progress("a"));
  EXPECT_FALSE(queue_->cancel("a"));
  under_test_->break_off(false);
  EXPECT_EQ(queue_->renew(claim.lease), Held::yes);
  EXPECT_EQ(queue_->finish(claim.lease, "0"), Finish::counted);
  EXPECT_EQ(must_claim(*queue_, "w").chunk, "1");
  EXPECT_THAT(*queue_->batches(), ElementsAre("a"));
}

// As many workers, some with a connection of their own, and some of them give back, fail, or never come back.
TEST_P(QueueContract, OfEightThreadsEachChunkIsCountedOnce) {
  constexpr int kChunks = 200, kThreads = 8;
  ASSERT_TRUE(queue_->add(batch_of("a", kChunks, 1000)));
  std::atomic<int> counted{0}, late{0};
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::map<std::string, std::set<std::int64_t>> fences;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto own = i < 4 ? under_test_->open() : nullptr;
      jobs::Queue& queue = own ? *own : *queue_;
      const std::string name = "w" + std::to_string(i);
      for (int n = 0;; ++n) {
        const auto claim = queue.claim(any(name));
        ASSERT_TRUE(claim) << claim.error();
        if (!*claim) break;
        {
          const std::lock_guard lock(mutex);
          EXPECT_TRUE(fences[(*claim)->chunk].insert((*claim)->lease.fence).second) << "claimed twice";
        }
        if (n % 16 == 7) {
          EXPECT_EQ(queue.release((*claim)->lease), true);
        } else if (n % 16 == 11) {
          EXPECT_EQ(queue.fail((*claim)->lease, "bad luck"), true);
        } else {
          const auto finished = queue.finish((*claim)->lease, name + " " + (*claim)->chunk);
          ASSERT_TRUE(finished) << finished.error();
          (*finished == Finish::counted ? counted : late)++;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // A thread may end while another one is about to give back its last.
  for (;;) {
    const auto claim = queue_->claim(any("last"));
    if (!claim || !*claim) break;
    EXPECT_EQ(queue_->finish((*claim)->lease, "last " + (*claim)->chunk), Finish::counted);
    ++counted;
  }
  EXPECT_EQ(counted, kChunks);
  EXPECT_EQ(late, 0);
  const auto results = queue_->results("a", {});
  ASSERT_EQ(results->size(), static_cast<std::size_t>(kChunks));
  for (int i = 0; i < kChunks; ++i) {
    const jobs::ChunkResult& result = (*results)[static_cast<std::size_t>(i)];
    EXPECT_EQ(result.chunk, i);
    EXPECT_EQ(result.bytes, result.worker + " " + std::to_string(i));
  }
}

}  // namespace fuhyo::test
