// One process at a time works with a file, whoever is killed.
#include "engines/jobs/files/file_lock.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/temporary_folder.h"

namespace fuhyo::jobs {
namespace {

class FileLockTest : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "file";
};

TEST_F(FileLockTest, IsHeldUntilItGoes) {
  {
    auto first = FileLock::take(path_);
    ASSERT_TRUE(first) << first.error();
    EXPECT_EQ(FileLock::take(path_).error(), "another process works with it");
    const FileLock moved = std::move(*first);
    EXPECT_FALSE(FileLock::take(path_));
    EXPECT_TRUE(FileLock::take(folder_.path() / "other"));
  }
  EXPECT_TRUE(FileLock::take(path_));
}

TEST_F(FileLockTest, AKillFreesIt) {
  int told[2];
  ASSERT_EQ(::pipe(told), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = FileLock::take(path_);
    const char answer = lock ? 'y' : 'n';
    if (::write(told[1], &answer, 1) == 1) ::pause();
    ::_exit(0);
  }
  char answer = 0;
  ASSERT_EQ(::read(told[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  EXPECT_FALSE(FileLock::take(path_));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(FileLock::take(path_));
  ::close(told[0]);
  ::close(told[1]);
}

TEST_F(FileLockTest, SaysWhyThereIsNone) {
  EXPECT_EQ(FileLock::take(folder_.path() / "no" / "file").error(), "No such file or directory");
  EXPECT_EQ(FileLock::take(folder_.path()).error(), "Is a directory");
}

}  // namespace
}  // namespace fuhyo::jobs
