// Workers as real processes, of a test that may wait for time to pass: leases are short, and no case depends on how
// long anything takes.
#pragma once

#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "engines/jobs/worker.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/jobs/contract/queue_under_test.h"

namespace fuhyo::test {

class ProcessContract : public QueueContract {
 protected:
  static constexpr int kChunks = 40;
  static constexpr std::int64_t kShortLease_ms = 300;

  template <class Do>
  pid_t in_child(const Do& action) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    auto queue = jobs::open_queue(under_test_->address(), {.lease_ms = kShortLease_ms, .durable = false});
    ::_exit(queue ? action(**queue) : 99);
  }
  static int status_of(pid_t child) {
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  void wait_for(const std::string& file) const {
    while (!std::filesystem::exists(folder_.path() / file)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  static int counted_by(jobs::Queue& queue, const std::string& name) {
    jobs::WorkerOptions options;
    options.wanted = {.worker = name, .kind = "", .batch = ""};
    options.drain = true;
    options.idle_longest_ms = 100;
    const auto report =
        jobs::run_worker(queue, options,
                         [&](const jobs::Claim& claim, const std::stop_token&) -> jobs::Result<std::string> {
                           std::this_thread::sleep_for(std::chrono::milliseconds(2));
                           return name + " " + claim.chunk;
                         },
                         {});
    return static_cast<int>(report.counted);
  }
  // Of a process that has a chunk and does not renew it.
  int hold(jobs::Queue& queue, const std::string& name) const {
    const auto claim = queue.claim(any(name));
    if (!claim || !*claim) return 98;
    folder_.write(name, "has a chunk");
    wait_for("morning");
    const auto finished = queue.finish((*claim)->lease, "too late");
    return finished && *finished == jobs::Finish::late ? 7 : 97;
  }

  TemporaryFolder folder_;
};

}  // namespace fuhyo::test
