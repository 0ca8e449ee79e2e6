// An engine that tries to do what no engine may, once, when it is asked whether it is ready, and then plays on as if
// nothing had been. What came of it is told in a line: "info string evil NAME: DONE" or "...: refused (why)".
//
//   evil_engine NAME PID PORT FOLDER SOCKET [exit]     PID: of the server, FOLDER: its data, SOCKET: its
//   administration;
//                                                      exit: with status 41 instead if it was refused, 42 if it was
//                                                      done
//   evil_engine --list                                 the names
#include <arpa/inet.h>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <map>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "tests/support/shuffling_rook.h"
#include "tests/system/evil/evil_hunger.h"

namespace {

namespace test = fuhyo::test;

struct Target {
  pid_t server = 0;
  int port = 0;
  std::string folder, socket;
  std::string file() const { return folder + "/fuhyo.db"; }
  std::string key() const { return folder + "/secret.key"; }
};

// 0: it could be done. Else errno.
using Attempt = int (*)(const Target&);
using test::error_of;
using test::then;

int open_and_use(const std::string& path, int flags) {
  return then(::open(path.c_str(), flags, 0600), [flags](int file) {
    char byte = 'x';
    return (flags & O_ACCMODE) != O_RDONLY ? ::write(file, &byte, 1) : ::read(file, &byte, 1);
  });
}

int leave_a_file(const std::string& path) {
  const int error = open_and_use(path, O_WRONLY | O_CREAT | O_EXCL);
  if (error == 0) ::unlink(path.c_str());
  return error;
}

template <class Address>
int call(int family, const Address& to) {
  return then(::socket(family, SOCK_STREAM, 0),
              [&to](int line) { return ::connect(line, reinterpret_cast<const sockaddr*>(&to), sizeof to); });
}

int call_server(const Target& target) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(target.port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return call(AF_INET, to);
}

int call_admin(const Target& target) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::strncpy(to.sun_path, target.socket.c_str(), sizeof to.sun_path - 1);
  return call(AF_UNIX, to);
}

std::string own_folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path().string(); }

int read_memory(const Target& target) {
  std::uint64_t word = 0;
  iovec here{.iov_base = &word, .iov_len = sizeof word};
  iovec there{.iov_base = reinterpret_cast<void*>(&here), .iov_len = sizeof word};
  // Where nothing is mapped is as good: it was allowed to ask.
  const ssize_t got = ::process_vm_readv(target.server, &here, 1, &there, 1, 0);
  return got < 0 && errno != EFAULT ? errno : 0;
}

int renice_server(const Target& target) {
  errno = 0;
  const int nice = ::getpriority(PRIO_PROCESS, static_cast<id_t>(target.server));
  if (errno != 0) return errno;
  return error_of(::setpriority(PRIO_PROCESS, static_cast<id_t>(target.server), nice + 1));
}

int move_server(const Target& target) {
  cpu_set_t cores;
  if (::sched_getaffinity(target.server, sizeof cores, &cores) != 0) return errno;
  return error_of(::sched_setaffinity(target.server, sizeof cores, &cores));
}

// More cores for itself than it was given.
int widen_itself(const Target&) {
  cpu_set_t before, all, after;
  CPU_ZERO(&all);
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) CPU_SET(core, &all);
  if (::sched_getaffinity(0, sizeof before, &before) != 0) return errno;
  ::sched_setaffinity(0, sizeof all, &all);
  ::sched_setaffinity(::getpid(), sizeof all, &all);
  ::pthread_setaffinity_np(::pthread_self(), sizeof all, &all);
  if (::sched_getaffinity(0, sizeof after, &after) != 0) return errno;
  return CPU_COUNT(&after) > CPU_COUNT(&before) ? 0 : EPERM;
}

int limit_server(const Target& target) {
  rlimit limit{};
  if (::prlimit(target.server, RLIMIT_NOFILE, nullptr, &limit) != 0) return errno;
  return error_of(::prlimit(target.server, RLIMIT_NOFILE, &limit, nullptr));
}

// What came of it there.
int in_a_child(int (*act)()) {
  const pid_t child = ::fork();
  if (child < 0) return errno;
  if (child == 0) ::_exit(act());
  int status = 0;
  return ::waitpid(child, &status, 0) < 0 ? errno : WEXITSTATUS(status);
}

// A child that goes on for ever. Its command line gives it away: it is this one's.
int stay(bool daemon) {
  const pid_t child = ::fork();
  if (child < 0) return errno;
  if (child != 0) return 0;
  if (daemon) ::setsid();
  ::prctl(PR_SET_PDEATHSIG, 0);
  if (daemon && ::fork() != 0) ::_exit(0);
  for (int fd = 0; fd < 64; ++fd) ::close(fd);
  while (true) {
    if (!daemon) continue;
    ::sleep(1);
  }
}

