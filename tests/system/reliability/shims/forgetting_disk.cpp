// Preloaded: a disk that forgets what was not synced. Writes reach the files at once, so that every process sees them;
// beside each file lies, in the folder FUHYO_UNDO, what they replaced, and a sync of the file forgets that. After the
// program has been killed, forgetting_disk.py puts back what was never synced: the state that a power cut leaves. It
// also counts what touches the disk, and kills the process before the chosen one of these calls (control.h).
//
// Undo file "<device>-<inode>": the path and a NUL in the first 4096 bytes, from byte 4088 on where the valid records
// begin; then records of {offset, former size, bytes, 0} (four 64-bit numbers) and the bytes that stood there.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

#include "tests/system/reliability/shims/control.h"

namespace {

constexpr off_t kHead = 4096, kValid = 4088;
constexpr std::size_t kLongest = 1 << 20;

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

struct Real {
  ssize_t (*pwrite)(int, const void*, size_t, off_t) = next<decltype(pwrite)>("pwrite");
  ssize_t (*write)(int, const void*, size_t) = next<decltype(write)>("write");
  ssize_t (*pwritev)(int, const iovec*, int, off_t) = next<decltype(pwritev)>("pwritev");
  ssize_t (*writev)(int, const iovec*, int) = next<decltype(writev)>("writev");
  int (*ftruncate)(int, off_t) = next<decltype(ftruncate)>("ftruncate");
  int (*fsync)(int) = next<decltype(fsync)>("fsync");
  int (*fdatasync)(int) = next<decltype(fdatasync)>("fdatasync");
  int (*rename)(const char*, const char*) = next<decltype(rename)>("rename");
  int (*unlink)(const char*) = next<decltype(unlink)>("unlink");
};

const Real& real() {
  static const Real functions;
  return functions;
}

// One more call that touches the disk.
void touch() {
  auto* told = fuhyo::shim::control();
  if (told != nullptr && ++told->disk_calls == told->kill_at) ::kill(::getpid(), SIGKILL);
}

std::array<char, 4096> undo_name(const char* folder, const struct stat& file) {
  std::array<char, 4096> name{};
  std::snprintf(name.data(), name.size(), "%s/%lu-%lu", folder, file.st_dev, file.st_ino);
  return name;
}

// Of a regular file below FUHYO_DISK, where its undo file is; locked while it lives.
class Undo {
 public:
  enum class Use { write, sync };
  // A sync of a file that nobody has written to needs none.
  explicit Undo(int fd, Use use = Use::write) : fd_(fd) {
    const char* folder = std::getenv("FUHYO_UNDO");
    const char* disk = std::getenv("FUHYO_DISK");
    if (folder == nullptr || disk == nullptr || ::fstat(fd, &stat_) != 0 || !S_ISREG(stat_.st_mode)) return;
    std::array<char, 64> link{};
    std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", fd);
    std::array<char, kHead> head{};
    if (::readlink(link.data(), head.data(), kValid - 1) <= 0) return;
    if (std::strncmp(head.data(), disk, std::strlen(disk)) != 0) return;
    log_ = ::open(undo_name(folder, stat_).data(), O_RDWR | O_CLOEXEC | (use == Use::write ? O_CREAT : 0), 0666);
    if (log_ < 0) return;
    ::flock(log_, LOCK_EX);
    end_ = ::lseek(log_, 0, SEEK_END);
    if (end_ >= kHead) return;
    const off_t from = kHead;
    std::memcpy(head.data() + kValid, &from, sizeof from);
    real().pwrite(log_, head.data(), head.size(), 0);
    end_ = kHead;
  }
  ~Undo() {
    if (log_ >= 0) ::close(log_);
  }
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;

  off_t size() const { return stat_.st_size; }

