// A thread that runs one task at a time in the background.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace fuhyo::usi {

// All functions belong to the owner's thread. The destructor waits for the task in progress.
class Background {
 public:
  Background() : thread_([this] { run(); }) {}
  ~Background() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Begins a task once the former one is over.
  void start(std::function<void()> task) {
    wait();
    {
      const std::lock_guard lock(mutex_);
      task_ = std::move(task);
    }
    changed_.notify_all();
  }
  bool busy() {
    const std::lock_guard lock(mutex_);
    return task_ != nullptr;
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return task_ == nullptr; });
  }
  // False if it is still busy after that time.
  bool wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return task_ == nullptr; });
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return closing_ || task_ != nullptr; });
      if (task_ == nullptr) return;
      lock.unlock();
      task_();
      lock.lock();
      task_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> task_;
  bool closing_ = false;
  std::thread thread_;  // last: it uses the members above
};

}  // namespace fuhyo::usi
