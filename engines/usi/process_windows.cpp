// ChildProcess for Windows: a job that it and all that it starts belong to, two pipes, and a thread for each of them.
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <windows.h>

#include "engines/usi/process.h"
#include "engines/usi/process_command_windows.h"
#include "engines/usi/process_output.h"

namespace fuhyo::usi {
namespace {

// How long a process that has closed its output may take to end.
constexpr DWORD kLinger_ms = 500;
constexpr std::size_t kCores = 64;  // of a group of processors; a mask has no more bits

class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() { reset(); }
  void reset() {
    if (handle_ != nullptr) ::CloseHandle(std::exchange(handle_, nullptr));
  }
  HANDLE get() const { return handle_; }

 private:
  HANDLE handle_ = nullptr;
};

std::string text_of(DWORD error) { return std::system_category().message(static_cast<int>(error)); }

std::unexpected<std::string> failed(std::string_view what) {
  return std::unexpected(fmt::format("{}: {}", what, text_of(::GetLastError())));
}

struct Streams {
  Handle in_ours, in_child, out_ours, out_child, err_child;
};

bool inherit(const Handle& handle) {
  return ::SetHandleInformation(handle.get(), HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) != 0;
}

// Of the handles the child gets those of its own ends.
std::expected<Streams, std::string> open_streams(bool show_stderr) {
  std::array<HANDLE, 2> in{}, out{};
  if (::CreatePipe(&in[0], &in[1], nullptr, 0) == 0) return failed("pipe");
  Streams streams{
      .in_ours = Handle(in[1]), .in_child = Handle(in[0]), .out_ours = {}, .out_child = {}, .err_child = {}};
  if (::CreatePipe(&out[0], &out[1], nullptr, 0) == 0) return failed("pipe");
  streams.out_ours = Handle(out[0]);
  streams.out_child = Handle(out[1]);
  HANDLE errors = nullptr;
  const HANDLE self = ::GetCurrentProcess();
  if (show_stderr) {
    ::DuplicateHandle(self, ::GetStdHandle(STD_ERROR_HANDLE), self, &errors, 0, TRUE, DUPLICATE_SAME_ACCESS);
  }
  if (errors == nullptr)
    errors = ::CreateFileW(L"NUL", GENERIC_WRITE, FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr);
  streams.err_child = Handle(errors);
  if (!inherit(streams.in_child) || !inherit(streams.out_child) || !inherit(streams.err_child)) return failed("pipe");
  return streams;
}

// Nothing else of what this process has open goes to the child.
class Inherited {
 public:
  explicit Inherited(const Streams& streams)
      : handles_{streams.in_child.get(), streams.out_child.get(), streams.err_child.get()} {
    SIZE_T size = 0;
    ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    memory_.resize(size);
    ready_ = ::InitializeProcThreadAttributeList(get(), 1, 0, &size) != 0;
    if (ready_) {
      ::UpdateProcThreadAttribute(get(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(), sizeof handles_,
                                  nullptr, nullptr);
    }
  }
  Inherited(const Inherited&) = delete;
  Inherited& operator=(const Inherited&) = delete;
  ~Inherited() {
    if (ready_) ::DeleteProcThreadAttributeList(get());
  }
  LPPROC_THREAD_ATTRIBUTE_LIST get() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data()); }

 private:
  std::array<HANDLE, 3> handles_;
  std::vector<std::byte> memory_;
  bool ready_ = false;
};

DWORD priority_of(const ChildProcess::Options& options) {
  constexpr int kVeryNice = 10;
  if (options.leisurely || options.nice >= kVeryNice) return IDLE_PRIORITY_CLASS;
  return options.nice > 0 ? BELOW_NORMAL_PRIORITY_CLASS : 0;
}

// A job whose processes end with it, and so with this program.
Handle make_job() {
  Handle job(::CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  if (job.get() != nullptr &&
      ::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits) == 0) {
    job.reset();
  }
  return job;
}

// A core that is not there leaves the processes where they were: a wish, not a condition.
void bind_job(const Handle& job, const std::vector<int>& cores) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_AFFINITY;
  for (const int core : cores) {
    if (core >= 0 && static_cast<std::size_t>(core) < kCores) {
      limits.BasicLimitInformation.Affinity |= ULONG_PTR{1} << core;
    }
  }
  if (limits.BasicLimitInformation.Affinity == 0) return;
  ::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits);
}

// What an exception leaves as the status is above this: 0xC0000005 is an access violation.
constexpr DWORD kFirstException = 0xC0000000;

std::string describe_exit(DWORD status) {
  if (status >= kFirstException) return fmt::format("killed by exception 0x{:08X}", status);
  return fmt::format("exit status {}", status);
}

class WindowsChild final : public ChildProcess {
 public:
  WindowsChild(Handle process, Handle job, Streams streams, const Options& options, Events events)
      : process_(std::move(process)),
        job_(std::move(job)),
        in_(std::move(streams.in_ours)),
        out_(std::move(streams.out_ours)),
        output_(options.line_limit, options.bytes_per_second),
        events_(std::move(events)),
        writer_([this] { write_until_closed(); }),
        reader_([this] { read_until_closed(); }) {}

