#include "server/store/records/disk.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace fuhyo::store {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kUsualMode = 0644;  // less what the umask takes

std::unexpected<std::string> failed(std::string_view what, const fs::path& path, int error) {
  return std::unexpected(fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(error)));
}

class File {
 public:
  // A file system without modes keeps what it has.
  File(const fs::path& path, int flags, FileMode mode = {})
      : fd_(open(path.c_str(), flags | O_CLOEXEC, mode.value_or(kUsualMode))) {
    if (fd_ >= 0 && mode) std::ignore = fchmod(fd_, *mode);
  }
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool ok() const { return fd_ >= 0; }
  int fd() const { return fd_; }

 private:
  int fd_;
};

// 0 or the error.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

DiskResult write_with(const fs::path& path, std::string_view text, int flags, bool sync, FileMode mode = {}) {
  const File file(path, flags, mode);
  if (!file.ok()) return failed("open", path, errno);
  if (const int error = write_all(file.fd(), text)) return failed("write", path, error);
  if (sync && fsync(file.fd()) != 0) return failed("fsync", path, errno);
  return {};
}

DiskResult put_whole(const fs::path& path, std::string_view text, bool sync, FileMode mode) {
  fs::path temporary = path;
  temporary += ".tmp";
  auto written = write_with(temporary, text, O_WRONLY | O_CREAT | O_TRUNC, sync, mode);
  if (written && rename(temporary.c_str(), path.c_str()) != 0) written = failed("rename", temporary, errno);
  if (!written) unlink(temporary.c_str());
  return written;
}

DiskResult sync_path(const fs::path& path, int flags) {
  const File file(path, flags);
  if (!file.ok()) return failed("open", path, errno);
  if (fsync(file.fd()) != 0) return failed("fsync", path, errno);
  return {};
}

}  // namespace

DiskResult make_folder(const fs::path& folder, FileMode mode) {
  std::error_code error;
  std::vector<fs::path> made;
  if (mode) {
    for (fs::path each = folder; !each.empty() && !fs::exists(each, error); each = each.parent_path()) {
      made.push_back(each);
    }
  }
  fs::create_directories(folder, error);
  if (error) return std::unexpected(fmt::format("cannot create folder {}: {}", folder.string(), error.message()));
  for (const fs::path& each : made) {
    std::ignore = chmod(each.c_str(), *mode | S_IXUSR | (*mode & (S_IRUSR | S_IRGRP | S_IROTH)) >> 2);
  }
  return {};
}

DiskResult write_file(const fs::path& path, std::string_view text, FileMode mode) {
  return write_with(path, text, O_WRONLY | O_CREAT | O_TRUNC, false, mode);
}

DiskResult append_file(const fs::path& path, std::string_view text) {
  return write_with(path, text, O_WRONLY | O_APPEND, false);
}

DiskResult replace_file(const fs::path& path, std::string_view text, FileMode mode) {
  return put_whole(path, text, true, mode);
}

DiskResult put_file(const fs::path& path, std::string_view text, FileMode mode) {
  return put_whole(path, text, false, mode);
}

DiskResult sync_disk(const fs::path& folder) {
  const File file(folder, O_RDONLY | O_DIRECTORY);
  if (!file.ok()) return failed("open", folder, errno);
  if (syncfs(file.fd()) != 0) return failed("sync", folder, errno);
  return {};
}

DiskResult sync_file(const fs::path& path) { return sync_path(path, O_RDONLY); }

DiskResult sync_folder(const fs::path& folder) { return sync_path(folder, O_RDONLY | O_DIRECTORY); }

DiskResult truncate_file(const fs::path& path, std::uint64_t size) {
  if (truncate(path.c_str(), static_cast<off_t>(size)) != 0) return failed("truncate", path, errno);
  return {};
}

std::expected<std::string, std::string> read_file(const fs::path& path, std::uint64_t offset) {
  const File file(path, O_RDONLY);
  if (!file.ok()) {
    if (errno == ENOENT) return std::string();
    return failed("open", path, errno);
  }
  if (lseek(file.fd(), static_cast<off_t>(offset), SEEK_SET) < 0) return failed("read", path, errno);
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t n = read(file.fd(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed("read", path, errno);
    if (n == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

std::uint64_t file_size_or_zero(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : size;
}

}  // namespace fuhyo::store
