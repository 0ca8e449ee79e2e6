// All workers of a server, shared by the thread of their connections and the threads of built-in players, which see an
// engine on a worker as a child process. Any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engines/usi/process.h"
#include "server/host/engine_runner.h"
#include "server/host/worker_server.h"

namespace fuhyo::host {

class WorkerPool : public std::enable_shared_from_this<WorkerPool> {
 public:
  // Called on whatever thread causes them, one at a time. They must not call back, nor wait: they post.
  struct Hooks {
    std::function<void(core::ConnId conn, std::string line)> send;
    std::function<void(core::ConnId conn)> close;
    std::function<void(core::ConnId conn)> known;
    std::function<void(WorkerServer::Offered offered)> offered;
    std::function<void(WorkerServer::Present present)> present;
    std::function<void(bool warning, const std::string& text)> log;
  };

  // `first`: as WorkerServer.
  WorkerPool(const WorkerLimits& limits, std::uint64_t first, Hooks hooks)
      : server_(limits, first), hooks_(std::move(hooks)) {}

  // ---- for the listener ----
  void change(WorkerServer::Rules rules);
  void opened(core::ConnId conn, std::string address, core::Instant now);
  void line(core::ConnId conn, std::string_view text, core::Instant now);
  void bad_input(core::ConnId conn, std::string_view why, core::Instant now);
  void closed(core::ConnId conn, core::Instant now);
  void tick(core::Instant now);
  // No hook is called any more.
  void shut();

  // ---- for operators ----
  void tell(const std::string& worker, std::string_view text);
  bool drop(const std::string& worker);
  std::vector<WorkerServer::Row> rows() const;

  // ---- for built-in players ----
  // Starts an engine of a worker. The process calls its events on the threads of this pool, in order, and none once
  // its destruction has begun; a kill of it is told as its end at once. As long as one stands, so does the pool.
  EngineRunner::Spawn spawner(std::string worker, int engine);

 private:
  class Process;

  std::expected<std::unique_ptr<usi::ChildProcess>, std::string> start(const std::string& worker, int engine,
                                                                       usi::ChildProcess::Events events);
  bool write(WorkerSeat seat, std::string_view line);
  void kill(WorkerSeat seat);
  void end(WorkerSeat seat);

  void carry_out();  // the lock is held
  void on(WorkerServer::Send& o);
  void on(WorkerServer::Close& o);
  void on(WorkerServer::Known& o);
  void on(WorkerServer::Said& o);
  void on(WorkerServer::Ended& o);
  void on(WorkerServer::Offered& o);
  void on(WorkerServer::Present& o);
  void on(WorkerServer::Noted& o);

  mutable std::mutex mutex_;
  WorkerServer server_;
  Hooks hooks_;
  std::map<WorkerSeat, usi::ChildProcess::Events> listeners_;
};

}  // namespace fuhyo::host