int find_inherited(const Target&) {
  for (int fd = 3; fd < 1024; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) return 0;
  }
  return ENOENT;
}

int allow_core_dumps(const Target&) {
  const rlimit all{.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
  return error_of(::setrlimit(RLIMIT_CORE, &all));
}

int load_bpf(const Target&) {
  bpf_attr attributes{};
  attributes.map_type = BPF_MAP_TYPE_ARRAY;
  attributes.key_size = attributes.value_size = 4;
  attributes.max_entries = 1;
  return error_of(::syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes));
}

int begin_io_uring(const Target&) {
  io_uring_params parameters{};
  return error_of(::syscall(SYS_io_uring_setup, 2, &parameters));
}

int count_events(const Target&) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  return error_of(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

// What comes of the act on the file's status.
template <class Act>
int with_status(const std::string& path, Act act) {
  struct stat status{};
  return ::stat(path.c_str(), &status) != 0 ? errno : error_of(act(status));
}

int change_mode(const Target& target) {
  return with_status(target.file(),
                     [&](const struct stat& status) { return ::chmod(target.file().c_str(), status.st_mode); });
}

int truncate_it(const Target& target) {
  return with_status(target.file(),
                     [&](const struct stat& status) { return ::truncate(target.file().c_str(), status.st_size); });
}

int size_of(const std::string& path) {
  return with_status(path, [](const struct stat&) { return 0; });
}

int move_away(const Target& target) {
  const std::string aside = target.file() + ".aside";
  if (::rename(target.file().c_str(), aside.c_str()) != 0) return errno;
  return error_of(::rename(aside.c_str(), target.file().c_str()));
}

int list_folder(const Target& target) {
  std::error_code error;
  const std::filesystem::directory_iterator list(target.folder, error);
  return error.value();
}

int mount_something(const Target& target) {
  if (::mount("none", target.folder.c_str(), "tmpfs", 0, "size=4k") != 0) return errno;
  ::umount2(target.folder.c_str(), MNT_DETACH);
  return 0;
}

int watch_folder(const Target&) {
  return then(::inotify_init1(IN_CLOEXEC),
              [](int watch) { return ::inotify_add_watch(watch, own_folder().c_str(), IN_ALL_EVENTS); });
}

int watch_as_of_old(const Target&) {
  return then(::open(own_folder().c_str(), O_RDONLY | O_DIRECTORY),
              [](int folder) { return ::fcntl(folder, F_NOTIFY, DN_CREATE); });
}

// Told when somebody else opens it.
int lease_file(const Target&) {
  return then(::open("/proc/self/exe", O_RDONLY), [](int file) { return ::fcntl(file, F_SETLEASE, F_RDLCK); });
}

std::string proc(const Target& target, const std::string& file) {
  return "/proc/" + std::to_string(target.server) + "/" + file;
}

const std::map<std::string, Attempt> kAttempts = {
    {"inet", [](const Target&) { return error_of(::socket(AF_INET, SOCK_STREAM, 0)); }},
    {"netlink", [](const Target&) { return error_of(::socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE)); }},
    {"packet", [](const Target&) { return error_of(::socket(AF_PACKET, SOCK_RAW, 0)); }},
    {"port", call_server},
    {"admin", call_admin},
    {"write-tmp", [](const Target&) { return leave_a_file("/tmp/evil-" + std::to_string(::getpid())); }},
    {"write-own", [](const Target&) { return leave_a_file(own_folder() + "/evil-left-this"); }},
    {"write-data", [](const Target& target) { return leave_a_file(target.folder + "/evil"); }},
    {"write-shm", [](const Target&) { return leave_a_file("/dev/shm/evil-" + std::to_string(::getpid())); }},
    {"shadow", [](const Target&) { return open_and_use("/etc/shadow", O_RDONLY); }},
    {"database", [](const Target& target) { return open_and_use(target.file(), O_RDONLY); }},
    {"write-database", [](const Target& target) { return error_of(::open(target.file().c_str(), O_RDWR)); }},
    {"key", [](const Target& target) { return open_and_use(target.key(), O_RDONLY); }},
    {"list-data", list_folder},
    {"mode", change_mode},
    {"owner", [](const Target& target) { return error_of(::chown(target.file().c_str(), ::getuid(), ::getgid())); }},
    {"times", [](const Target& target) { return error_of(::utimes(target.file().c_str(), nullptr)); }},
    {"truncate", truncate_it},
    {"size", [](const Target& target) { return size_of(target.file()); }},
    {"size-of-key", [](const Target& target) { return size_of(target.key()); }},
    {"watch", watch_folder},
    {"watch-as-of-old", watch_as_of_old},
    {"watch-all", [](const Target&) { return error_of(::syscall(SYS_fanotify_init, 0, O_RDONLY)); }},
    {"lease", lease_file},
    {"rename", move_away},
    {"ptrace", [](const Target& target) { return error_of(::ptrace(PTRACE_SEIZE, target.server, nullptr, nullptr)); }},
    {"signal", [](const Target& target) { return error_of(::kill(target.server, SIGWINCH)); }},
    {"signal-all", [](const Target&) { return error_of(::kill(-1, SIGWINCH)); }},
    {"proc-mem", [](const Target& target) { return error_of(::open(proc(target, "mem").c_str(), O_RDONLY)); }},
    {"proc-environ", [](const Target& target) { return open_and_use(proc(target, "environ"), O_RDONLY); }},
    {"proc-cmdline", [](const Target& target) { return open_and_use(proc(target, "cmdline"), O_RDONLY); }},
    {"read-memory", read_memory},
    {"environment", [](const Target&) { return std::getenv("FUHYO_TEST_SECRET") != nullptr ? 0 : ENOENT; }},
    {"renice", renice_server},
    {"hurry", [](const Target&) { return error_of(::setpriority(PRIO_PROCESS, 0, -5)); }},
    {"affinity", move_server},
    {"cores", widen_itself},
    {"limits", limit_server},
    {"session", [](const Target&) { return in_a_child([] { return error_of(::setsid()); }); }},
    {"group", [](const Target&) { return in_a_child([] { return error_of(::setpgid(0, 0)); }); }},
    {"outlive", [](const Target&) { return error_of(::prctl(PR_SET_PDEATHSIG, 0)); }},
    {"inherited", find_inherited},
    {"core", allow_core_dumps},
    {"mount", mount_something},
    {"bpf", load_bpf},
    {"io-uring", begin_io_uring},
    {"perf", count_events},
    {"userfault", [](const Target&) { return error_of(::syscall(SYS_userfaultfd, 0)); }},
    {"keys", [](const Target&) { return error_of(::syscall(SYS_keyctl, 0, -3, 1)); }},
    {"unshare", [](const Target&) { return error_of(::unshare(CLONE_NEWUSER)); }},
    {"hostname", [](const Target&) { return error_of(::sethostname("evil", 4)); }},
    {"chroot", [](const Target&) { return error_of(::chroot("/")); }},
};