  // Before `bytes` at `offset` are replaced or cut off.
  void keep(off_t offset, std::size_t bytes) {
    if (log_ < 0) return;
    do {
      std::vector<char> old(std::min(bytes, kLongest));
      const ssize_t got = ::pread(fd_, old.data(), old.size(), offset);
      record(offset, old.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
      offset += static_cast<off_t>(old.size());
      bytes -= old.size();
    } while (bytes > 0);
  }

  off_t end() const { return end_; }
  // What was recorded before `end` is on the disk now.
  void forget(off_t end) {
    if (log_ >= 0) real().pwrite(log_, &end, sizeof end, kValid);
  }

 private:
  void record(off_t offset, const char* old, std::size_t bytes) {
    const std::array<std::int64_t, 4> head = {offset, stat_.st_size, static_cast<std::int64_t>(bytes), 0};
    std::vector<char> whole(sizeof head + bytes);
    std::memcpy(whole.data(), head.data(), sizeof head);
    std::memcpy(whole.data() + sizeof head, old, bytes);
    real().pwrite(log_, whole.data(), whole.size(), end_);
    end_ += static_cast<off_t>(whole.size());
  }

  int fd_, log_ = -1;
  off_t end_ = 0;
  struct stat stat_{};
};

// A file that goes: whoever gets its inode next has nothing to put back.
void forget_inode(const char* path) {
  const char* folder = std::getenv("FUHYO_UNDO");
  struct stat found{};
  if (folder == nullptr || ::lstat(path, &found) != 0 || found.st_nlink > 1) return;
  real().unlink(undo_name(folder, found).data());
}

std::size_t total(const iovec* parts, int count) {
  std::size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  return bytes;
}

// Where write() writes.
off_t place_of(int fd, const Undo& undo) {
  return (::fcntl(fd, F_GETFL) & O_APPEND) != 0 ? undo.size() : ::lseek(fd, 0, SEEK_CUR);
}

int sync_with(int (*real_sync)(int), int fd) {
  touch();
  const auto* told = fuhyo::shim::control();
  if (told != nullptr && told->lying_syncs != 0) return 0;
  off_t before = 0;
  {
    const Undo undo(fd, Undo::Use::sync);
    before = undo.end();
  }
  const int result = real_sync(fd);
  if (result == 0 && before > 0) Undo(fd, Undo::Use::sync).forget(before);
  return result;
}

}  // namespace

extern "C" {

ssize_t pwrite(int fd, const void* from, size_t bytes, off_t offset) {
  touch();
  Undo undo(fd);
  undo.keep(offset, bytes);
  return real().pwrite(fd, from, bytes, offset);
}
ssize_t pwrite64(int fd, const void* from, size_t bytes, off_t offset) { return pwrite(fd, from, bytes, offset); }

ssize_t write(int fd, const void* from, size_t bytes) {
  Undo undo(fd);
  const off_t place = place_of(fd, undo);
  if (place >= 0) undo.keep(place, bytes);
  return real().write(fd, from, bytes);
}

ssize_t pwritev(int fd, const iovec* parts, int count, off_t offset) {
  touch();
  Undo undo(fd);
  undo.keep(offset, total(parts, count));
  return real().pwritev(fd, parts, count, offset);
}
ssize_t pwritev64(int fd, const iovec* parts, int count, off_t offset) { return pwritev(fd, parts, count, offset); }

ssize_t writev(int fd, const iovec* parts, int count) {
  Undo undo(fd);
  const off_t place = place_of(fd, undo);
  if (place >= 0) undo.keep(place, total(parts, count));
  return real().writev(fd, parts, count);
}

int ftruncate(int fd, off_t size) noexcept {
  touch();
  Undo undo(fd);
  undo.keep(size, size < undo.size() ? static_cast<size_t>(undo.size() - size) : 0);
  return real().ftruncate(fd, size);
}
int ftruncate64(int fd, off_t size) noexcept { return ftruncate(fd, size); }

int fsync(int fd) { return sync_with(real().fsync, fd); }
int fdatasync(int fd) { return sync_with(real().fdatasync, fd); }

int rename(const char* from, const char* to) noexcept {
  touch();
  forget_inode(to);
  return real().rename(from, to);
}
int unlink(const char* path) noexcept {
  touch();
  forget_inode(path);
  return real().unlink(path);
}

}  // extern "C"
