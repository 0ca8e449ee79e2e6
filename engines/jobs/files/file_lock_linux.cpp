// A lock by flock(2).
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

#include "engines/jobs/files/file_lock.h"

namespace fuhyo::jobs {
namespace {

constexpr mode_t kFileMode = 0666;  // less what the umask takes, as of any file

std::string text_of(int error) { return std::generic_category().message(error); }

int lock(int fd) {
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

}  // namespace

// The lock belongs to the open file, not to the process: children that are started meanwhile do not have it
// (O_CLOEXEC), and two of one process keep each other away.
std::expected<FileLock, std::string> FileLock::take(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kFileMode);
  if (fd < 0) return std::unexpected(text_of(errno));
  FileLock taken(fd);
  const int error = lock(fd);
  if (error == EWOULDBLOCK) return std::unexpected("another process works with it");
  if (error != 0 && error != ENOSYS && error != ENOTSUP) return std::unexpected(text_of(error));
  return taken;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace fuhyo::jobs
