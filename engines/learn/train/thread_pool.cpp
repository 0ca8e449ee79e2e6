#include "engines/learn/train/thread_pool.h"

namespace fuhyo::learn {

ThreadPool::ThreadPool(std::size_t threads) {
  for (std::size_t worker = 1; worker < threads; ++worker) {
    helpers_.emplace_back([this, worker] { help(worker); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  begun_.notify_all();
}

void ThreadPool::take_parts(std::size_t worker) {
  for (std::size_t part = next_++; part < count_; part = next_++) (*work_)(part, worker);
}

void ThreadPool::run(std::size_t count, const Work& work) {
  if (helpers_.empty()) {
    for (std::size_t part = 0; part < count; ++part) work(part, 0);
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    work_ = &work;
    count_ = count;
    next_ = 0;
    busy_ = helpers_.size();
    ++round_;
  }
  begun_.notify_all();
  take_parts(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
}

void ThreadPool::help(std::size_t worker) {
  for (std::size_t seen = 0;;) {
    {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return closing_ || round_ != seen; });
      if (closing_) return;
      seen = round_;
    }
    take_parts(worker);
    const std::scoped_lock lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace fuhyo::learn
