// What a worker does in an evening, with everything failing now and then; and what has to be true when it is over.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "tests/unit/jobs/contract/queue_under_test.h"

namespace fuhyo::test {

inline constexpr int kChunks = 4;

inline jobs::Batch small_batch() { return batch_of("a", kChunks, 100); }

// What one process does with a queue from beginning to end. Every call may fail; `tries`: how often it is repeated.
// Returns whether the process has come to its end.
class Evening {
 public:
  Evening(jobs::Queue& queue, int tries) : queue_(queue), tries_(tries) {}

  bool run(const std::string& worker) {
    if (!insist([&] { return queue_.add(small_batch()); })) return false;
    for (int n = 0;; ++n) {
      const auto claim = insist([&] { return queue_.claim(any(worker)); });
      if (!claim) return false;
      if (!*claim) return true;
      const jobs::Lease& lease = (*claim)->lease;
      if (!insist([&] { return queue_.renew(lease); })) return false;
      if (n == 0) {
        if (!insist([&] { return queue_.release(lease); })) return false;
      } else if (n == 1) {
        if (!insist([&] { return queue_.fail(lease, "bad luck"); })) return false;
      } else {
        const auto finished = insist([&] { return queue_.finish(lease, "result of " + (*claim)->chunk); });
        if (!finished) return false;
        if (*finished == jobs::Finish::counted) EXPECT_TRUE(counted_.insert(lease.chunk).second);
      }
    }
  }
  const std::set<std::int64_t>& counted() const { return counted_; }

 private:
  template <class Ask>
  auto insist(const Ask& ask) -> decltype(ask()) {
    auto answer = ask();
    for (int i = 1; i < tries_ && !answer; ++i) {
      EXPECT_FALSE(answer.error().empty());
      answer = ask();
    }
    return answer;
  }

  jobs::Queue& queue_;
  const int tries_;
  std::set<std::int64_t> counted_;
};

// Another process comes afterwards, waits for whatever was left, and does the rest.
inline void expect_whole(QueueUnderTest& under_test, jobs::Queue& queue, const std::set<std::int64_t>& counted,
                         bool killed) {
  Evening rest(queue, 1);
  for (int i = 0; i < 10 && !(i > 0 && queue.progress("a")->complete()); ++i) {
    ASSERT_TRUE(rest.run("rest")) << "nothing fails any more";
    under_test.pass(kLease_ms + 1);
  }
  const auto results = queue.results("a", {});
  ASSERT_TRUE(results) << results.error();
  ASSERT_EQ(results->size(), static_cast<std::size_t>(kChunks));
  for (const jobs::ChunkResult& result : *results) {
    EXPECT_EQ(result.bytes, "result of " + std::to_string(result.chunk));
    EXPECT_EQ(rest.counted().contains(result.chunk), result.worker == "rest");
    EXPECT_FALSE(result.worker == "rest" && counted.contains(result.chunk)) << "was counted before, and is lost";
    EXPECT_TRUE(result.worker == "rest" || counted.contains(result.chunk) || killed) << "counts, and was called late";
  }
}

}  // namespace fuhyo::test
