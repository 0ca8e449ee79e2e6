// A group of processes for one child, and how the tree of groups is made ready. Linux only.
#pragma once

#include <string>
#include <utility>

#include "engines/usi/process_share.h"

namespace fuhyo::usi {

// As make_share_groups(), without remembering it. `tree`: where cgroup v2 is mounted; empty: found out.
ShareSupport look_for_share_groups(const std::string& tree = {});

class ShareGroup {
 public:
  // Of so many threads, and of a niceness beside others. None where there are no groups, or `threads` is 0.
  static ShareGroup make(int threads, int nice);
  ShareGroup() = default;
  ShareGroup(ShareGroup&& other) noexcept
      : folder_(std::exchange(other.folder_, {})), door_(std::exchange(other.door_, -1)) {}
  ShareGroup& operator=(ShareGroup&&) = delete;
  ~ShareGroup();  // kills what is left in it

  // The process that writes "0" here goes in; -1: there is no group.
  int door() const { return door_; }

 private:
  std::string folder_;
  int door_ = -1;
};

// What the files of a group say: "225000 100000", microseconds of processor time in each period of so many; 1 to 10000.
std::string share_quota(int threads);
int share_weight(int threads, int nice);

}  // namespace fuhyo::usi
