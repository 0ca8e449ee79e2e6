// Groups of cgroup v2: folders whose files say how much of the processor the processes in them get.
#include "engines/usi/process_share_linux.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <mutex>
#include <sched.h>
#include <sstream>
#include <sys/xattr.h>
#include <thread>
#include <unistd.h>

namespace fuhyo::usi {
namespace {

namespace fs = std::filesystem;

// A quarter of a core beside its threads: who reads the engine's input must not wait for those that think.
constexpr int kPeriod_us = 100'000, kSpare_us = 25'000;
// A step of niceness is a quarter more, or less, as the kernel has it.
constexpr double kStep = 1.25;
constexpr int kUsualWeight = 100, kMostWeight = 10'000;
// Beside what is counted for an engine (process_tree_linux.h): pages of files that it has mapped, which the kernel
// takes back where it needs them, and the kernel's own of its processes.
constexpr std::size_t kSpare_bytes = std::size_t{256} << 20;
constexpr std::string_view kOwnLeaf = "server", kChild = "engine-";

std::mutex share_mutex;
ShareSupport share_found{.group = {}, .why = "not asked for", .why_memory = "not asked for"};
bool share_looked = false;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// An attribute file takes a write whole, or says why not.
bool set_file(const fs::path& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int error = errno;
  ::close(file);
  errno = error;
  return written;
}

bool has_word(const fs::path& path, std::string_view wanted) {
  std::istringstream words(first_line(path));
  for (std::string word; words >> word;) {
    if (word == wanted) return true;
  }
  return false;
}

// Where cgroup v2 is mounted, and this process's place in it; empty: nowhere.
fs::path own_group(const std::string& tree) {
  std::string root = tree;
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; root.empty() && std::getline(mounts, line);) {
    if (!line.contains(" - cgroup2 ")) continue;
    std::istringstream words(line);
    for (int i = 0; i < 5; ++i) words >> root;  // the fifth is where
  }
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; !root.empty() && std::getline(groups, line);) {
    if (line.starts_with("0::/")) return fs::path(root) / line.substr(4);
  }
  return {};
}

// systemd marks what it has given away; to a user it gives the folder.
bool is_given(const fs::path& group) {
  for (const char* mark : {"user.delegate", "trusted.delegate"}) {
    char value = 0;
    if (::getxattr(group.c_str(), mark, &value, 1) == 1 && value == '1') return true;
  }
  return ::geteuid() != 0;
}

}  // namespace

std::vector<int> own_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(static_cast<std::size_t>(core), &set)) cores.push_back(core);
  }
  return cores;
}

namespace {

std::string no_controller(const char* name) { return fmt::format("the server's cgroup has no {} controller", name); }

// What the group above gives to this one.
ShareSupport controllers_of(const fs::path& group) {
  const auto has = [&](std::string_view name) { return has_word(group / "cgroup.controllers", name); };
  ShareSupport support{.group = group.string(), .processor = has("cpu"), .memory = has("memory"), .tasks = has("pids")};
  if (!support.processor) support.why = no_controller("cpu");
  if (!support.memory) support.why_memory = no_controller("memory");
  return support;
}

// For groups below; all of it or nothing.
bool give_on(const fs::path& group, const ShareSupport& support) {
  std::string words;
  for (const auto& [given, word] :
       {std::pair(support.processor, "+cpu "), {support.memory, "+memory "}, {support.tasks, "+pids "}}) {
    if (given) words += word;
  }
  words.pop_back();
  return set_file(group / "cgroup.subtree_control", words);
}

// What a server left that was killed.
void sweep(const fs::path& group) {
  std::error_code error;
  for (fs::directory_iterator each(group, error), end; !error && each != end; each.increment(error)) {
    std::error_code in_use;
    if (each->path().filename().string().starts_with(kChild)) fs::remove(each->path(), in_use);
  }
}

}  // namespace

