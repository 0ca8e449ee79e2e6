// How much of the processor child processes get: each a group of its own in the tree of cgroup v2, where this program
// was given a part of that tree (systemd: Delegate=cpu). ChildProcess::Options::threads says how much; where there are
// no groups, ChildProcess::bind() keeps a process to as many cores as it has threads. process_share_linux.cpp knows
// how.
#pragma once

#include <string>
#include <vector>

namespace fuhyo::usi {

struct ShareSupport {
  std::string group;  // the folder in which each child has one; empty: there are none
  std::string why;    // there are none
};

// Makes ready for groups: this process, which must be alone in its group, goes into one beside those to come. Once, at
// the start of a program that wants them.
const ShareSupport& make_share_groups();
const ShareSupport& share_support();  // what came of it; before that: none

// That this process may run on, ascending.
std::vector<int> own_cores();

}  // namespace fuhyo::usi
