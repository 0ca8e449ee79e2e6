// The page /metrics of a server, but for what the web side says of itself (net/metrics_text.h): figures that the core's
// thread shows now and then, put into words when somebody asks.
#pragma once

#include <cstdint>
#include <made/admin_answers.h>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "server/app/serve/move_delays.h"
#include "server/app/serve/node.h"
#include "server/core/figures.h"
#include "server/host/cpu_scheduler.h"
#include "server/store/queued_journal.h"

namespace fuhyo::app {

struct GameFigures {
  core::Figures core;
  NodeFigures node;
  MoveDelays::Shares moves;
  store::QueuedJournal::Stats journal;
  std::uint64_t password_queue = 0;
  host::CpuScheduler::Figures seats;                   // of this machine
  std::map<core::EngineState, std::uint64_t> engines;  // how many players
  std::uint64_t workers_connected = 0, workers_away = 0;
  std::uint64_t stalls = 0;                   // of the event loop
  bool records_up = true;                     // record files are written
  std::optional<std::int64_t> tls_ends_in_s;  // nothing: no certificate
};

std::string game_metrics(const GameFigures& figures);
// Of this process: version, processor, memory, files, start.
std::string process_metrics();

// Any thread.
class MetricsBoard {
 public:
  void show(GameFigures figures);
  std::string text() const;  // those that were shown last, and process_metrics()

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const GameFigures> figures_;  // null: nothing was shown; guarded by mutex_
};

}  // namespace fuhyo::app
