// A child process with lines as input and output: its own process group, pipes, limits. The only part of this folder
// that knows the operating system (process_linux.cpp, process_windows.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/usi/process_sandbox.h"

namespace fuhyo::usi {

class ChildProcess {
 public:
  static constexpr std::size_t kMostUnread = std::size_t{256} * 1024;  // beside what the system holds

  struct Options {
    std::vector<std::string> command{};  // program (found through PATH if it has no slash) and its arguments
    std::string working_dir{};           // empty: the parent's
    int nice = 0;                        // added to the parent's niceness
    bool leisurely = false;              // idle priority: runs only on an otherwise idle core (SCHED_IDLE)
    std::vector<int> cores{};            // that it is bound to; empty: those of the parent
    // Of the processor it and what it starts get so many cores' time together, and a bit (process_share.h). 0: no
    // limit.
    int threads = 0;
    bool show_stderr = false;           // else the end of it is told when the process ends by itself (not on Windows)
    std::size_t line_limit = 8 * 1024;  // a longer line is taken for garbage: the process is killed
    // More output than this within a second is a flood: the process is killed. An engine that prints a long principal
    // variation a hundred times a second stays below a tenth of it.
    std::size_t bytes_per_second = 1024 * 1024;
    std::optional<Sandbox> sandbox{};  // nothing: no sandbox
  };
  // Called from a thread of the process's own, in order; `closed` exactly once, last, with the reason in words:
  // "exit status 3", "exit status 3; its last words: no weights", "killed by signal 11 (Segmentation fault)", "a line
  // over 8192 bytes", "output flood", "it closed its output" (and lived on), "more than 64 threads and processes",
  // "more than 512 MiB of memory". Neither may destroy the ChildProcess.
  struct Events {
    std::function<void(std::string line)> line;
    std::function<void(std::string why)> closed;
  };

  // The child dies with the thread that spawned it, so that a crash of this program leaves no engine behind: spawn from
  // a thread that lives as long as the child is needed. Fails if the program cannot be executed.
  static std::expected<std::unique_ptr<ChildProcess>, std::string> spawn(const Options& options, Events events);

  // Kills the process group and waits for it; returns after `closed`.
  virtual ~ChildProcess() = default;

  // Writes a line (the line end is added). Never blocks: what the system has no room for is written later, as soon as
  // the child reads. False, and the line is lost: the child is gone, or is kMostUnread bytes behind.
  virtual bool write_line(std::string_view line) = 0;
  // Kills the whole process group. `closed` follows.
  virtual void kill() = 0;
  // From now on it, and all that it has started, is bound to these cores; empty: nothing changes.
  virtual void bind(const std::vector<int>& cores) = 0;
  // No more input for the child; it may end by itself.
  virtual void close_input() = 0;
};

// Splits a command as a shell would without expansions: blanks separate, quotes and backslashes keep together.
// On Windows a backslash is part of a path, but before a quote.
std::expected<std::vector<std::string>, std::string> split_command(std::string_view text);

}  // namespace fuhyo::usi
