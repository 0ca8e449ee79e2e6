// The threads of a search. Each selects leaves from the shared tree and evaluates its own small batch of them. One lock
// guards the tree; networks, which take most of the time, are evaluated outside of it.
// One thread calls.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engines/mcts/tree/tree_search.h"

namespace fuhyo::mcts {

template <Game G>
class SearchThreads {
 public:
  // One thread for each backend. `batch`: leaves that a thread evaluates together.
  SearchThreads(std::vector<std::unique_ptr<nn::Backend>> backends, std::uint32_t batch) : batch_(batch) {
    for (auto& backend : backends) batchers_.push_back(std::make_unique<Batcher>(std::move(backend), batch));
  }

  std::expected<void, std::string> prepare(TreeSearch<G>& search, const Played& played) {
    Task task = search.prepare(*batchers_.front(), played);
    task.start();
    while (!task.done()) {
      if (const auto done = batchers_.front()->evaluate(); !done) return done;
      batchers_.front()->resume_all();
    }
    task.check();
    return {};
  }

  // Searches until the allowance is used up. `look` is called on this thread between two batches, and may use the
  // search, the tree and the allowance. After an error the tree must be cleared.
  std::expected<void, std::string> play_out(TreeSearch<G>& search, Allowance& allowance,
                                            const std::function<void()>& look) {
    std::expected<void, std::string> outcome;
    const auto work = [&](Batcher& batcher, bool looks) {
      auto result = run(search, batcher, allowance, looks ? look : std::function<void()>());
      const std::lock_guard lock(mutex_);
      if (!result) outcome = std::move(result);
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < batchers_.size(); ++i) {
        others.emplace_back([&, i] { work(*batchers_[i], false); });
      }
      work(*batchers_.front(), true);
    }
    return outcome;
  }

 private:
  // With few playouts, many tasks would all select the same leaf.
  std::uint32_t tasks_for(std::int64_t playouts) const {
    constexpr std::int64_t kPlayoutsPerTask = 16;
    const auto threads = static_cast<std::int64_t>(batchers_.size());
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(playouts / threads / kPlayoutsPerTask, 1, batch_));
  }

  std::expected<void, std::string> run(TreeSearch<G>& search, Batcher& batcher, Allowance& allowance,
                                       const std::function<void()>& look) {
    std::vector<Task> tasks;
    std::unique_lock lock(mutex_);
    for (std::uint32_t i = tasks_for(allowance.playouts); i > 0; --i) {
      tasks.push_back(search.play_out(batcher, allowance));
      tasks.back().start();
    }
    while (batcher.has_waiting()) {
      lock.unlock();
      if (batcher.size() == 0) std::this_thread::yield();
      const auto done = batcher.evaluate();
      lock.lock();
      if (!done) {
        allowance.stopped = true;
        batcher.drop_waiting();
        tasks.clear();
        return done;
      }
      if (look) look();
      batcher.resume_all();
    }
    for (const Task& task : tasks) task.check();
    tasks.clear();
    return {};
  }

  std::uint32_t batch_;
  std::vector<std::unique_ptr<Batcher>> batchers_;
  std::mutex mutex_;
};

}  // namespace fuhyo::mcts
