// Memory as Linux has it. What processes agree on is a lock on the file (flock): who uses it holds it shared, and who
// gets it alone when it is done is the last one and removes the file.
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <new>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "engines/machine/memory.h"

namespace fuhyo::machine {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
// Somebody may remove the file between two steps of ours.
constexpr int kAttempts = 4;

std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

// Whole huge pages where there is more than one.
std::size_t mapped_size(std::size_t size) { return size >= kHugePage ? round_up(size, kHugePage) : size; }

class File {
 public:
  explicit File(int number) : number_(number) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (number_ >= 0) ::close(number_);
  }
  explicit operator bool() const { return number_ >= 0; }
  int operator*() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

// A name for a content; equal names are no proof.
std::uint64_t digest(const std::byte* data, std::size_t size) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  std::uint64_t sums[4] = {1, 2, 3, 4};
  std::size_t at = 0;
  for (; at + sizeof sums <= size; at += sizeof sums) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      std::uint64_t word;
      std::memcpy(&word, data + at + lane * sizeof word, sizeof word);
      sums[lane] = (sums[lane] ^ word) * kFactor;
      sums[lane] ^= sums[lane] >> 29;
    }
  }
  std::uint64_t sum = size;
  for (; at < size; ++at) sum = (sum ^ static_cast<std::uint64_t>(data[at])) * kFactor;
  for (const std::uint64_t lane : sums) sum = (sum ^ lane) * kFactor;
  return sum ^ sum >> 32;
}

std::byte* map(int file, std::size_t size, int protection) {
  const int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void* const data = ::mmap(nullptr, mapped_size(size), protection, flags, file, 0);
  if (data == MAP_FAILED) return nullptr;
  ::madvise(data, mapped_size(size), MADV_HUGEPAGE);  // a wish
  return static_cast<std::byte*>(data);
}

void unmap(const std::byte* data, std::size_t size) { ::munmap(const_cast<std::byte*>(data), mapped_size(size)); }

// The file with this content, locked; nothing if it could not be made. Its pages are taken at once: a full memory file
// system must not kill whoever touches them later.
bool create(const std::string& path, const Memory& memory) {
  const std::string unfinished = fmt::format("{}.{}", path, ::getpid());
  const File file(::open(unfinished.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0400));
  if (!file) return false;
  bool done = false;
  if (::posix_fallocate(*file, 0, static_cast<off_t>(mapped_size(memory.size()))) == 0) {
    if (std::byte* const data = map(*file, memory.size(), PROT_READ | PROT_WRITE)) {
      std::memcpy(data, memory.data(), memory.size());
      unmap(data, memory.size());
      done = ::link(unfinished.c_str(), path.c_str()) == 0 || errno == EEXIST;
    }
  }
  ::unlink(unfinished.c_str());
  return done;
}

// What stands under the path is the file that is open.
bool still_there(int file, const std::string& path) {
  struct stat open{};
  struct stat named{};
  return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

// Only what this user made, and nobody else could have written.
bool trusted(int file, std::size_t size) {
  struct stat status{};
  return ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & 0077) == 0 && status.st_size == static_cast<off_t>(mapped_size(size));
}

enum class Attached : std::uint8_t { yes, retry, never };

Attached attach(const std::string& path, const Memory& memory, File& file, std::byte*& data) {
  if (::flock(*file, LOCK_SH | LOCK_NB) != 0 || !still_there(*file, path)) return Attached::retry;
  if (!trusted(*file, memory.size())) return Attached::never;
  data = map(*file, memory.size(), PROT_READ);
  if (data == nullptr) return Attached::never;
  if (std::memcmp(data, memory.data(), memory.size()) == 0) return Attached::yes;
  unmap(data, memory.size());
  return Attached::never;
}

}  // namespace

std::unique_ptr<Memory> Memory::allocate(std::size_t size) {
  std::byte* const data = map(-1, size, PROT_READ | PROT_WRITE);
  if (data == nullptr) throw std::bad_alloc();
  return std::unique_ptr<Memory>(new Memory(data, size, -1, {}));
}

std::unique_ptr<const Memory> Memory::share(std::unique_ptr<const Memory> memory) {
  const std::string path = fmt::format("/dev/shm/fuhyo-network-{}-{:016x}-{}", ::geteuid(),
                                       digest(memory->data(), memory->size()), memory->size());
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file) {
      if (errno != ENOENT || !create(path, *memory)) return memory;
      continue;
    }
    std::byte* data = nullptr;
    const Attached attached = attach(path, *memory, file, data);
    if (attached == Attached::never) return memory;
    if (attached == Attached::yes) {
      return std::unique_ptr<const Memory>(new Memory(data, memory->size(), file.release(), path));
    }
  }
  return memory;
}

Memory::~Memory() {
  unmap(data_, size_);
  if (!shared()) return;
  const File file(file_);
  if (::flock(*file, LOCK_EX | LOCK_NB) == 0 && still_there(*file, path_)) ::unlink(path_.c_str());
}

}  // namespace fuhyo::machine
