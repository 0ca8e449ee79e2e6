#include "engines/usi/process_tree_linux.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::usi {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMemory[] = {"RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:", "HugetlbPages:"};
// As it is made; a sandboxed process cannot widen it.
constexpr std::size_t kPipe_bytes = std::size_t{64} << 10;

// Of what is sent, and not yet received: twice what the machine allows, as the kernel counts it.
std::size_t socket_bytes() {
  static const std::size_t bytes = [] {
    std::size_t most = 212'992;
    std::ifstream("/proc/sys/net/core/wmem_max") >> most;
    return 2 * most;
  }();
  return bytes;
}

// False: the task has ended, and has no memory any more, though other threads of its process may.
bool add_status(const fs::path& task, TreeUse& use) {
  bool lives = false;
  std::ifstream status(task / "status");
  for (std::string word; status >> word;) {
    std::size_t value = 0;
    if (std::ranges::find(kMemory, word) == std::end(kMemory) || !(status >> value)) continue;
    lives = true;
    use.memory_bytes += value * 1024;
  }
  return lives;
}

// Many processes may have one pipe.
void add_descriptors(const fs::path& task, std::set<std::string>& known, TreeUse& use) {
  std::error_code error;
  for (fs::directory_iterator fd(task / "fd", error), end; !error && fd != end; fd.increment(error)) {
    std::error_code closed;
    const std::string what = fs::read_symlink(fd->path(), closed).string();
    const bool is_pipe = what.starts_with("pipe:");
    if ((!is_pipe && !what.starts_with("socket:")) || !known.insert(what).second) continue;
    use.memory_bytes += is_pipe ? kPipe_bytes : socket_bytes();
  }
}

// Its threads have the same memory and the same descriptors: those of one that has not ended are looked at.
void add_process(const fs::path& process, std::set<std::string>& known, TreeUse& use) {
  bool seen = false;
  std::error_code error;
  for (fs::directory_iterator task(process / "task", error), end; !error && task != end; task.increment(error)) {
    ++use.tasks;
    if (seen || !add_status(task->path(), use)) continue;
    seen = true;
    add_descriptors(task->path(), known, use);
  }
}

// Children belong to the thread that started them.
void add_children(const fs::path& process, std::vector<pid_t>& to_do) {
  std::error_code error;
  for (fs::directory_iterator task(process / "task", error), end; !error && task != end; task.increment(error)) {
    std::ifstream children(task->path() / "children");
    for (pid_t child = 0; children >> child;) to_do.push_back(child);
  }
}

// A process that has ended meanwhile has no threads.
void add_tasks(const fs::path& process, std::vector<pid_t>& tasks) {
  std::error_code error;
  for (fs::directory_iterator task(process / "task", error), end; !error && task != end; task.increment(error)) {
    tasks.push_back(std::atoi(task->path().filename().c_str()));
  }
}

// Bounds the walk where somebody forks faster than it goes.
constexpr std::size_t kMostTasks = 65'536;

}  // namespace

std::vector<pid_t> tasks_of_tree(pid_t root) {
  std::vector<pid_t> tasks, to_do = {root};
  while (!to_do.empty() && tasks.size() < kMostTasks) {
    const fs::path process = "/proc/" + std::to_string(to_do.back());
    to_do.pop_back();
    add_tasks(process, tasks);
    add_children(process, to_do);
  }
  return tasks;
}

TreeUse measure_tree(pid_t root, int most_tasks) {
  TreeUse use;
  std::set<std::string> known;
  std::vector<pid_t> to_do = {root};
  while (!to_do.empty() && use.tasks <= most_tasks) {
    const fs::path process = "/proc/" + std::to_string(to_do.back());
    to_do.pop_back();
    add_process(process, known, use);
    add_children(process, to_do);
  }
  return use;
}

}  // namespace fuhyo::usi
