// "fuhyo-cluster check FILE": starts all nodes, measures them, and says who will do what.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "engines/cluster/cluster_file.h"

namespace fuhyo::cluster {

// Measures nodes, all at once: the time to an answer, and nodes a second. Pure; one thread at a time. Times are
// monotonic milliseconds.
class Measurement {
 public:
  struct Seat {
    members::Member* member;
    Role role;
    int step = 0;  // 0: first answer; 1: speed; 2: done
    std::int64_t asked = 0;
    std::optional<std::int64_t> answer_ms{};    // of the smallest search; of a short mate
    std::optional<std::int64_t> nodes_per_s{};  // of a node that searches
    bool mates = false;                         // it found the mate
  };

  explicit Measurement(std::vector<Seat> seats) : seats_(std::move(seats)) {}
  bool look(std::int64_t now);  // whether it is over: all have answered, or have had the time for it
  const std::vector<Seat>& seats() const { return seats_; }

 private:
  void ask(Seat& seat, std::int64_t now);
  void take(Seat& seat, std::int64_t now);

  std::vector<Seat> seats_;
  std::int64_t begun_ = 0;
};

// What is said of the nodes, a line each. The nodes of the file and the seats are the same in the same order.
std::vector<std::string> report_of(const ClusterFile& file, const std::vector<Measurement::Seat>& seats);

// The command. Returns the exit code: 1 if the file cannot be read, or a node is not ready.
int check(const std::string& file, const std::string& beside, std::ostream& out);

}  // namespace fuhyo::cluster
