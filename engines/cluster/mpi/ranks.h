// The engines of an MPI job: rank 0 starts them on the other ranks, as if they were its own processes.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "engines/cluster/mpi/wire.h"
#include "engines/usi/process.h"

namespace fuhyo::cluster::mpi {

// Of rank 0. What arrives for a process is told on the thread of take().
class Ranks {
 public:
  // `wire` must outlive it; `count`: ranks beside this one.
  Ranks(Wire& wire, int count) : wire_(wire), count_(count) {}
  // As ChildProcess::spawn. A command "rank N ..." starts there, any other one here. Any thread. A process must not
  // outlive the run() of the wire.
  std::expected<std::unique_ptr<usi::ChildProcess>, std::string> spawn(const usi::ChildProcess::Options& options,
                                                                       usi::ChildProcess::Events events);
  void take(const Message& message);
  void quit();  // all other ranks

 private:
  class Process;
  Wire& wire_;
  const int count_;
  std::mutex mutex_;
  int last_ = 0;  // process
  std::map<int, Process*> processes_;
};

// Of the other ranks: starts what rank 0 asks for, until it quits. `beside`: where programs are looked for first.
// Returns after the processes have ended. The thread that has initialised MPI.
void serve(const std::string& beside);

}  // namespace fuhyo::cluster::mpi
