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
#include <fstream>
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
constexpr std::string_view kOwnLeaf = "server", kChild = "engine-";

std::mutex share_mutex;
ShareSupport share_found{.group = {}, .why = "not asked for"};
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

ShareSupport look_for_share_groups(const std::string& tree) {
  const auto none = [](std::string why) { return ShareSupport{.group = {}, .why = std::move(why)}; };
  const fs::path group = own_group(tree);
  std::error_code error;
  if (group.empty() || !fs::exists(group / "cgroup.controllers", error)) return none("there is no cgroup v2");
  if (!has_word(group / "cgroup.controllers", "cpu")) return none("the server's cgroup has no cpu controller");
  const bool may_write = ::access(group.c_str(), W_OK) == 0 && ::access((group / "cgroup.procs").c_str(), W_OK) == 0 &&
                         ::access((group / "cgroup.subtree_control").c_str(), W_OK) == 0;
  if (!may_write || !is_given(group)) return none("the server's cgroup is not its own (systemd: Delegate=cpu)");
  const fs::path leaf = group / kOwnLeaf;
  fs::create_directory(leaf, error);
  // A group with processes gives nothing to groups below it.
  if (error || !set_file(leaf / "cgroup.procs", "0")) return none("the server cannot go into a cgroup of its own");
  if (!set_file(group / "cgroup.subtree_control", "+cpu")) {
    const std::string why = std::strerror(errno);
    set_file(group / "cgroup.procs", "0");
    fs::remove(leaf, error);
    return none("the server's cgroup has other processes, or gives no processor time away: " + why);
  }
  const auto cores = std::max(1, static_cast<int>(own_cores().size()));
  set_file(leaf / "cpu.weight", std::to_string(std::min(kUsualWeight * cores, kMostWeight)));
  // What a server left that was killed.
  for (fs::directory_iterator each(group, error), end; !error && each != end; each.increment(error)) {
    std::error_code in_use;
    if (each->path().filename().string().starts_with(kChild)) fs::remove(each->path(), in_use);
  }
  return {.group = group.string(), .why = {}};
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

ShareGroup ShareGroup::make(int threads, int nice) {
  static std::atomic<std::uint64_t> made = 0;
  ShareGroup group;
  const std::string& parent = share_support().group;
  if (parent.empty() || threads <= 0) return group;
  const fs::path folder =
      fs::path(parent) / (std::string(kChild) + std::to_string(::getpid()) + "-" + std::to_string(++made));
  std::error_code error;
  if (!fs::create_directory(folder, error)) return group;
  group.folder_ = folder.string();
  const bool limited = set_file(folder / "cpu.max", share_quota(threads));
  set_file(folder / "cpu.weight", std::to_string(share_weight(threads, nice)));
  if (limited) group.door_ = ::open((folder / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
  return group;
}

ShareGroup::~ShareGroup() {
  if (door_ >= 0) ::close(door_);
  if (folder_.empty()) return;
  // What has been killed is still in it for a moment.
  set_file(fs::path(folder_) / "cgroup.kill", "1");
  for (int tries = 0; tries < 50 && ::rmdir(folder_.c_str()) != 0 && errno == EBUSY; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace fuhyo::usi
