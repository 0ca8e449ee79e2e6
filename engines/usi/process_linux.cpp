// ChildProcess for Linux: fork and exec with a process group, a socket and a pipe, and a reader thread a child.
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <utility>

#include "engines/usi/process.h"
#include "engines/usi/process_output.h"
#include "engines/usi/process_prepared_sandbox_linux.h"
#include "engines/usi/process_share_linux.h"
#include "engines/usi/process_tree_linux.h"

namespace fuhyo::usi {
namespace {

using Clock = std::chrono::steady_clock;

// How often what a sandboxed process uses is looked at, and at most what any says on its standard error.
constexpr int kWatch_ms = 100;

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { reset(); }
  void reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

// The ends of a child's standard streams. Its input is a socket, not a pipe: a pipe whose reader has died raises
// SIGPIPE in the writer, and a library has no business changing signal handling.
struct Streams {
  Fd in_ours, in_child, out_ours, out_child;
  Fd err_ours, err_child;  // none: that of this process
};

std::expected<Streams, std::string> open_streams(bool show_stderr) {
  int in[2], out[2], err[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0) {
    return std::unexpected(std::string("socketpair: ") + std::strerror(errno));
  }
  Streams streams;
  streams.in_ours = Fd(in[0]);
  streams.in_child = Fd(in[1]);
  if (::pipe2(out, O_CLOEXEC) != 0) return std::unexpected(std::string("pipe: ") + std::strerror(errno));
  streams.out_ours = Fd(out[0]);
  streams.out_child = Fd(out[1]);
  ::fcntl(streams.in_ours.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(streams.out_ours.get(), F_SETFL, O_NONBLOCK);
  if (show_stderr) return streams;
  // What does not fit is lost: nobody waits for a reader of it.
  if (::pipe2(err, O_CLOEXEC | O_NONBLOCK) != 0) return std::unexpected(std::string("pipe: ") + std::strerror(errno));
  streams.err_ours = Fd(err[0]);
  streams.err_child = Fd(err[1]);
  return streams;
}

// What the child needs between fork and exec, prepared before: only async-signal-safe calls are allowed there.
struct Launch {
  std::vector<char*> argv;
  const char* working_dir = nullptr;
  int nice = 0;
  int group = -1;                  // what puts it into its group of processes
  std::optional<cpu_set_t> cores;  // nothing: all
  bool leisurely = false;
  int in = -1, out = -1, err = -1, report = -1, report_ours = -1;
  PreparedSandbox* sandbox = nullptr;  // null: no sandbox
};

[[noreturn]] void fail_in_child(int report, int error) {
  [[maybe_unused]] const ssize_t ignored = ::write(report, &error, sizeof error);
  ::_exit(127);
}

// A core that is not there, or not allowed, leaves the child where it was: a wish, not a condition.
void bind_to(pid_t task, const cpu_set_t& cores) { ::sched_setaffinity(task, sizeof cores, &cores); }

std::optional<cpu_set_t> set_of(const std::vector<int>& cores) {
  if (cores.empty()) return std::nullopt;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(static_cast<std::size_t>(core), &set);
  return set;
}

// Where that is not allowed, niceness has to do.
void yield_to_all() {
  const sched_param none{};
  ::sched_setscheduler(0, SCHED_IDLE, &none);
}

void reset_signals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  std::ignore = ::signal(SIGPIPE, SIG_DFL);  // it cannot fail
}

// Nobody holds the other end of the report any more. (A process in a namespace of its own cannot ask for its parent.)
bool is_orphan(const Launch& launch) {
  ::close(launch.report_ours);
  pollfd fd = {launch.report, 0, 0};
  return ::poll(&fd, 1, 0) > 0 && (fd.revents & POLLERR) != 0;
}

[[noreturn]] void run_child(const Launch& launch) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (is_orphan(launch)) ::_exit(127);  // the parent died before the line above
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // What it may use is a wish as well: the group may be gone.
  if (launch.group >= 0) [[maybe_unused]]
    const ssize_t ignored = ::write(launch.group, "0", 1);
  if (launch.nice != 0) ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + launch.nice);
  if (launch.leisurely) yield_to_all();
  if (launch.cores) bind_to(0, *launch.cores);
  reset_signals();
  if (launch.working_dir != nullptr && ::chdir(launch.working_dir) != 0) fail_in_child(launch.report, errno);
  ::dup2(launch.in, STDIN_FILENO);
  ::dup2(launch.out, STDOUT_FILENO);
  if (launch.err >= 0) ::dup2(launch.err, STDERR_FILENO);
  // Everything else that this process has open is none of the engine's business, marked close-on-exec or not.
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  // What it starts stays below it, where it is counted, also when what is between has ended.
  if (launch.sandbox != nullptr) ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (launch.sandbox == nullptr) {
    ::execvp(launch.argv[0], launch.argv.data());
  } else if (const int error = launch.sandbox->enter(); error != 0) {
    fail_in_child(launch.report, error);
  } else {
    ::execvpe(launch.argv[0], launch.argv.data(), launch.sandbox->environment());
  }
  fail_in_child(launch.report, errno);
}

