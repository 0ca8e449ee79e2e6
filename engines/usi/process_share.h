// Limits child processes by cgroup v2: each gets its own group, where this program has a delegated part of the tree
// (systemd: Delegate=cpu memory pids). ChildProcess::Options says how much of the processor
// (`threads`), of memory and of tasks (`sandbox`). Where there are no groups, ChildProcess::bind() keeps a process to
// as many cores as it has threads, and its memory and tasks are counted. process_share_linux.cpp knows how.
#pragma once

#include <string>
#include <vector>

namespace fuhyo::usi {

struct ShareSupport {
  std::string group;  // the folder in which each child has one; empty: there are none
  // What the kernel holds each child to there.
  bool processor = false, memory = false, tasks = false;
  std::string why;         // not the processor's time
  std::string why_memory;  // not memory
};

// Prepares the groups: moves this process, which must be alone in its group, into a subgroup. Call once, at the start
// of a program that uses groups.
const ShareSupport& make_share_groups();
const ShareSupport& share_support();  // the result of make_share_groups(); before it: none

// That this process may run on, ascending.
std::vector<int> own_cores();

}  // namespace fuhyo::usi
