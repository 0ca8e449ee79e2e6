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

#include "engines/usi/process_hidden_paths_linux.h"
#include "engines/usi/process_landlock_linux.h"
#include "engines/usi/process_prepared_sandbox_linux.h"
#include "engines/usi/process_seccomp_linux.h"
#include "engines/usi/process_self.h"

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

// Whether a child with these namespaces can be made, and can do in them what `tries` does (0: it can).
bool can_have(unsigned long flags, int (*tries)() noexcept) {
  const std::string uids = map_of(::geteuid());
  const long pid = ::syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid < 0) return false;
  if (pid == 0) {
    if ((flags & CLONE_NEWUSER) != 0 && write_file("/proc/self/uid_map", uids.data(), uids.size()) != 0) ::_exit(1);
    ::_exit(tries() == 0 ? 0 : 1);
  }
  int status = 0;
  while (::waitpid(static_cast<pid_t>(pid), &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool can_have_namespaces() {
  return can_have(wanted_namespaces(), []() noexcept { return 0; });
}

bool can_have_mounts() { return can_have(wanted_namespaces() | CLONE_NEWNS, try_to_hide); }

bool can_refuse_calls() {
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

struct Grant {
  fs::path place;
  landlock::Access access = landlock::Access::read;
};

// What a sandbox is asked to allow of this machine's files, besides the system's own.
class Grants {
 public:
  explicit Grants(const std::vector<std::string>& hidden) {
    std::error_code ignored;
    for (const std::string& secret : hidden) hidden_.push_back(fs::weakly_canonical(secret, ignored));
  }
  // A folder is not readable if it holds what must stay hidden, or lies there; a file that was named is.
  void read(const fs::path& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error) return;
    const bool shows =
        std::ranges::any_of(hidden_, [&](const fs::path& place) { return holds(real, place) || holds(place, real); });
    if (!shows || fs::is_regular_file(real, error)) list_.push_back({.place = real});
  }
  void write(const fs::path& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (!error) list_.push_back({.place = real, .access = landlock::Access::write});
  }

  const std::vector<Grant>& list() const { return list_; }
  HiddenPaths hidden_paths(const fs::path& working_dir) const {
    std::vector<fs::path> kept;
    for (const Grant& each : list_) kept.push_back(each.place);
    return {hidden_, kept, working_dir};
  }

 private:
  std::vector<fs::path> hidden_;
  std::vector<Grant> list_;
};

Grants grants_of(const Sandbox& sandbox, const std::vector<std::string>& command, const fs::path& from,
                 bool reads_working_dir) {
  Grants grants(sandbox.hidden);
  if (const fs::path program = find_program(command.front(), from); !program.empty()) {
    grants.read(program);
    if (program.parent_path() != "/") grants.read(program.parent_path());
  }
  for (std::size_t i = 1; i < command.size(); ++i) {
    std::error_code error;
    if (fs::is_regular_file(from / command[i], error)) grants.read(from / command[i]);
  }
  // Our own engines need what we need: installed from a tarball, libraries lie beside the programs.
  for (const fs::path& folder : own_library_folders()) {
    if (folder != "/") grants.read(folder);
  }
  for (const std::string& path : sandbox.readable) grants.read(from / path);
  if (reads_working_dir) grants.read(from);
  if (!sandbox.scratch.empty()) grants.write(sandbox.scratch);
  if (sandbox.shared_memory) grants.write("/dev/shm");
  return grants;
}

void build_rules(int ruleset, const Grants& grants) {
  for (const char* path : kSystemFolders) landlock::allow(ruleset, path, landlock::Access::read);
  landlock::allow(ruleset, "/dev/null", landlock::Access::read_or_write_device);
  for (const Grant& each : grants.list()) landlock::allow(ruleset, each.place, each.access);
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
  if (!mounts) {
    missing.emplace_back(
        "no mount namespaces: engines may ask whether a file of the server's is there and how large it is, if they "
        "guess its name");
  }
  return missing;
}

fs::path find_program(const std::string& name, const fs::path& from) {
  std::error_code error;
  if (name.contains('/')) return fs::canonical(from / name, error);
  const char* path = std::getenv("PATH");
  std::string_view left = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (!left.empty()) {
    const std::string_view folder = left.substr(0, left.find(':'));
    left.remove_prefix(std::min(left.size(), folder.size() + 1));
    const fs::path found = fs::canonical(fs::path(folder) / name, error);
    if (!error && fs::is_regular_file(found, error) && ::access(found.c_str(), X_OK) == 0) return found;
  }
  return {};
}

const SandboxSupport& sandbox_support() {
  static const SandboxSupport support{.landlock = landlock::version(),
                                      .seccomp = can_refuse_calls(),
                                      .namespaces = can_have_namespaces(),
                                      .mounts = can_have_mounts()};
  return support;
}

// ---- before the fork ----

std::expected<PreparedSandbox, std::string> PreparedSandbox::prepare(const Sandbox& sandbox,
                                                                     const std::vector<std::string>& command,
                                                                     const std::string& working_dir) {
  const SandboxSupport& support = sandbox_support();
  PreparedSandbox prepared;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path from = working_dir.empty() ? here : here / working_dir;
  const Grants grants = grants_of(sandbox, command, from, !working_dir.empty());
  if (support.namespaces) {
    prepared.clone_flags_ = wanted_namespaces() | (support.mounts ? CLONE_NEWNS : 0UL);
    if ((prepared.clone_flags_ & CLONE_NEWUSER) != 0) {
      prepared.uid_map_ = map_of(::geteuid());
      prepared.gid_map_ = map_of(::getegid());
    }
  }
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view name = std::string_view(*each).substr(0, std::string_view(*each).find('='));
    if (std::ranges::find(kEnvironment, name) != kEnvironment.end()) prepared.environment_.emplace_back(*each);
  }
  for (std::string& each : prepared.environment_) prepared.environment_pointers_.push_back(each.data());
  prepared.environment_pointers_.push_back(nullptr);

  prepared.limits_ = {{RLIMIT_NOFILE, kOpenFiles}, {RLIMIT_MSGQUEUE, 0}, {RLIMIT_MEMLOCK, rlim_t{64} << 10}};
  if (sandbox.scratch.empty() && !sandbox.shared_memory) prepared.limits_.emplace_back(RLIMIT_FSIZE, 0);
  if (sandbox.scratch.empty() && sandbox.shared_memory && sandbox.memory_bytes > 0) {
    prepared.limits_.emplace_back(RLIMIT_FSIZE, sandbox.memory_bytes);
  }
  if (sandbox.memory_bytes > 0) {
    prepared.limits_.emplace_back(RLIMIT_DATA, sandbox.memory_bytes);
    prepared.limits_.emplace_back(RLIMIT_AS, sandbox.memory_bytes + kReserve);
  }
  // Counted for a user; in a namespace of its own these are the engine's tasks alone.
  if (!prepared.uid_map_.empty()) prepared.limits_.emplace_back(RLIMIT_NPROC, static_cast<rlim_t>(sandbox.tasks));

  if (support.landlock > 0) {
    const auto ruleset = landlock::make_ruleset();
    if (!ruleset) return std::unexpected(ruleset.error());
    prepared.ruleset_ = *ruleset;
    build_rules(*ruleset, grants);
  }
  if (support.mounts) prepared.hidden_paths_ = grants.hidden_paths(fs::weakly_canonical(from, error));
  if (support.seccomp) prepared.filter_ = seccomp_program({.alone = support.namespaces || support.landlock >= 6});
  return prepared;
}

PreparedSandbox::PreparedSandbox(PreparedSandbox&& other) noexcept
    : clone_flags_(other.clone_flags_),
      uid_map_(std::move(other.uid_map_)),
      gid_map_(std::move(other.gid_map_)),
      environment_(std::move(other.environment_)),
      environment_pointers_(std::move(other.environment_pointers_)),
      limits_(std::move(other.limits_)),
      hidden_paths_(std::move(other.hidden_paths_)),
      ruleset_(std::exchange(other.ruleset_, -1)),
      filter_(std::move(other.filter_)) {}

PreparedSandbox::~PreparedSandbox() {
  if (ruleset_ >= 0) ::close(ruleset_);
}

// ---- in the child ----

int PreparedSandbox::map_user() const noexcept {
  if (uid_map_.empty()) return 0;
  constexpr std::string_view deny = "deny";
  if (const int error = write_file("/proc/self/setgroups", deny.data(), deny.size()); error != 0) return error;
  if (const int error = write_file("/proc/self/gid_map", gid_map_.data(), gid_map_.size()); error != 0) return error;
  return write_file("/proc/self/uid_map", uid_map_.data(), uid_map_.size());
}

int PreparedSandbox::limit() const noexcept {
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

int PreparedSandbox::restrict_files() const noexcept {
  if (ruleset_ < 0) return 0;
  if (const int error = landlock::allow_reading_own_proc(ruleset_); error != 0) return error;
  return landlock::restrict_self(ruleset_);
}

int PreparedSandbox::refuse_calls() noexcept {
  if (filter_.empty()) return 0;
  const auto self = static_cast<unsigned>(::getpid());
  for (sock_filter& each : filter_) {
    if (each.k == kOwnPid) each.k = self;
  }
  const sock_fprog program{.len = static_cast<unsigned short>(filter_.size()), .filter = filter_.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
}

int PreparedSandbox::enter() noexcept {
  if (const int error = map_user(); error != 0) return error;
  if (const int error = hidden_paths_.hide(); error != 0) return error;
  if (const int error = limit(); error != 0) return error;
  if (const int error = drop_rights(); error != 0) return error;
  if (const int error = restrict_files(); error != 0) return error;
  return refuse_calls();
}

}  // namespace fuhyo::usi