std::string describe_exit(int status) {
  if (WIFEXITED(status)) return "exit status " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return "killed by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  }
  return "ended";
}

class LinuxChild final : public ChildProcess {
 public:
  LinuxChild(pid_t pid, Streams streams, Fd wake, ShareGroup group, const Options& options, Events events)
      : pid_(pid),
        group_(std::move(group)),
        in_(std::move(streams.in_ours)),
        out_(std::move(streams.out_ours)),
        err_(std::move(streams.err_ours)),
        wake_(std::move(wake)),
        output_(options.line_limit, options.bytes_per_second),
        sandbox_(options.sandbox),
        events_(std::move(events)),
        reader_([this] { read_until_closed(); }) {}

  ~LinuxChild() override {
    kill();
    reader_.join();
  }

  bool write_line(std::string_view line) override {
    const std::lock_guard lock(mutex_);
    if (in_.get() < 0 || unread_.size() + line.size() >= kMostUnread) return false;
    unread_ += line;
    unread_ += '\n';
    if (!write_unread()) return false;
    if (!unread_.empty()) wake();  // the reader writes the rest
    return true;
  }

  // A thread that begins meanwhile has the cores of the one that begins it, so that another look finds all.
  void bind(const std::vector<int>& cores) override {
    const auto set = set_of(cores);
    if (!set || kill_requested_) return;
    for (std::size_t known = 0, looks = 0; looks < 3; ++looks) {
      const std::vector<pid_t> tasks = tasks_of_tree(pid_);
      for (const pid_t task : tasks) bind_to(task, *set);
      if (std::exchange(known, tasks.size()) == tasks.size()) return;
    }
  }

  void close_input() override {
    const std::lock_guard lock(mutex_);
    in_.reset();
  }

  void kill() override {
    kill_requested_ = true;
    wake();
  }

