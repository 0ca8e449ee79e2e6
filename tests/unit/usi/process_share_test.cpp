// How much of the processor a child gets: by groups where this machine has them, by cores everywhere.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "engines/usi/process.h"
#include "engines/usi/process_share_linux.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/usi/child_talk.h"

namespace fuhyo::usi {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

TEST(ShareOfTheProcessor, IsThreadsAndABitAndWeighsAsNicenessDoesForEveryThread) {
  EXPECT_EQ(share_quota(1), "125000 100000");
  EXPECT_EQ(share_quota(64), "6425000 100000");
  EXPECT_EQ(share_weight(1, 0), 100);
  EXPECT_EQ(share_weight(4, 0), 400);
  EXPECT_EQ(share_weight(1, 5), 33);
  EXPECT_EQ(share_weight(1, 19), 1);
  EXPECT_EQ(share_weight(1000, 0), 10'000) << "the most that the kernel takes";
}

// ---- the files of a group ----

std::string told_of(const ShareSupport& support, const GroupLimits& limits) {
  std::string told;
  for (const GroupFile& file : group_files(support, limits)) {
    told += file.name + "=" + file.text + (file.must ? "\n" : " (if it can be)\n");
  }
  return told;
}

constexpr GroupLimits kEngine{.threads = 2, .nice = 0, .memory_bytes = std::size_t{512} << 20, .tasks = 64};

TEST(GroupFiles, SayAllThatIsLimited) {
  const ShareSupport all{.group = "x", .processor = true, .memory = true, .tasks = true};
  EXPECT_EQ(told_of(all, kEngine),
            "cpu.max=225000 100000\nmemory.max=805306368\nmemory.swap.max=0 (if it can be)\n"
            "memory.oom.group=1 (if it can be)\npids.max=64\ncpu.weight=200 (if it can be)\n");
  EXPECT_EQ(told_of(all, {}), "") << "nothing is limited: it needs no group";
  EXPECT_THAT(told_of(all, {.leisurely = true, .tasks = 8}),
              ::testing::AllOf(HasSubstr("cpu.weight=1 "), HasSubstr("cpu.idle=1")));
  EXPECT_EQ(told_of({.group = "x", .processor = true}, kEngine),
            "cpu.max=225000 100000\ncpu.weight=200 (if it can be)\n");
  EXPECT_EQ(told_of({.group = "x", .tasks = true}, kEngine), "pids.max=64\n");
}

TEST(GroupEvents, TellThatMemoryRanOut) {
  const std::string quiet = "low 0\nhigh 0\nmax 7\n";
  EXPECT_TRUE(tells_of_memory_ran_out(quiet + "oom 1\noom_kill 3\noom_group_kill 1\n"));
  EXPECT_FALSE(tells_of_memory_ran_out(quiet + "oom 0\noom_kill 1\n")) << "the machine's, not its own";
  EXPECT_FALSE(tells_of_memory_ran_out(quiet + "oom 0\noom_kill 0\n"));
  EXPECT_FALSE(tells_of_memory_ran_out(""));
}

// ---- the tree of groups ----

// A tree of files that looks like cgroup v2, as far as it is read and written.
class PaperTree {
 public:
  PaperTree() {
    std::string place;
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
      if (line.starts_with("0::/")) place = line.substr(4);
    }
    group_ = folder_.path() / place;
    fs::create_directories(group_ / "server");
    put("cgroup.controllers", "cpuset cpu io memory pids\n");
    for (const char* file : {"cgroup.procs", "cgroup.subtree_control", "server/cgroup.procs", "server/cpu.weight"}) {
      put(file, "");
    }
  }
  void put(const std::string& file, const std::string& text) const { std::ofstream(group_ / file) << text; }
  std::string text(const std::string& file) const { return test::read_file(group_ / file); }
  bool give() const { return ::setxattr(group_.c_str(), "user.delegate", "1", 1, 0) == 0; }
  void remove(const std::string& file) const { fs::remove_all(group_ / file); }
  std::string root() const { return folder_.path().string(); }
  fs::path group() const { return group_; }

 private:
  test::TemporaryFolder folder_;
  fs::path group_;
};

bool has_cgroup_v2() { return test::read_file("/proc/self/cgroup").contains("0::/"); }

TEST(ShareGroups, AreMadeWhereThisProgramWasGivenAGroup) {
  if (!has_cgroup_v2()) GTEST_SKIP() << "this machine has no cgroup v2";
  const PaperTree tree;
  if (!tree.give() && ::geteuid() == 0) GTEST_SKIP() << "the temporary folder keeps no marks of users";
  fs::create_directory(tree.group() / "engine-7-1");
  const ShareSupport found = look_for_share_groups(tree.root());
  EXPECT_EQ(found.why + found.why_memory, "");
  EXPECT_TRUE(found.processor && found.memory && found.tasks);
  EXPECT_EQ(fs::path(found.group), tree.group());
  EXPECT_EQ(tree.text("server/cgroup.procs"), "0") << "this process went where it is in nobody's way";
  EXPECT_EQ(tree.text("cgroup.subtree_control"), "+cpu +memory +pids");
  EXPECT_FALSE(fs::exists(tree.group() / "engine-7-1")) << "what a server left that was killed";
}

TEST(ShareGroups, AreMadeOfWhatThereIs) {
  if (!has_cgroup_v2()) GTEST_SKIP() << "this machine has no cgroup v2";
  const PaperTree tree;
  if (!tree.give() && ::geteuid() == 0) GTEST_SKIP() << "the temporary folder keeps no marks of users";
  tree.put("cgroup.controllers", "memory pids\n");
  const ShareSupport found = look_for_share_groups(tree.root());
  EXPECT_EQ(fs::path(found.group), tree.group());
  EXPECT_TRUE(!found.processor && found.memory && found.tasks);
  EXPECT_THAT(found.why, HasSubstr("no cpu controller"));
  EXPECT_EQ(found.why_memory, "");
  EXPECT_EQ(tree.text("cgroup.subtree_control"), "+memory +pids");
}

TEST(ShareGroups, AreSaidToBeMissing) {
  if (!has_cgroup_v2()) GTEST_SKIP() << "this machine has no cgroup v2";
  const PaperTree tree;
  if (::geteuid() == 0) EXPECT_THAT(look_for_share_groups(tree.root()).why, HasSubstr("Delegate=cpu"));
  EXPECT_EQ(tree.text("server/cgroup.procs"), "") << "nothing was touched";
  const bool given = tree.give();
  tree.put("cgroup.controllers", "cpuset pids\n");
  EXPECT_THAT(look_for_share_groups(tree.root()).why, HasSubstr("no cpu controller"));
  EXPECT_THAT(look_for_share_groups(tree.root()).why_memory, HasSubstr("no memory controller"));
  tree.put("cgroup.controllers", "cpu\n");
  tree.remove("server/cgroup.procs");
  if (given) EXPECT_THAT(look_for_share_groups(tree.root()).why, HasSubstr("cannot go into"));
  EXPECT_THAT(look_for_share_groups(tree.root() + "/elsewhere").why, HasSubstr("no cgroup v2"));
}

// ---- children ----

class Shell : public test::Talk {
 public:
  explicit Shell(const std::string& script, ChildProcess::Options options = {})
      : Talk({"/bin/sh", "-c", script}, std::move(options)) {}
};

constexpr const char* kTellsItsCores = "while read -r x; do grep Cpus_allowed_list /proc/self/status; done";

std::string cores_line(int core) { return "Cpus_allowed_list:\t" + std::to_string(core); }

TEST(BoundProcess, BeginsOnItsCoresAndIsMovedWithAllThatItHasStarted) {
  const std::vector<int> cores = own_cores();
  ASSERT_FALSE(cores.empty());
  Shell shell(kTellsItsCores, {.cores = {cores.front()}});
  shell.say("?");
  EXPECT_EQ(shell.next(), cores_line(cores.front()));
  shell.process().bind({});
  shell.say("?");
  EXPECT_EQ(shell.next(), cores_line(cores.front())) << "nothing changes";
  if (cores.size() < 2) GTEST_SKIP() << "there is one core only: nothing to move to";
  shell.process().bind({cores.back()});
  shell.say("?");
  EXPECT_EQ(shell.next(), cores_line(cores.back()));
}

TEST(BoundProcess, ASandboxedOneDoesNotChangeItsCores) {
  if (!sandbox_support().seccomp) GTEST_SKIP() << "this machine has no seccomp filters";
  const std::vector<int> cores = own_cores();
  Shell shell("taskset -pc 0-63 $$ > /dev/null; taskset -pc $$ | sed 's/.*: //'",
              {.cores = {cores.front()}, .sandbox = Sandbox{}});
  EXPECT_EQ(shell.next(), std::to_string(cores.front())) << "as if it had been done, and it is not";
}

fs::path engine_group(const std::string& parent) {
  for (const auto& each : fs::directory_iterator(parent)) {
    if (each.path().filename().string().starts_with("engine-")) return each.path();
  }
  return {};
}

bool says(const fs::path& file, bool given, const std::string& wanted) {
  return !given || test::read_file(file) == wanted + "\n";
}

// Whether the kernel holds the child and all that it starts to its limits.
bool is_held(const ShareSupport& support) {
  Shell shell("sleep 1000 & echo started; wait",
              {.threads = 1, .sandbox = Sandbox{.memory_bytes = std::size_t{64} << 20, .tasks = 8}});
  if (shell.next() != "started") return false;
  const fs::path group = engine_group(support.group);
  const std::string members = test::read_file(group / "cgroup.procs");
  return std::ranges::count(members, '\n') == 2 && says(group / "cpu.max", support.processor, share_quota(1)) &&
         says(group / "memory.max", support.memory, std::to_string(std::size_t{320} << 20)) &&
         says(group / "pids.max", support.tasks, "8");
}

// Where no group was given it is said why, and children run without.
bool goes_without(const ShareSupport& support) {
  Shell shell("echo started; read line", {.threads = 1, .sandbox = Sandbox{}});
  return !support.why.empty() && !support.why_memory.empty() && shell.next() == "started" &&
         ShareGroup::make(kEngine).procs_fd() == -1;
}

// A real group: this process moves into a part of the tree, so it is a child that does it.
TEST(ShareGroups, HoldAChildToItsLimitsOrSayWhyNot) {
  const pid_t pid = ::fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    const ShareSupport support = make_share_groups();
    std::fprintf(stderr, "%s\n", support.why.c_str());
    if (support.group.empty()) ::_exit(goes_without(support) ? 0 : 1);
    ::_exit(is_held(support) && engine_group(support.group).empty() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace fuhyo::usi
