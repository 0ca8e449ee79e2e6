// Virtual time: actions wait for their instant and run in order, those of one instant in the order they were asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace fuhyo::sim {

constexpr std::int64_t kMillisecond = 1'000;  // in microseconds
constexpr std::int64_t kSecond = 1'000'000;

class Scheduler {
 public:
  using Action = std::function<void()>;

  std::int64_t now_us() const { return now_us_; }
  std::uint64_t actions() const { return ran_; }

  void at(std::int64_t when_us, Action action) {
    queue_.push_back({std::max(when_us, now_us_), order_++, std::move(action)});
    std::ranges::push_heap(queue_, later);
  }
  void after(std::int64_t delay_us, Action action) { at(now_us_ + delay_us, std::move(action)); }

  // Runs the next action; false if none is left.
  bool step() {
    if (queue_.empty()) return false;
    std::ranges::pop_heap(queue_, later);
    const Entry entry = std::move(queue_.back());
    queue_.pop_back();
    now_us_ = entry.when_us;
    ++ran_;
    entry.action();
    return true;
  }

 private:
  struct Entry {
    std::int64_t when_us;
    std::uint64_t order;
    Action action;
  };
  static bool later(const Entry& a, const Entry& b) {
    return a.when_us != b.when_us ? a.when_us > b.when_us : a.order > b.order;
  }

  std::vector<Entry> queue_;
  std::int64_t now_us_ = 0;
  std::uint64_t order_ = 0, ran_ = 0;
};

}  // namespace fuhyo::sim
