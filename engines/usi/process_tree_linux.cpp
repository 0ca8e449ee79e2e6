#include "engines/usi/process_tree_linux.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::usi {
namespace {

namespace fs = std::filesystem;

void add_status(const fs::path& process, TreeUse& use) {
  std::ifstream status(process / "status");
  for (std::string word; status >> word;) {
    std::size_t value = 0;
    if (word == "Threads:" && status >> value) use.tasks += static_cast<int>(value);
    if ((word == "RssAnon:" || word == "RssShmem:") && status >> value) use.memory_bytes += value * 1024;
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
  std::vector<pid_t> to_do = {root};
  while (!to_do.empty() && use.tasks <= most_tasks) {
    const fs::path process = "/proc/" + std::to_string(to_do.back());
    to_do.pop_back();
    add_status(process, use);
    add_children(process, to_do);
  }
  return use;
}

}  // namespace fuhyo::usi
