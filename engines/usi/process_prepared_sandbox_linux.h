// A sandbox prepared for one process. Everything that allocates or looks up names happens before the fork; the child
// only makes system calls. Linux only.
#pragma once

#include <expected>
#include <linux/filter.h>
#include <string>
#include <sys/resource.h>
#include <utility>
#include <vector>

#include "engines/usi/process_hidden_paths_linux.h"
#include "engines/usi/process_sandbox.h"

namespace fuhyo::usi {

class PreparedSandbox {
 public:
  // `command` and `working_dir` as in ChildProcess::Options. What this machine lacks (sandbox_support()) is left out.
  static std::expected<PreparedSandbox, std::string> prepare(const Sandbox& sandbox,
                                                             const std::vector<std::string>& command,
                                                             const std::string& working_dir);
  PreparedSandbox(PreparedSandbox&& other) noexcept;
  PreparedSandbox& operator=(PreparedSandbox&&) = delete;
  ~PreparedSandbox();

  // For clone(): the namespaces of the child.
  unsigned long clone_flags() const { return clone_flags_; }
  // The environment of the child; ends in null.
  char* const* environment() const { return environment_pointers_.data(); }

  // In the child, right before exec, with nothing but async-signal-safe calls. 0, or the errno of what failed.
  int enter() noexcept;

 private:
  PreparedSandbox() = default;
  int map_user() const noexcept;
  int limit() const noexcept;
  int restrict_files() const noexcept;
  int refuse_calls() noexcept;

  unsigned long clone_flags_ = 0;
  std::string uid_map_, gid_map_;  // empty: no user namespace
  std::vector<std::string> environment_;
  std::vector<char*> environment_pointers_;
  std::vector<std::pair<int, rlim_t>> limits_;
  HiddenPaths hidden_paths_;
  int ruleset_ = -1;  // of Landlock
  std::vector<sock_filter> filter_;
};

}  // namespace fuhyo::usi
