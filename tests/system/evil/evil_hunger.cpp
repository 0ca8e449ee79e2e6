#include "tests/system/evil/evil_hunger.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace fuhyo::test {
namespace {

constexpr std::size_t kPiece = std::size_t{16} << 20, kPage = 4096;
constexpr int kPieces = 32;
// Later than the headers of the oldest system that this is built on.
constexpr long kMemfdSecret = 447;

// Done if it has been held for long.
int hold() {
  ::sleep(kHeld_s / 2);
  return 0;
}

int in_children(int count, int (*act)()) {
  for (int i = 0; i < count; ++i) {
    const pid_t child = ::fork();
    if (child < 0) return errno;
    if (child != 0) continue;
    act();
    ::sleep(kHeld_s);
    ::_exit(0);
  }
  return hold();
}

int bomb_of_processes() {
  for (int begun = 0; begun < 400; ++begun) {
    const pid_t child = ::fork();
    if (child < 0) return errno;
    if (child == 0) {
      ::sleep(kHeld_s);
      ::_exit(0);
    }
    ::usleep(2'000);
  }
  return hold();
}

int bomb_of_threads() {
  for (int begun = 0; begun < 400; ++begun) {
    try {
      std::thread([] { std::this_thread::sleep_for(std::chrono::seconds(kHeld_s)); }).detach();
    } catch (const std::system_error& error) {
      return error.code().value();
    }
    ::usleep(2'000);
  }
  return hold();
}

int eat_anonymous() {
  for (int piece = 0; piece < kPieces; ++piece) {
    void* const memory = ::mmap(nullptr, kPiece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return errno;
    std::memset(memory, 1, kPiece);
    ::usleep(10'000);
  }
  return hold();
}

// What is shared stays in memory when its pages are given up here: no process has them, and no count of processes.
int eat_shared(int file, int protection, int flags) {
  for (int piece = 0; piece < kPieces; ++piece) {
    void* const memory = ::mmap(nullptr, kPiece, protection, MAP_SHARED | flags, file, 0);
    if (memory == MAP_FAILED) return errno;
    for (std::size_t at = 0; at < kPiece; at += kPage) {
      volatile char* const byte = static_cast<char*>(memory) + at;
      if ((protection & PROT_WRITE) != 0) *byte = 1;
      [[maybe_unused]] const char touched = *byte;
    }
    if (::madvise(memory, kPiece, MADV_DONTNEED) != 0) return errno;
  }
  return hold();
}

int eat_forgotten() { return eat_shared(-1, PROT_READ | PROT_WRITE, MAP_ANONYMOUS); }

int eat_by_zero_device() {
  const int file = ::open("/dev/zero", O_RDONLY);
  return file < 0 ? errno : eat_shared(file, PROT_READ, 0);
}

// A file without a name that is mapped nowhere.
int eat_by_memory_file() {
  const int file = ::memfd_create("evil", 0);
  if (file < 0) return errno;
  static std::array<char, 1 << 20> block;
  for (int i = 0; i < kPieces * 16; ++i) {
    if (::write(file, block.data(), block.size()) < 0) return errno;
  }
  return hold();
}

int ask_for_huge_pages() {
  constexpr std::size_t kHuge = std::size_t{2} << 20;
  void* const memory = ::mmap(nullptr, kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
  return memory == MAP_FAILED ? errno : error_of(::munmap(memory, kHuge));
}

// Each child is far below the limit, and its first thread, by which a process is known, has ended.
void* eat_and_stay(void*) {
  constexpr std::size_t kSome = std::size_t{60} << 20;
  void* const memory = ::mmap(nullptr, kSome, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) std::memset(memory, 1, kSome);
  ::sleep(kHeld_s);
  ::_exit(0);
}
int lose_head() {
  pthread_t thread;
  if (::pthread_create(&thread, nullptr, eat_and_stay, nullptr) != 0) ::_exit(1);
  ::pthread_exit(nullptr);
}

// Its parent has ended: it is nobody's.
int become_orphan() {
  if (::fork() != 0) ::_exit(0);
  eat_and_stay(nullptr);
  return 0;
}

// A page of tables for each page of zeros, which are all the same one.
int eat_by_page_tables() {
  constexpr std::size_t kWide = std::size_t{15} << 30, kPerTable = std::size_t{2} << 20;
  void* const wide = ::mmap(nullptr, kWide, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (wide == MAP_FAILED) return errno;
  ::madvise(wide, kWide, MADV_NOHUGEPAGE);
  for (std::size_t at = 0; at < kWide; at += kPerTable) {
    [[maybe_unused]] const char touched = static_cast<volatile const char*>(wide)[at];
  }
  return 0;
}

int eat_by_sockets() {
  constexpr int kMost = 1 << 30;
  static std::array<char, 64 << 10> block;
  for (int pair = 0; pair < 100; ++pair) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) return errno;
    for (const int end : ends) {
      ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &kMost, sizeof kMost);
      while (::send(end, block.data(), block.size(), 0) > 0) {
      }
    }
  }
  return 0;
}

int on_a_pipe(long (*act)(int end)) {
  int ends[2];
  return ::pipe(ends) != 0 ? errno : error_of(act(ends[1]));
}

int widen_pipe() {
  return on_a_pipe([](int end) -> long { return ::fcntl(end, F_SETPIPE_SZ, 1 << 20); });
}

// A pipe keeps pages that no process has any more.
int leave_pages_in_pipe() {
  return on_a_pipe([](int end) -> long {
    static char byte = 1;
    iovec piece{.iov_base = &byte, .iov_len = 1};
    return ::vmsplice(end, &piece, 1, 0);
  });
}

int splice_file() {
  return on_a_pipe(
      [](int end) -> long { return ::splice(::open("/proc/self/exe", O_RDONLY), nullptr, end, nullptr, kPage, 0); });
}

int send_file() {
  return on_a_pipe([](int end) -> long { return ::sendfile(end, ::open("/proc/self/exe", O_RDONLY), nullptr, kPage); });
}

// ---- what outlives its process ----

int keep_shared_memory() {
  return then(::shmget(IPC_PRIVATE, kPage, 0600), [](int id) { return ::shmctl(id, IPC_RMID, nullptr); });
}
int keep_messages() {
  return then(::msgget(IPC_PRIVATE, 0600), [](int id) { return ::msgctl(id, IPC_RMID, nullptr); });
}
int keep_semaphores() {
  return then(::semget(IPC_PRIVATE, 1, 0600), [](int id) { return ::semctl(id, 0, IPC_RMID); });
}
int keep_posix_messages() {
  return then(::mq_open("/fuhyo-evil", O_RDWR | O_CREAT, 0600, nullptr),
              [](mqd_t) { return ::mq_unlink("/fuhyo-evil"); });
}

// ---- out of sight of who counts ----

// A thread whose descriptors are not its process's.
int thread_apart() {
  alignas(16) static std::array<char, 64 << 10> stack;
  const auto stay = [](void*) -> int {
    while (true) ::pause();
  };
  return error_of(::clone(stay, stack.data() + stack.size(), CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, nullptr));
}

int descriptors_of_its_own() { return error_of(::syscall(SYS_close_range, 1000, 1000, 2 /* unshare */)); }

int hide_from_counting() { return error_of(::prctl(PR_SET_DUMPABLE, 0)); }

}  // namespace

const std::map<std::string, int (*)()>& hunger_attempts() {
  static const std::map<std::string, int (*)()> attempts = {
      {"processes", bomb_of_processes},
      {"threads", bomb_of_threads},
      {"memory", eat_anonymous},
      {"shared-memory", eat_forgotten},
      {"zero-device", eat_by_zero_device},
      {"memory-file", eat_by_memory_file},
      {"secret-memory", [] { return error_of(::syscall(kMemfdSecret, 0)); }},
      {"huge-pages", ask_for_huge_pages},
      {"headless-memory", [] { return in_children(8, lose_head); }},
      {"orphaned-memory", [] { return in_children(8, become_orphan); }},
      {"page-tables", [] { return in_children(12, eat_by_page_tables); }},
      {"sockets", [] { return in_children(12, eat_by_sockets); }},
      {"wide-pipe", widen_pipe},
      {"pages-in-pipe", leave_pages_in_pipe},
      {"splice", splice_file},
      {"sendfile", send_file},
      {"shm", keep_shared_memory},
      {"messages", keep_messages},
      {"semaphores", keep_semaphores},
      {"posix-messages", keep_posix_messages},
      {"own-descriptors", descriptors_of_its_own},
      {"thread-apart", thread_apart},
      {"undumpable", hide_from_counting},
      {"leave-orphans", [] { return error_of(::prctl(PR_SET_CHILD_SUBREAPER, 0)); }},
  };
  return attempts;
}

}  // namespace fuhyo::test
