// The desk of workers, shared by the thread of their connections and the threads of built-in players: to the latter an
// engine elsewhere is a child process like any other. Any thread.
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
#include "server/host/worker_desk.h"

namespace fuhyo::host {

class WorkerOffice : public std::enable_shared_from_this<WorkerOffice> {
 public:
  // Called on whatever thread causes them, one at a time. They must not call back, nor wait: they post.
  struct Hooks {
    std::function<void(core::ConnId conn, std::string line)> send;
    std::function<void(core::ConnId conn)> close;
    std::function<void(core::ConnId conn)> known;
    std::function<void(WorkerDesk::Offered offered)> offered;
    std::function<void(WorkerDesk::Present present)> present;
    std::function<void(bool warning, const std::string& text)> log;
  };

  // `first`: as WorkerDesk.
  WorkerOffice(const WorkerLimits& limits, std::uint64_t first, Hooks hooks)
      : desk_(limits, first), hooks_(std::move(hooks)) {}

  // ---- for the door ----
  void change(WorkerDesk::Rules rules);
  void opened(core::ConnId conn, std::string address, core::Instant now);
  void line(core::ConnId conn, std::string_view text, core::Instant now);
  void bad_input(core::ConnId conn, std::string_view why, core::Instant now);
  void closed(core::ConnId conn, core::Instant now);
  void tick(core::Instant now);
  // No hook is called any more.
  void shut();

  // ---- for operators ----
  bool drop(const std::string& worker);
  std::vector<WorkerDesk::Row> rows() const;

  // ---- for built-in players ----
  // Starts an engine of a worker. The process calls its events on the threads of this office, in order, and none once
  // its destruction has begun; a kill of it is told as its end at once. As long as one stands, so does the office.
  EngineRunner::Spawn spawner(std::string worker, int engine);

 private:
  class Process;

  std::expected<std::unique_ptr<usi::ChildProcess>, std::string> start(const std::string& worker, int engine,
                                                                       usi::ChildProcess::Events events);
  bool write(WorkerSeat seat, std::string_view line);
  void kill(WorkerSeat seat);
  void end(WorkerSeat seat);

  void carry_out();  // the lock is held
  void on(WorkerDesk::Send& o);
  void on(WorkerDesk::Close& o);
  void on(WorkerDesk::Known& o);
  void on(WorkerDesk::Said& o);
  void on(WorkerDesk::Ended& o);
  void on(WorkerDesk::Offered& o);
  void on(WorkerDesk::Present& o);
  void on(WorkerDesk::Noted& o);

  mutable std::mutex mutex_;
  WorkerDesk desk_;
  Hooks hooks_;
  std::map<WorkerSeat, usi::ChildProcess::Events> listeners_;
};

}  // namespace fuhyo::host
