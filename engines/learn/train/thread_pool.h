// Threads that share the parts of a task. One thread at a time calls run().
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fuhyo::learn {

class ThreadPool {
 public:
  // Does `part` of the task in thread number `worker` (0 is the caller).
  using Work = std::function<void(std::size_t part, std::size_t worker)>;

  explicit ThreadPool(std::size_t threads);  // at least 1: the caller itself
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

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
  std::size_t busy_ = 0;   // helpers that have not ended the current task
  std::size_t round_ = 0;  // tasks so far
  bool closing_ = false;
  std::vector<std::jthread> helpers_;
};

}  // namespace fuhyo::learn
