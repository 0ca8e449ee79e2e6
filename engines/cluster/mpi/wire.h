// Messages between the ranks of an MPI job. Only run() calls MPI, on the thread that has initialised it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace fuhyo::cluster::mpi {

// What is said of a process on a rank other than 0.
enum class Kind {
  start,        // to the rank: the limits of its lines, and its command
  line,         // either way
  close_input,  // to the rank
  kill,         // to the rank
  closed,       // from the rank: the process is gone, and why
  quit,         // to the rank: the job is over
};

struct Message {
  int rank = 0;     // where to, or where from
  int process = 0;  // its number, given by rank 0
  Kind kind = Kind::line;
  std::string text{};
};

class Wire {
 public:
  // Messages to one rank arrive in their order. Any thread.
  void post(Message message);
  // Sends what is posted and hands over what arrives, until close(); then what is left is sent.
  void run(const std::function<void(Message)>& take);
  void close();  // any thread

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Message> posted_;
  bool closed_ = false;
};

}  // namespace fuhyo::cluster::mpi
