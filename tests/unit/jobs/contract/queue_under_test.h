// A queue as the contract of all queues sees it, whatever it lies in. A kind of queue takes part by instantiating the
// suite with a maker of QueueUnderTest.
#pragma once

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "engines/jobs/open.h"

namespace fuhyo::test {

// Of tests, which let it pass themselves: so long that none does on a slow machine.
inline constexpr std::int64_t kLease_ms = 60'000;

// A batch of so many chunks, "0", "1", ...
inline jobs::Batch batch_of(const std::string& name, int chunks, int attempts = 3) {
  jobs::Batch batch{.name = name, .kind = "match", .payload = "job of " + name, .chunks = {}, .attempts = attempts};
  for (int i = 0; i < chunks; ++i) batch.chunks.push_back(std::to_string(i));
  return batch;
}
inline jobs::Wanted any(const std::string& worker) { return {.worker = worker, .kind = "", .batch = ""}; }

// One empty queue, as many machines see it.
class QueueUnderTest {
 public:
  virtual ~QueueUnderTest() = default;
  virtual std::unique_ptr<jobs::Queue> open() = 0;  // as another process would
  virtual std::string address() const = 0;
  virtual void pass(std::int64_t ms) = 0;   // of the time that leases are measured by
  virtual void break_off(bool broken) = 0;  // nothing can be done from now on / works again
};

// Of one kind, whose name is that of the cases.
struct QueueMaker {
  std::string name;
  std::function<std::unique_ptr<QueueUnderTest>()> make;
  friend std::ostream& operator<<(std::ostream& out, const QueueMaker& maker) { return out << maker.name; }
};

class QueueContract : public ::testing::TestWithParam<QueueMaker> {
 protected:
  static jobs::Claim must_claim(jobs::Queue& queue, const std::string& worker) {
    auto claim = queue.claim(any(worker));
    EXPECT_TRUE(claim.has_value()) << claim.error();
    EXPECT_TRUE(claim && claim->has_value()) << "there is nothing";
    return claim && *claim ? std::move(**claim) : jobs::Claim{};
  }
  static bool has_none(jobs::Queue& queue, const std::string& worker) {
    const auto claim = queue.claim(any(worker));
    EXPECT_TRUE(claim.has_value()) << claim.error();
    return claim && !*claim;
  }
  // The chunks that this worker does not have fall silent for it.
  void wait_out(jobs::Queue& observer) {
    EXPECT_TRUE(has_none(observer, "observer"));
    under_test_->pass(kLease_ms + 1);
  }

  const std::unique_ptr<QueueUnderTest> under_test_ = GetParam().make();
  const std::unique_ptr<jobs::Queue> queue_ = under_test_->open(), other_ = under_test_->open();
};
class ProcessContract : public QueueContract {};

#define INSTANTIATE_QUEUE_CONTRACTS(kind, maker)                                                         \
  const auto kQueue = ::testing::Values(QueueMaker{#kind, maker});                                       \
  INSTANTIATE_TEST_SUITE_P(, QueueContract, kQueue, [](const auto& queue) { return queue.param.name; }); \
  INSTANTIATE_TEST_SUITE_P(, ProcessContract, kQueue, [](const auto& queue) { return queue.param.name; })

}  // namespace fuhyo::test
