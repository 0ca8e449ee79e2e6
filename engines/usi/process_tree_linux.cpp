#include "engines/usi/process_tree_linux.h"

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

}  // namespace

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
