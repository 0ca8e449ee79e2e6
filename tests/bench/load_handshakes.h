// TLS handshakes, as many as a server can do.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "tests/bench/load_poller.h"
#include "tests/bench/measure.h"

namespace fuhyo::bench {

struct HandshakeFigures {
  int done = 0, failed = 0;
  double wall_s = 0;
  std::vector<double> times_ms;  // from before the connect to the end of the handshake
};

// `count` of them from `threads` threads, each connection closed at once.
inline HandshakeFigures measure_handshakes(const Target& target, int count, int threads) {
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
