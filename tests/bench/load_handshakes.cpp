#include "tests/bench/load_handshakes.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace fuhyo::bench {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

}  // namespace

HandshakeFigures measure_handshakes(const Target& target, int count, int threads) {
  HandshakeFigures figures;
  std::mutex mutex;
  std::atomic<int> left{count};
  const auto work = [&] {
    Poller poller(target);
    std::vector<double> times;
    int failed = 0;
    while (left.fetch_sub(1) > 0) {
      const auto began = Clock::now();
      const auto connection = poller.connect();
      if (connection) {
        times.push_back(ms_since(began));
        poller.close(**connection);
      } else {
        ++failed;
      }
    }
    const std::lock_guard lock(mutex);
    figures.done += static_cast<int>(times.size());
    figures.failed += failed;
    figures.times_ms.insert(figures.times_ms.end(), times.begin(), times.end());
  };
  const auto began = Clock::now();
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(work);
  for (std::thread& thread : all) thread.join();
  figures.wall_s = ms_since(began) / 1e3;
  return figures;
}

}  // namespace fuhyo::bench
