// Workers as real processes: one is killed in mid-chunk, one sleeps through its lease, two do the work. Leases are
// short here, and nothing depends on how long anything takes.
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/patience.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/jobs/contract/queue_under_test.h"

namespace fuhyo::test {

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ProcessContract);

namespace {

constexpr int kChunks = 40;
constexpr int kAttempts = 1'000'000;  // on a busy machine many leases end before their work does

pid_t spawn(const char* verb, const QueueUnderTest& queue, const std::string& name, const std::string& folder) {
  std::array<std::string, 5> words = {FUHYO_PROCESS_WORKER, verb, queue.address(), name, folder};
  std::array<char*, 6> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments.at(i) = words.at(i).data();
  pid_t child = -1;
  EXPECT_EQ(::posix_spawn(&child, FUHYO_PROCESS_WORKER, nullptr, nullptr, arguments.data(), environ), 0);
  return child;
}

// The exit code, or the signal below 0.
int status_of(pid_t child) {
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void wait_for(const std::filesystem::path& file) {
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(file); })) << file;
}

}  // namespace

TEST_P(ProcessContract, OneIsKilledInMidChunkAndEachChunkCountsOnce) {
  ASSERT_TRUE(queue_->add(batch_of("a", kChunks, kAttempts)));
  const TemporaryFolder folder;
  const std::string path = folder.path().string();
  const pid_t killed = spawn("hold", *under_test_, "killed", path);
  const pid_t sleeper = spawn("hold", *under_test_, "sleeper", path);
  wait_for(folder.path() / "killed");
  wait_for(folder.path() / "sleeper");
  const pid_t one = spawn("count", *under_test_, "one", path), two = spawn("count", *under_test_, "two", path);
  ::kill(killed, SIGKILL);
  EXPECT_EQ(status_of(killed), -SIGKILL);
  EXPECT_EQ(status_of(one) + status_of(two), kChunks);
  folder.write("morning", "");
  EXPECT_EQ(status_of(sleeper), 7) << "is told that it comes too late";
  const auto results = queue_->results("a", {});
  ASSERT_EQ(results->size(), static_cast<std::size_t>(kChunks));
  for (const jobs::ChunkResult& result : *results) {
    EXPECT_EQ(result.bytes, result.worker + " " + std::to_string(result.chunk));
  }
  EXPECT_TRUE(queue_->progress("a")->complete());
}

}  // namespace fuhyo::test
