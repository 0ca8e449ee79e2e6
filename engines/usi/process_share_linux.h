// A group of processes for one child, and how the tree of groups is made ready. Linux only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/usi/process_share.h"

namespace fuhyo::usi {

// As make_share_groups(), without remembering it. `tree`: where cgroup v2 is mounted; empty: found out.
ShareSupport look_for_share_groups(const std::string& tree = {});

// What a child is held to; 0: no limit.
struct GroupLimits {
  int threads = 0;  // of the processor
  int nice = 0;     // beside others
  bool leisurely = false;
  std::size_t memory_bytes = 0;
  int tasks = 0;
};

// A file of a group and what is written into it. Without one that it must have there is no group.
struct GroupFile {
  std::string name, text;
  bool must = true;
};
std::vector<GroupFile> group_files(const ShareSupport& support, const GroupLimits& limits);

// Whether memory.events says that the group reached its limit and something in it was killed for it.
bool tells_of_memory_ran_out(std::string_view memory_events);

class ShareGroup {
 public:
  // None where there are no groups, or nothing is limited.
  static ShareGroup make(const GroupLimits& limits);
  ShareGroup() = default;
  ShareGroup(ShareGroup&& other) noexcept
      : folder_(std::exchange(other.folder_, {})), procs_fd_(std::exchange(other.procs_fd_, -1)) {}
  ShareGroup& operator=(ShareGroup&&) = delete;
  ~ShareGroup();  // kills what is left in it

  // The process that writes "0" here goes in; -1: there is no group.
  int procs_fd() const { return procs_fd_; }
  bool ran_out_of_memory() const;

 private:
  std::string folder_;
  int procs_fd_ = -1;
};

// What the files of a group say: "225000 100000", microseconds of processor time in each period of so many; 1 to 10000.
std::string share_quota(int threads);
int share_weight(int threads, int nice);

}  // namespace fuhyo::usi
