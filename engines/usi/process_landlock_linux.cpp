#include "engines/usi/process_landlock_linux.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fuhyo::usi::landlock {
namespace {

// As in linux/landlock.h of Linux 6.12; the oldest system that this is built on has a shorter one.
struct RulesetAttributes {
  std::uint64_t handled_access_fs, handled_access_net, scoped;
};
struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};
constexpr int kRuleOfPath = 1;
constexpr unsigned kAskVersion = 1;

constexpr std::uint64_t kExecute = 1 << 0, kWriteFile = 1 << 1, kReadFile = 1 << 2, kReadDir = 1 << 3;
constexpr std::uint64_t kRemoveDir = 1 << 4, kRemoveFile = 1 << 5, kMakeDir = 1 << 7, kMakeReg = 1 << 8;
constexpr std::uint64_t kTruncate = 1 << 14;
constexpr std::uint64_t kRead = kExecute | kReadFile | kReadDir;
constexpr std::uint64_t kWrite = kWriteFile | kRemoveDir | kRemoveFile | kMakeDir | kMakeReg | kTruncate;
constexpr std::uint64_t kTcp = 3;     // bind, connect
constexpr std::uint64_t kScopes = 3;  // abstract sockets, signals

// The first 13 of these came with the first version.
std::uint64_t known_accesses(int version) {
  const int bits = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  return (std::uint64_t{1} << bits) - 1;
}

}  // namespace

int version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  return version < 0 ? 0 : static_cast<int>(version);
}

std::expected<int, std::string> make_ruleset() {
  const int version = landlock::version();
  const RulesetAttributes attributes{.handled_access_fs = known_accesses(version),
                                     .handled_access_net = version >= 4 ? kTcp : 0,
                                     .scoped = version >= 6 ? kScopes : 0};
  const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const long ruleset = ::syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
  if (ruleset < 0) return std::unexpected(std::string("Landlock: ") + std::strerror(errno));
  return static_cast<int>(ruleset);
}

void allow(int ruleset, const std::string& path, Access access) {
  const int place = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (place < 0) return;
  struct stat status{};
  std::uint64_t bits =
      kRead | (access == Access::write ? kWrite : 0) | (access == Access::read_or_write_device ? kWriteFile : 0);
  if (::fstat(place, &status) == 0 && !S_ISDIR(status.st_mode)) bits &= kExecute | kReadFile | kWriteFile | kTruncate;
  const PathBeneath rule{.allowed_access = bits & known_accesses(version()), .parent_fd = place};
  ::syscall(SYS_landlock_add_rule, ruleset, kRuleOfPath, &rule, 0);
  ::close(place);
}

int allow_reading_own_proc(int ruleset) noexcept {
  const int place = ::open("/proc/self", O_PATH | O_CLOEXEC);
  if (place < 0) return 0;  // there is no /proc: nothing to read
  const PathBeneath rule{.allowed_access = kReadFile | kReadDir, .parent_fd = place};
  const long added = ::syscall(SYS_landlock_add_rule, ruleset, kRuleOfPath, &rule, 0);
  const int error = errno;
  ::close(place);
  return added == 0 ? 0 : error;
}

int restrict_self(int ruleset) noexcept { return ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0 ? 0 : errno; }

}  // namespace fuhyo::usi::landlock
