// A queue in a temporary folder, with time and failures that the test chooses.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/jobs/contract/queue_under_test.h"

namespace fuhyo::test {

class FilesUnderTest : public QueueUnderTest {
 public:
  std::unique_ptr<jobs::Queue> open() override { return open({}); }
  // With a hook besides.
  std::unique_ptr<jobs::Queue> open(jobs::FileHook hook) {
    jobs::QueueOptions options{.lease_ms = kLease_ms, .durable = false, .now_ms = [this] { return now_ms_.load(); }};
    options.hook = [this, hook = std::move(hook)](std::string_view operation, const std::filesystem::path& path) {
      if (broken_) return jobs::Fate::refused;
      return hook ? hook(operation, path) : jobs::Fate::done;
    };
    return value_of(jobs::open_queue(address(), options));
  }
  void pass(std::int64_t ms) override { now_ms_ += ms; }
  void break_off(bool broken) override { broken_ = broken; }
  std::string address() const override { return (folder_.path() / "queue").string(); }

 private:
  TemporaryFolder folder_;
  std::atomic<std::int64_t> now_ms_{1'000'000};
  std::atomic<bool> broken_{false};
};

}  // namespace fuhyo::test