// These leave something behind that goes on: whether it does is for whoever started the server to see.
const std::map<std::string, Attempt> kLingering = {
    {"spin", [](const Target&) { return stay(false); }},
    {"daemon", [](const Target&) { return stay(true); }},
};

const auto& kHunger = test::hunger_attempts();

bool is_known(const std::string& name) {
  return kAttempts.contains(name) || kLingering.contains(name) || kHunger.contains(name);
}

int carry_out(const std::string& name, const Target& target) {
  if (const auto hungry = kHunger.find(name); hungry != kHunger.end()) return hungry->second();
  return (kAttempts.contains(name) ? kAttempts : kLingering).at(name)(target);
}

std::string attempt(const std::string& name, const Target& target) {
  const int error = carry_out(name, target);
  return "info string evil " + name + (error == 0 ? ": DONE" : std::string(": refused (") + std::strerror(error) + ")");
}

void say(const std::string& text) { std::cout << text << std::endl; }

void play(const std::string& name, const Target& target, bool exits) {
  bool tried = false;
  std::string position;
  for (std::string line; std::getline(std::cin, line) && line != "quit";) {
    if (line == "usi") say("id name Evil " + name + "\nusiok");
    if (line == "isready" && !std::exchange(tried, true)) {
      const std::string told = attempt(name, target);
      if (exits) ::_exit(told.ends_with("DONE") ? 42 : 41);
      say(told);
    }
    if (line == "isready") say("readyok");
    if (line.starts_with("position ")) position = line;
    if (line.starts_with("go")) say("bestmove " + test::shuffle(position));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--list") {
    for (const auto& list : {kAttempts, kLingering}) {
      for (const auto& [name, tries] : list) say(name);
    }
    for (const auto& [name, tries] : kHunger) say(name);
    return 0;
  }
  if (argc < 6 || !is_known(argv[1])) return 2;
  const Target target{.server = std::atoi(argv[2]), .port = std::atoi(argv[3]), .folder = argv[4], .socket = argv[5]};
  play(argv[1], target, argc > 6);
}
