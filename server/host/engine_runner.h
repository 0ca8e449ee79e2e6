// Keeps one engine process alive, here or on a worker's machine (worker_pool.h): starts it, restarts it with a growing
// delay, and drops late output of an old process. Owned and called by one thread, to which the process's own thread
// hands its events through `post`. That thread must live as long as the engine: the process dies with it (see
// usi/process.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engines/usi/process.h"

namespace fuhyo::host {

class EngineRunner {
 public:
  struct Events {
    std::function<void()> started;
    std::function<void(const std::string& line)> line;
    std::function<void(const std::string& why)> closed;       // it ended by itself; call restart()
    std::function<void(const std::string& why)> not_started;  // the next attempt is scheduled
  };
  using Post = std::function<void(std::function<void()>)>;  // runs the function on the owner's thread; thread-safe

  // Starts a process that keeps to these cores, if there are any and it runs here; the error says why there is none.
  using Spawn = std::function<std::expected<std::unique_ptr<usi::ChildProcess>, std::string>(
      usi::ChildProcess::Events, const std::vector<int>& cores)>;
  static Spawn child(usi::ChildProcess::Options options);  // of this process

  static constexpr std::int64_t kFirstDelay_ms = 1'000;  // before the first restart

  EngineRunner(Spawn spawn, Post post, Events events, std::int64_t first_delay_ms = kFirstDelay_ms);
  ~EngineRunner();
  EngineRunner(const EngineRunner&) = delete;
  EngineRunner& operator=(const EngineRunner&) = delete;

  void start(std::int64_t now);
  // Kills what runs and starts anew after the first delay, twice that ... 60 s. A process that lived for a minute earns
  // a short delay again.
  void restart(std::int64_t now);
  void stop();
  void write(std::string_view line);
  void tick(std::int64_t now);
  // What runs, and what will, keeps to these cores; empty: nothing changes.
  void bind(const std::vector<int>& cores);
  std::int64_t deadline() const { return start_at_; }  // when tick() is due

 private:
  struct Link;  // one process, as seen by its own thread

  Spawn spawn_;
  std::vector<int> cores_;
  Post post_;
  Events events_;
  std::unique_ptr<usi::ChildProcess> process_;
  std::shared_ptr<Link> link_;
  std::int64_t start_at_;
  std::int64_t started_at_ = 0;
  const std::int64_t first_delay_ms_;
  std::int64_t delay_ms_;
};

}  // namespace fuhyo::host