  ~WindowsChild() override {
    kill();
    reader_.join();
    close_input();
    writer_.join();
  }

  bool write_line(std::string_view line) override {
    const std::lock_guard lock(mutex_);
    if (input_closed_ || unread_.size() + line.size() >= kMostUnread) return false;
    unread_ += line;
    unread_ += '\n';
    changed_.notify_one();
    return true;
  }

  void bind(const std::vector<int>& cores) override { bind_job(job_, cores); }

  void close_input() override {
    const std::lock_guard lock(mutex_);
    input_closed_ = true;
    changed_.notify_one();
  }

  void kill() override {
    kill_requested_ = true;
    ::TerminateJobObject(job_.get(), 1);
  }

 private:
  // A pipe that nobody reads keeps its writer waiting until the process is gone, so the writer is a thread.
  void write_until_closed() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return input_closed_ || !unread_.empty(); });
      if (unread_.empty()) break;
      const std::string bytes = std::exchange(unread_, {});
      lock.unlock();
      const bool written = write(bytes);
      lock.lock();
      if (!written) break;
    }
    input_closed_ = true;
    in_.reset();
  }

  bool write(std::string_view bytes) {
    while (!bytes.empty()) {
      DWORD written = 0;
      if (::WriteFile(in_.get(), bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr) == 0) return false;
      bytes.remove_prefix(written);
    }
    return true;
  }

  void read_until_closed() {
    const std::string why = read_lines();
    const std::string end = reap(why.empty());
    close_input();  // not before: the end of its input might end one that has closed its output
    events_.closed(why.empty() ? end : why);
  }

  // Delivers lines until nobody writes any more (empty result) or the process is to be killed (the reason).
  std::string read_lines() {
    std::array<char, 16 * 1024> buffer;
    while (true) {
      DWORD count = 0;
      const bool got = ::ReadFile(out_.get(), buffer.data(), buffer.size(), &count, nullptr) != 0;
      if (kill_requested_) return "stopped";
      if (!got) return {};
      std::string excess = output_.take({buffer.data(), count}, events_.line);
      if (!excess.empty()) return excess;
    }
  }

  // Waits for the end; kills all of the job, at once or, after the process closed its output, when it lingers.
  std::string reap(bool patient) {
    const bool lingers = patient && ::WaitForSingleObject(process_.get(), kLinger_ms) == WAIT_TIMEOUT;
    ::TerminateJobObject(job_.get(), 1);
    ::WaitForSingleObject(process_.get(), INFINITE);
    DWORD status = 0;
    ::GetExitCodeProcess(process_.get(), &status);
    return lingers ? std::string(kClosedOutput) : describe_exit(status);
  }

  const Handle process_, job_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string unread_;         // guarded by mutex_
  bool input_closed_ = false;  // guarded by mutex_
  Handle in_;                  // the writer's
  const Handle out_;
  ProcessOutput output_;
  const Events events_;
  std::atomic<bool> kill_requested_ = false;
  std::thread writer_, reader_;  // last: they use the members above
};

struct Started {
  Handle process, thread;
};

// Not yet running.
std::expected<Started, std::string> start(const ChildProcess::Options& options, const Streams& streams) {
  Inherited inherited(streams);
  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof startup;
  startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  startup.StartupInfo.hStdInput = streams.in_child.get();
  startup.StartupInfo.hStdOutput = streams.out_child.get();
  startup.StartupInfo.hStdError = streams.err_child.get();
  startup.lpAttributeList = inherited.get();
  std::wstring line = command_line(options.command, options.working_dir);
  const std::wstring folder = wide(options.working_dir);
  const DWORD flags = CREATE_SUSPENDED | CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT | priority_of(options);
  PROCESS_INFORMATION made{};
  if (::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, flags, nullptr,
                       folder.empty() ? nullptr : folder.c_str(), &startup.StartupInfo, &made) == 0) {
    return failed(fmt::format("cannot run '{}'", options.command.front()));
  }
  return Started{.process = Handle(made.hProcess), .thread = Handle(made.hThread)};
}

}  // namespace

std::expected<std::unique_ptr<ChildProcess>, std::string> ChildProcess::spawn(const Options& options, Events events) {
  if (options.command.empty()) return std::unexpected(std::string("no command given"));
  if (options.sandbox) return std::unexpected(std::string("no engine can be kept in a sandbox on Windows"));
  auto streams = open_streams(options.show_stderr);
  if (!streams) return std::unexpected(streams.error());
  Handle job = make_job();
  if (job.get() == nullptr) return failed("job");
  auto started = start(options, *streams);
  if (!started) return std::unexpected(started.error());
  if (::AssignProcessToJobObject(job.get(), started->process.get()) == 0) {
    auto error = failed("job");
    ::TerminateProcess(started->process.get(), 1);
    return error;
  }
  bind_job(job, options.cores);
  ::ResumeThread(started->thread.get());
  streams->in_child.reset();  // or the end of the other side would go unnoticed
  streams->out_child.reset();
  return std::make_unique<WindowsChild>(std::move(started->process), std::move(job), std::move(*streams), options,
                                        std::move(events));
}

}  // namespace fuhyo::usi
