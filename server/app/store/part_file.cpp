#include "server/app/store/part_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace fuhyo::app {
namespace {

constexpr std::string_view kStandard = "-";

std::unexpected<std::string> because(int error) { return std::unexpected(std::string(std::strerror(error))); }

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

int sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return errno;
  const int error = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  return error;
}

constexpr const char* kThere = "is there already (--force replaces it)";

}  // namespace

std::expected<PartFile, std::string> PartFile::create(const std::string& path, bool replace) {
  if (path == kStandard) return PartFile(path, "", STDOUT_FILENO, true);
  if (!replace && is_there(path)) return std::unexpected(std::string(kThere));
  std::string part = path + ".part";
  // What a store holds is nobody else's: addresses, secrets of games that are played.
  const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return because(errno);
  return PartFile(path, std::move(part), fd, replace);
}

PartFile::PartFile(std::string path, std::string part, int fd, bool replace)
    : path_(std::move(path)), part_(std::move(part)), fd_(fd), replace_(replace) {}

PartFile::PartFile(PartFile&& other) noexcept
    : path_(std::move(other.path_)),
      part_(std::exchange(other.part_, {})),
      fd_(std::exchange(other.fd_, -1)),
      replace_(other.replace_) {}

PartFile::~PartFile() {
  if (part_.empty()) return;
  ::close(fd_);
  ::unlink(part_.c_str());
}

std::expected<void, std::string> PartFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return because(errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

std::expected<void, std::string> PartFile::finish() {
  if (part_.empty()) return {};
  if (::fsync(fd_) != 0) return because(errno);
  if (!replace_ && is_there(path_)) return std::unexpected(std::string(kThere));
  if (::rename(part_.c_str(), path_.c_str()) != 0) return because(errno);
  ::close(fd_);
  part_.clear();
  if (const int error = sync_folder_of(path_); error != 0) return because(error);
  return {};
}

std::expected<InputFile, std::string> InputFile::open(const std::string& path) {
  const int fd = path == kStandard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return because(errno);
  return InputFile(fd);
}

InputFile::InputFile(InputFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

InputFile::~InputFile() {
  if (fd_ > STDERR_FILENO) ::close(fd_);
}

std::expected<std::size_t, std::string> InputFile::read(std::span<char> room) {
  for (;;) {
    const ssize_t got = ::read(fd_, room.data(), room.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return because(errno);
  }
}

}  // namespace fuhyo::app
