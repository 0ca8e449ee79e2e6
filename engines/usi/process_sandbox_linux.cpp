// The sandbox of Linux: what is there of it, and how a child goes in.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/usi/process_cell_linux.h"
#include "engines/usi/process_landlock_linux.h"
#include "engines/usi/process_seccomp_linux.h"

namespace fuhyo::usi {
namespace {

namespace fs = std::filesystem;

constexpr rlim_t kOpenFiles = 256;
// Addresses that are reserved and never used (arenas, stacks, files) are no memory yet.
constexpr rlim_t kReserve = rlim_t{16} << 30;

// Not /dev/zero: what maps it shared has memory that nobody counts.
constexpr std::array kSystemFolders = {"/usr",
                                       "/lib",
                                       "/lib32",
                                       "/lib64",
                                       "/bin",
                                       "/sbin",
                                       "/nix/store",
                                       "/etc/ld.so.cache",
                                       "/etc/ld.so.preload",
                                       "/etc/alternatives",
                                       "/etc/localtime",
                                       "/proc/cpuinfo",
                                       "/proc/meminfo",
                                       "/proc/stat",
                                       "/sys/devices/system",
                                       "/sys/kernel/mm/transparent_hugepage",
                                       "/dev/urandom",
                                       "/dev/random"};

// No secret of the server's is in these.
constexpr std::array<std::string_view, 8> kEnvironment = {"PATH", "LANG",   "LC_ALL",          "LC_CTYPE",
                                                          "TZ",   "TMPDIR", "LD_LIBRARY_PATH", "ASAN_OPTIONS"};

unsigned long wanted_namespaces() {
  return CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | (::geteuid() == 0 ? 0UL : CLONE_NEWUSER);
}

std::string map_of(unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1\n"; }

// Async-signal-safe; 0 or errno.
int write_file(const char* path, const char* text, std::size_t size) noexcept {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const bool written = ::write(file, text, size) == static_cast<ssize_t>(size);
  const int error = errno;
  ::close(file);
  return written ? 0 : error;
}

bool can_have_namespaces() {
  const std::string uids = map_of(::geteuid());
  const unsigned long flags = wanted_namespaces();
  const long pid = ::syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid < 0) return false;
  if (pid == 0) {
    ::_exit((flags & CLONE_NEWUSER) != 0 ? write_file("/proc/self/uid_map", uids.data(), uids.size()) : 0);
  }
  int status = 0;
  while (::waitpid(static_cast<pid_t>(pid), &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool can_refuse_calls() {
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

// Where exec will find it; empty: nowhere.
fs::path find_program(const std::string& name, const fs::path& from) {
  std::error_code error;
  if (name.contains('/')) return fs::canonical(from / name, error);
  const char* path = std::getenv("PATH");
  std::string_view left = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (!left.empty()) {
    const std::string_view folder = left.substr(0, left.find(':'));
    left.remove_prefix(std::min(left.size(), folder.size() + 1));
    const fs::path found = fs::canonical(fs::path(folder) / name, error);
    if (!error && ::access(found.c_str(), X_OK) == 0) return found;
  }
  return {};
}

bool holds(const fs::path& folder, const fs::path& place) {
  const auto [end, rest] = std::ranges::mismatch(folder, place);
  return end == folder.end() || (std::next(end) == folder.end() && end->empty());
}

// A folder is not readable if it holds what must stay hidden, or lies there; a file that was named is.
void allow_reading(int ruleset, const fs::path& path, const std::vector<std::string>& hidden) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return;
  const bool shows = std::ranges::any_of(hidden, [&](const std::string& secret) {
    std::error_code ignored;
    const fs::path place = fs::weakly_canonical(secret, ignored);
    return holds(real, place) || holds(place, real);
  });
  if (!shows || fs::is_regular_file(real, error)) landlock::allow(ruleset, real, landlock::Access::read);
}

int build_rules(int ruleset, const Sandbox& sandbox, const std::vector<std::string>& command, const fs::path& from) {
  const auto allow = [&](const fs::path& path) { allow_reading(ruleset, path, sandbox.hidden); };
  for (const char* path : kSystemFolders) landlock::allow(ruleset, path, landlock::Access::read);
  landlock::allow(ruleset, "/dev/null", landlock::Access::read_or_write_device);
  if (const fs::path program = find_program(command.front(), from); !program.empty()) {
    allow(program);
    if (program.parent_path() != "/") allow(program.parent_path());
  }
  for (std::size_t i = 1; i < command.size(); ++i) {
    std::error_code error;
    if (fs::is_regular_file(from / command[i], error)) allow(from / command[i]);
  }
  for (const std::string& path : sandbox.readable) allow(from / path);
  if (!sandbox.scratch.empty()) landlock::allow(ruleset, sandbox.scratch, landlock::Access::write);
  if (sandbox.shared_memory) landlock::allow(ruleset, "/dev/shm", landlock::Access::write);
  return ruleset;
}

}  // namespace

std::vector<std::string> SandboxSupport::missing() const {
  std::vector<std::string> missing;
  if (landlock == 0) {
    missing.emplace_back("no Landlock: engines may read and write what the server may");
  } else if (landlock < 3) {
    missing.emplace_back("an old Landlock: engines may truncate what the server may write");
  }
  if (!seccomp) {
    missing.emplace_back(
        "no seccomp filters: engines may use the network, signal other processes, and hold memory that nobody counts");
  }
  if (!namespaces) {
    missing.emplace_back(
        "no namespaces: engines see other processes, and processes that they start may outlive a "
        "server that is killed");
  }
  return missing;
}

const SandboxSupport& sandbox_support() {
  static const SandboxSupport support{
      .landlock = landlock::version(), .seccomp = can_refuse_calls(), .namespaces = can_have_namespaces()};
  return support;
}

// ---- before the fork ----

std::expected<Cell, std::string> Cell::prepare(const Sandbox& sandbox, const std::vector<std::string>& command,
                                               const std::string& working_dir) {
  const SandboxSupport& support = sandbox_support();
  Cell cell;
  if (support.namespaces) {
    cell.clone_flags_ = wanted_namespaces();
    if ((cell.clone_flags_ & CLONE_NEWUSER) != 0) {
      cell.uid_map_ = map_of(::geteuid());
      cell.gid_map_ = map_of(::getegid());
    }
  }
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view name = std::string_view(*each).substr(0, std::string_view(*each).find('='));
    if (std::ranges::find(kEnvironment, name) != kEnvironment.end()) cell.environment_.emplace_back(*each);
  }
  for (std::string& each : cell.environment_) cell.environment_pointers_.push_back(each.data());
  cell.environment_pointers_.push_back(nullptr);

  cell.limits_ = {{RLIMIT_NOFILE, kOpenFiles}, {RLIMIT_MSGQUEUE, 0}, {RLIMIT_MEMLOCK, rlim_t{64} << 10}};
  if (sandbox.scratch.empty() && !sandbox.shared_memory) cell.limits_.emplace_back(RLIMIT_FSIZE, 0);
  if (sandbox.scratch.empty() && sandbox.shared_memory && sandbox.memory_bytes > 0) {
    cell.limits_.emplace_back(RLIMIT_FSIZE, sandbox.memory_bytes);
  }
  if (sandbox.memory_bytes > 0) {
    cell.limits_.emplace_back(RLIMIT_DATA, sandbox.memory_bytes);
    cell.limits_.emplace_back(RLIMIT_AS, sandbox.memory_bytes + kReserve);
  }
  // Counted for a user; in a namespace of its own these are the engine's tasks alone.
  if (!cell.uid_map_.empty()) cell.limits_.emplace_back(RLIMIT_NPROC, static_cast<rlim_t>(sandbox.tasks));

  if (support.landlock > 0) {
    const auto ruleset = landlock::make_ruleset();
    if (!ruleset) return std::unexpected(ruleset.error());
    cell.ruleset_ = *ruleset;
    std::error_code ignored;
    const fs::path here = fs::current_path(ignored);
    build_rules(*ruleset, sandbox, command, working_dir.empty() ? here : here / working_dir);
    if (!working_dir.empty()) allow_reading(*ruleset, working_dir, sandbox.hidden);
  }
  if (support.seccomp) cell.filter_ = seccomp_program({.alone = support.namespaces || support.landlock >= 6});
  return cell;
}

Cell::Cell(Cell&& other) noexcept
    : clone_flags_(other.clone_flags_),
      uid_map_(std::move(other.uid_map_)),
      gid_map_(std::move(other.gid_map_)),
      environment_(std::move(other.environment_)),
      environment_pointers_(std::move(other.environment_pointers_)),
      limits_(std::move(other.limits_)),
      ruleset_(std::exchange(other.ruleset_, -1)),
      filter_(std::move(other.filter_)) {}

Cell::~Cell() {
  if (ruleset_ >= 0) ::close(ruleset_);
}

// ---- in the child ----

int Cell::map_user() const noexcept {
  if (uid_map_.empty()) return 0;
  constexpr std::string_view deny = "deny";
  if (const int error = write_file("/proc/self/setgroups", deny.data(), deny.size()); error != 0) return error;
  if (const int error = write_file("/proc/self/gid_map", gid_map_.data(), gid_map_.size()); error != 0) return error;
  return write_file("/proc/self/uid_map", uid_map_.data(), uid_map_.size());
}

int Cell::limit() const noexcept {
  // When memory runs out it is the engine that goes. A wish: the file may be missing.
  write_file("/proc/self/oom_score_adj", "1000", 4);
  for (const auto& [resource, value] : limits_) {
    rlimit limit{};
    if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return errno;
    limit.rlim_max = std::min(limit.rlim_max, value);
    limit.rlim_cur = limit.rlim_max;
    if (::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return errno;
  }
  // A file that may not grow is an error of the engine's, not its end.
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGXFSZ, &ignore, nullptr);
  return 0;
}

namespace {

// Root's rights, or those that a new user namespace begins with. Nothing can bring them back (no_new_privs).
int drop_rights() noexcept {
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (unsigned long right = 0; right < 64; ++right) ::prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const __user_cap_data_struct none[2] = {};
  if (::syscall(SYS_capset, &header, none) != 0) return errno;
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

}  // namespace

int Cell::restrict_files() const noexcept {
  if (ruleset_ < 0) return 0;
  if (const int error = landlock::allow_reading_own_proc(ruleset_); error != 0) return error;
  return landlock::restrict_self(ruleset_);
}

int Cell::refuse_calls() noexcept {
  if (filter_.empty()) return 0;
  const auto self = static_cast<unsigned>(::getpid());
  for (sock_filter& each : filter_) {
    if (each.k == kOwnPid) each.k = self;
  }
  const sock_fprog program{.len = static_cast<unsigned short>(filter_.size()), .filter = filter_.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
}

int Cell::enter() noexcept {
  if (const int error = map_user(); error != 0) return error;
  if (const int error = limit(); error != 0) return error;
  if (const int error = drop_rights(); error != 0) return error;
  if (const int error = restrict_files(); error != 0) return error;
  return refuse_calls();
}

}  // namespace fuhyo::usi