 private:
  void wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);
  }

  // What the socket has room for. False: the child is gone. With the mutex held.
  bool write_unread() {
    while (!unread_.empty()) {
      const ssize_t written = ::send(in_.get(), unread_.data(), unread_.size(), MSG_NOSIGNAL);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0 && errno == EAGAIN) return true;
      if (written < 0) return unread_.clear(), false;
      unread_.erase(0, static_cast<std::size_t>(written));
    }
    return true;
  }

  // Its input, while something waits to be written to it; otherwise -1.
  int input_to_write() {
    const std::lock_guard lock(mutex_);
    return unread_.empty() ? -1 : in_.get();
  }

  void read_until_closed() {
    const std::string why = read_lines();
    std::string end = reap(why.empty());
    {
      const std::lock_guard lock(mutex_);  // not before: the end of its input might end one that has closed its output
      in_.reset();
    }
    read_words();
    if (const std::string words = last_words_.text(); !words.empty()) end += "; its last words: " + words;
    if (group_.ran_out_of_memory()) end = too_much_memory();
    events_.closed(why.empty() ? end : why);
  }

  // Delivers lines until the child closes its output (empty result) or is to be killed (the reason).
  std::string read_lines() {
    std::array<char, 16 * 1024> buffer;
    while (true) {
      const bool hears = Clock::now() >= hear_at_;
      pollfd fds[4] = {{out_.get(), POLLIN, 0},
                       {wake_.get(), POLLIN, 0},
                       {hears ? err_.get() : -1, POLLIN, 0},
                       {input_to_write(), POLLOUT, 0}};
      if (::poll(fds, 4, sandbox_ || !hears ? kWatch_ms : -1) < 0 && errno != EINTR) {
        return std::string("poll: ") + std::strerror(errno);
      }
      std::uint64_t wakes = 0;
      if (fds[1].revents != 0) [[maybe_unused]]
        const ssize_t ignored = ::read(wake_.get(), &wakes, sizeof wakes);
      if (fds[2].revents != 0) read_words();
      if (fds[3].revents != 0) {
        const std::lock_guard lock(mutex_);
        write_unread();
      }
      if (kill_requested_) return "stopped";
      if (std::string excess = look_after(); !excess.empty()) return excess;
      const ssize_t count = ::read(out_.get(), buffer.data(), buffer.size());
      if (count == 0) return {};
      if (count < 0 && errno != EAGAIN && errno != EINTR) return std::string("read: ") + std::strerror(errno);
      if (count < 0) continue;
      std::string excess = output_.take({buffer.data(), static_cast<std::size_t>(count)}, events_.line);
      if (!excess.empty()) return excess;
    }
  }

  // At most what a pipe holds at a time: one that floods it costs no more than that.
  void read_words() {
    hear_at_ = Clock::now() + std::chrono::milliseconds(kWatch_ms);
    std::array<char, 16 * 1024> buffer;
    for (int i = 0; i < 4 && err_.get() >= 0; ++i) {
      const ssize_t count = ::read(err_.get(), buffer.data(), buffer.size());
      if (count == 0) err_.reset();
      if (count <= 0) return;
      last_words_.take({buffer.data(), static_cast<std::size_t>(count)});
    }
  }

  // What no limit of the kernel's holds for all processes of an engine together. Empty: it is modest.
  std::string look_after() {
    const auto now = Clock::now();
    if (!sandbox_ || now < look_at_) return {};
    look_at_ = now + std::chrono::milliseconds(kWatch_ms);
    const TreeUse use = measure_tree(pid_, sandbox_->tasks);
    if (use.tasks > sandbox_->tasks) return "more than " + std::to_string(sandbox_->tasks) + " threads and processes";
    if (sandbox_->memory_bytes == 0 || use.memory_bytes <= sandbox_->memory_bytes) return {};
    return too_much_memory();
  }
  std::string too_much_memory() const {
    return "more than " + std::to_string(sandbox_->memory_bytes >> 20) + " MiB of memory";
  }

  // Waits for the end; kills the whole group, at once or, after the child closed its output, when it lingers.
  std::string reap(bool patient) {
    int status = 0;
    if (patient) {
      const auto deadline = Clock::now() + std::chrono::milliseconds(500);
      while (Clock::now() < deadline) {
        if (::waitpid(pid_, &status, WNOHANG) == pid_) {
          ::kill(-pid_, SIGKILL);  // grandchildren may have survived it
          return describe_exit(status);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    }
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    return patient ? std::string(kClosedOutput) : describe_exit(status);
  }

  const pid_t pid_;
  ShareGroup group_;  // goes after the last process in it
  std::mutex mutex_;
  Fd in_;               // guarded by mutex_
  std::string unread_;  // likewise: lines that its socket had no room for
  Fd out_, err_;
  Fd wake_;
  ProcessOutput output_;
  LastWords last_words_;
  const std::optional<Sandbox> sandbox_;
  const Events events_;
  std::atomic<bool> kill_requested_ = false;
  Clock::time_point look_at_, hear_at_;
  std::thread reader_;  // last: it uses the members above
};

Launch prepare(const ChildProcess::Options& options, const Streams& streams) {
  Launch launch;
  for (const std::string& word : options.command) launch.argv.push_back(const_cast<char*>(word.c_str()));
  launch.argv.push_back(nullptr);
  launch.working_dir = options.working_dir.empty() ? nullptr : options.working_dir.c_str();
  launch.nice = options.nice;
  launch.cores = set_of(options.cores);
  launch.leisurely = options.leisurely;
  launch.in = streams.in_child.get();
  launch.out = streams.out_child.get();
  launch.err = streams.err_child.get();
  return launch;
}

GroupLimits limits_of(const ChildProcess::Options& options) {
  GroupLimits limits{.threads = options.threads, .nice = options.nice, .leisurely = options.leisurely};
  if (options.sandbox) limits.memory_bytes = options.sandbox->memory_bytes;
  if (options.sandbox) limits.tasks = options.sandbox->tasks;
  return limits;
}

// As fork(), with the namespaces of a sandbox.
pid_t fork_into(const PreparedSandbox* sandbox) {
  if (sandbox == nullptr || sandbox->clone_flags() == 0) return ::fork();
  return static_cast<pid_t>(::syscall(SYS_clone, sandbox->clone_flags() | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

// errno of the child's failed exec; 0 once exec has closed the pipe.
int exec_error(int report) {
  int error = 0;
  while (true) {
    const ssize_t count = ::read(report, &error, sizeof error);
    if (count < 0 && errno == EINTR) continue;
    return count == sizeof error ? error : 0;
  }
}

}  // namespace

std::expected<std::unique_ptr<ChildProcess>, std::string> ChildProcess::spawn(const Options& options, Events events) {
  if (options.command.empty()) return std::unexpected(std::string("no command given"));
  auto streams = open_streams(options.show_stderr);
  if (!streams) return std::unexpected(streams.error());
  Fd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  int report[2];
  if (wake.get() < 0 || ::pipe2(report, O_CLOEXEC) != 0) return std::unexpected(std::string(std::strerror(errno)));
  const Fd report_ours(report[0]);
  Fd report_child(report[1]);

  std::optional<PreparedSandbox> sandbox;
  if (options.sandbox) {
    auto prepared = PreparedSandbox::prepare(*options.sandbox, options.command, options.working_dir);
    if (!prepared) return std::unexpected(prepared.error());
    sandbox.emplace(std::move(*prepared));
  }
  ShareGroup group = ShareGroup::make(limits_of(options));
  Launch launch = prepare(options, *streams);
  launch.group = group.procs_fd();
  launch.report = report_child.get();
  launch.report_ours = report_ours.get();
  launch.sandbox = sandbox ? &*sandbox : nullptr;
  const pid_t pid = fork_into(launch.sandbox);
  if (pid < 0) return std::unexpected(std::string("fork: ") + std::strerror(errno));
  if (pid == 0) run_child(launch);
  ::setpgid(pid, pid);  // both sides do it: whoever comes first
  report_child.reset();
  streams->in_child.reset();
  streams->out_child.reset();
  streams->err_child.reset();
  if (const int error = exec_error(report_ours.get()); error != 0) {
    ::waitpid(pid, nullptr, 0);
    return std::unexpected("cannot run '" + options.command.front() + "': " + std::strerror(error));
  }
  return std::make_unique<LinuxChild>(pid, std::move(*streams), std::move(wake), std::move(group), options,
                                      std::move(events));
}

}  // namespace fuhyo::usi
