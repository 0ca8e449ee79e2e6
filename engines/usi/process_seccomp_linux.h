// The system calls that a sandboxed engine is refused, as a program for the kernel's filter. A pure value; any thread.
#pragma once

#include <linux/filter.h>
#include <vector>

namespace fuhyo::usi {

struct RefusedCalls {
  // No other process can be seen or signalled anyway (namespaces, or Landlock's scopes). Otherwise signals and
  // affinities are for the engine's first process alone.
  bool alone = false;
};

// Whatever is refused fails with EPERM, except for what programs know how to do without (ENOSYS); calls of another
// machine's interface kill. With `alone` false, the constant kOwnPid stands where the process's own id belongs.
std::vector<sock_filter> seccomp_program(const RefusedCalls& refused);
constexpr unsigned kOwnPid = 0x7fff'fff1;

}  // namespace fuhyo::usi
