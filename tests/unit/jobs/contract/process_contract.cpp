// Workers as real processes: one is killed in mid-chunk, one sleeps through its lease, two do the work.
#include "tests/unit/jobs/contract/process_contract.h"

#include <csignal>
#include <gtest/gtest.h>
#include <string>

namespace fuhyo::test {

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ProcessContract);

TEST_P(ProcessContract, OneIsKilledInMidChunkAndEachChunkCountsOnce) {
  ASSERT_TRUE(queue_->add(batch_of("a", kChunks)));
  const pid_t killed = in_child([&](jobs::Queue& queue) { return hold(queue, "killed"); });
  const pid_t sleeper = in_child([&](jobs::Queue& queue) { return hold(queue, "sleeper"); });
  wait_for("killed");
  wait_for("sleeper");
  const pid_t one = in_child([&](jobs::Queue& queue) { return counted_by(queue, "one"); });
  const pid_t two = in_child([&](jobs::Queue& queue) { return counted_by(queue, "two"); });
  ::kill(killed, SIGKILL);
  EXPECT_EQ(status_of(killed), -SIGKILL);
  EXPECT_EQ(status_of(one) + status_of(two), kChunks);
  folder_.write("morning", "");
  EXPECT_EQ(status_of(sleeper), 7) << "is told that it comes too late";
  const auto results = queue_->results("a", {});
  ASSERT_EQ(results->size(), static_cast<std::size_t>(kChunks));
  for (const jobs::ChunkResult& result : *results) {
    EXPECT_EQ(result.bytes, result.worker + " " + std::to_string(result.chunk));
  }
  EXPECT_TRUE(queue_->progress("a")->complete());
}

}  // namespace fuhyo::test
