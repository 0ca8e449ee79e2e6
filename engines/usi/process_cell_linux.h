// A sandbox made ready for one process: everything that needs memory or names is done before the fork, so that what is
// left for the child are system calls. Linux only.
#pragma once

#include <expected>
#include <linux/filter.h>
#include <string>
#include <sys/resource.h>
#include <utility>
#include <vector>

#include "engines/usi/process_sandbox.h"
#include "engines/usi/process_veil_linux.h"

namespace fuhyo::usi {

class Cell {
 public:
  // `command` and `working_dir` as in ChildProcess::Options. What this machine lacks (sandbox_support()) is left out.
  static std::expected<Cell, std::string> prepare(const Sandbox& sandbox, const std::vector<std::string>& command,
                                                  const std::string& working_dir);
  Cell(Cell&& other) noexcept;
  Cell& operator=(Cell&&) = delete;
  ~Cell();

  // For clone(): the namespaces of its own that the child begins with.
  unsigned long clone_flags() const { return clone_flags_; }
  // What it is told of this process's environment; ends in null.
  char* const* environment() const { return environment_pointers_.data(); }

  // In the child, right before exec, with nothing but async-signal-safe calls. 0, or the errno of what failed.
  int enter() noexcept;

 private:
  Cell() = default;
  int map_user() const noexcept;
  int limit() const noexcept;
  int restrict_files() const noexcept;
  int refuse_calls() noexcept;

  unsigned long clone_flags_ = 0;
  std::string uid_map_, gid_map_;  // empty: no user namespace
  std::vector<std::string> environment_;
  std::vector<char*> environment_pointers_;
  std::vector<std::pair<int, rlim_t>> limits_;
  Veil veil_;
  int ruleset_ = -1;  // of Landlock
  std::vector<sock_filter> filter_;
};

}  // namespace fuhyo::usi
