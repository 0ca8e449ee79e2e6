// Threads that share the parts of one piece of work after the other. One thread at a time gives work.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fuhyo::learn {

class Team {
 public:
  // `part` of the work, done by `worker` of the team (0 is the caller).
  using Work = std::function<void(std::size_t part, std::size_t worker)>;

  explicit Team(std::size_t threads);  // at least 1: the caller itself
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t size() const { return helpers_.size() + 1; }
  // Does parts 0 to count - 1, each once, in any order, and returns when all of them are done.
  void run(std::size_t count, const Work& work);

 private:
  void help(std::size_t worker);
  void take_parts(std::size_t worker);

  std::mutex mutex_;
  std::condition_variable begun_, done_;
  const Work* work_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::size_t busy_ = 0;   // helpers that have not ended the present work
  std::size_t round_ = 0;  // pieces of work so far
  bool closing_ = false;
  std::vector<std::jthread> helpers_;
};

}  // namespace fuhyo::learn