ShareSupport look_for_share_groups(const std::string& tree) {
  const auto none = [](const std::string& why) { return ShareSupport{.group = {}, .why = why, .why_memory = why}; };
  const fs::path group = own_group(tree);
  std::error_code error;
  if (group.empty() || !fs::exists(group / "cgroup.controllers", error)) return none("there is no cgroup v2");
  ShareSupport support = controllers_of(group);
  if (!support.processor && !support.memory) {
    return {.group = {}, .why = support.why, .why_memory = support.why_memory};
  }
  const bool may_write = ::access(group.c_str(), W_OK) == 0 && ::access((group / "cgroup.procs").c_str(), W_OK) == 0 &&
                         ::access((group / "cgroup.subtree_control").c_str(), W_OK) == 0;
  if (!may_write || !is_given(group)) {
    return none("the server's cgroup is not its own (systemd: Delegate=cpu memory pids)");
  }
  const fs::path leaf = group / kOwnLeaf;
  fs::create_directory(leaf, error);
  // A group with processes gives nothing to groups below it.
  if (error || !set_file(leaf / "cgroup.procs", "0")) return none("the server cannot go into a cgroup of its own");
  if (!give_on(group, support)) {
    const std::string why = std::strerror(errno);
    set_file(group / "cgroup.procs", "0");
    fs::remove(leaf, error);
    return none("the server's cgroup has other processes, or gives nothing away: " + why);
  }
  const auto cores = std::max(1, static_cast<int>(own_cores().size()));
  set_file(leaf / "cpu.weight", std::to_string(std::min(kUsualWeight * cores, kMostWeight)));
  sweep(group);
  return support;
}

const ShareSupport& make_share_groups() {
  const std::lock_guard lock(share_mutex);
  if (!std::exchange(share_looked, true)) share_found = look_for_share_groups();
  return share_found;
}

const ShareSupport& share_support() {
  const std::lock_guard lock(share_mutex);
  return share_found;
}

std::string share_quota(int threads) {
  return std::to_string(std::int64_t{threads} * kPeriod_us + kSpare_us) + " " + std::to_string(kPeriod_us);
}

int share_weight(int threads, int nice) {
  const double weight = kUsualWeight * threads / std::pow(kStep, nice);
  return std::clamp(static_cast<int>(std::lround(weight)), 1, kMostWeight);
}

std::vector<GroupFile> group_files(const ShareSupport& support, const GroupLimits& limits) {
  std::vector<GroupFile> files;
  if (support.processor && limits.threads > 0) files.push_back({"cpu.max", share_quota(limits.threads)});
  if (support.memory && limits.memory_bytes > 0) {
    files.push_back({"memory.max", std::to_string(limits.memory_bytes + kSpare_bytes)});
    files.push_back({"memory.swap.max", "0", false});  // machines without swap have no such file
    files.push_back({"memory.oom.group", "1", false});
  }
  if (support.tasks && limits.tasks > 0) files.push_back({"pids.max", std::to_string(limits.tasks)});
  if (files.empty() || !support.processor) return files;
  // Niceness and the like count within a group only.
  const int weight = limits.leisurely ? 1 : share_weight(std::max(1, limits.threads), limits.nice);
  files.push_back({"cpu.weight", std::to_string(weight), false});
  if (limits.leisurely) files.push_back({"cpu.idle", "1", false});
  return files;
}

bool tells_of_memory_ran_out(std::string_view memory_events) {
  std::istringstream lines{std::string(memory_events)};
  bool reached = false, killed = false;
  std::uint64_t times = 0;
  for (std::string what; lines >> what >> times;) {
    if (what == "oom" && times > 0) reached = true;
    if (what == "oom_kill" && times > 0) killed = true;
  }
  return reached && killed;
}

ShareGroup ShareGroup::make(const GroupLimits& limits) {
  static std::atomic<std::uint64_t> made = 0;
  ShareGroup group;
  const ShareSupport& support = share_support();
  if (support.group.empty()) return group;
  const std::vector<GroupFile> files = group_files(support, limits);
  if (files.empty()) return group;
  const fs::path folder =
      fs::path(support.group) / (std::string(kChild) + std::to_string(::getpid()) + "-" + std::to_string(++made));
  std::error_code error;
  if (!fs::create_directory(folder, error)) return group;
  group.folder_ = folder.string();
  bool limited = true;
  for (const GroupFile& file : files) limited = (set_file(folder / file.name, file.text) || !file.must) && limited;
  if (limited) group.procs_fd_ = ::open((folder / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
  return group;
}

bool ShareGroup::ran_out_of_memory() const {
  if (folder_.empty()) return false;
  std::ifstream file(fs::path(folder_) / "memory.events");
  return tells_of_memory_ran_out(std::string(std::istreambuf_iterator<char>(file), {}));
}

ShareGroup::~ShareGroup() {
  if (procs_fd_ >= 0) ::close(procs_fd_);
  if (folder_.empty()) return;
  // What has been killed is still in it for a moment.
  set_file(fs::path(folder_) / "cgroup.kill", "1");
  for (int tries = 0; tries < 50 && ::rmdir(folder_.c_str()) != 0 && errno == EBUSY; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace fuhyo::usi
