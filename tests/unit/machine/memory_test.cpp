// Memory that processes share.
#include "engines/machine/memory.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

namespace fuhyo::machine {
namespace {

namespace fs = std::filesystem;

class SharedMemoryTest : public ::testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!fs::exists("/dev/shm")) GTEST_SKIP() << "there is no memory file system";
  }

  // The same content each time, but of no other test or process.
  std::unique_ptr<const Memory> content() const {
    auto memory = Memory::allocate(GetParam());
    std::memcpy(memory->data(), &seed_, sizeof seed_);
    memory->data()[GetParam() - 1] = std::byte{7};
    return memory;
  }
  std::unique_ptr<const Memory> shared() const { return Memory::share(content()); }

  // Runs `work` in a process that ends at once, without cleaning up.
  template <class Work>
  static int in_another_process(const Work& work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work() ? 0 : 1);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  const std::uint64_t seed_ = std::random_device()() * std::uint64_t{0x100000000} + std::random_device()();
};

TEST_P(SharedMemoryTest, IsZeroAtFirst) {
  const auto memory = Memory::allocate(GetParam());
  EXPECT_TRUE(
      std::all_of(memory->data(), memory->data() + memory->size(), [](std::byte b) { return b == std::byte{0}; }));
  EXPECT_FALSE(memory->shared());
}

TEST_P(SharedMemoryTest, IsOneForAllWhoHaveTheSame) {
  const auto first = shared(), second = shared();
  ASSERT_TRUE(first->shared());
  ASSERT_TRUE(second->shared());
  EXPECT_EQ(first->path(), second->path());
  EXPECT_EQ(std::memcmp(second->data(), content()->data(), GetParam()), 0);
  EXPECT_EQ(in_another_process([&] {
              const auto third = shared();
              return third->shared() && third->path() == first->path();
            }),
            0);
  EXPECT_TRUE(fs::exists(first->path()));
}

TEST_P(SharedMemoryTest, GoesWithTheLastOne) {
  auto first = shared(), second = shared();
  const std::string path = first->path();
  first.reset();
  EXPECT_TRUE(fs::exists(path));
  second.reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST_P(SharedMemoryTest, OutlivesAProcessThatWasKilled) {
  EXPECT_EQ(in_another_process([&] { return shared().release()->shared(); }), 0);
  auto memory = shared();
  const std::string path = memory->path();
  EXPECT_TRUE(fs::exists(path));
  memory.reset();
  EXPECT_FALSE(fs::exists(path));
}

// What lies there under the right name is believed only if it could be ours, and is what is wanted to the last byte.
TEST_P(SharedMemoryTest, IsNotBelievedWithAnotherContentOrOpenToOthers) {
  auto first = shared();
  const std::string path = first->path();
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read);
  const std::size_t size = fs::file_size(path);
  first.reset();
  const auto own = content();
  const std::string wanted(reinterpret_cast<const char*>(own->data()), own->size());
  std::string another = wanted;
  another.back() = 8;
  using enum fs::perms;
  struct Case {
    std::string bytes;
    fs::perms permissions;
    bool believed;
  };
  for (auto& [bytes, permissions, believed] :
       {Case{std::string(wanted.size(), 'x'), owner_read, false}, Case{another, owner_read, false},
        Case{wanted, owner_read | group_read, false}, Case{wanted, owner_read | others_write, false},
        Case{wanted, owner_read, true}}) {
    std::ofstream(path) << bytes << std::string(size - bytes.size(), '\0');
    fs::permissions(path, permissions);
    const auto memory = shared();
    EXPECT_EQ(memory->shared(), believed) << static_cast<int>(permissions);
    EXPECT_EQ(std::memcmp(memory->data(), own->data(), own->size()), 0);
    fs::remove(path);
  }
}

TEST_P(SharedMemoryTest, DoesNotFollowLinks) {
  const std::string path = shared()->path();
  fs::create_symlink("/dev/null", path);
  EXPECT_FALSE(shared()->shared());
  fs::remove(path);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SharedMemoryTest, testing::Values(100, 5'000, (3 << 20) + 64),
                         [](const auto& info) { return std::to_string(info.param) + "_bytes"; });

}  // namespace
}  // namespace fuhyo::machine
