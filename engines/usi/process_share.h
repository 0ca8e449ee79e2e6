// What child processes get of the machine: each a group of its own in the tree of cgroup v2, where this program was
// given a part of that tree (systemd: Delegate=cpu memory pids). ChildProcess::Options says how much of the processor
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

// Makes ready for groups: this process, which must be alone in its group, goes into one beside those to come. Once, at
// the start of a program that wants them.
const ShareSupport& make_share_groups();
const ShareSupport& share_support();  // what came of it; before that: none

// That this process may run on, ascending.
std::vector<int> own_cores();

}  // namespace fuhyo::usi
