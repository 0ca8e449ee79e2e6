// Tells others now and then how a game server stands: `counters`, /metrics, and who plays and waits on the pages. On
// the core's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/app/serve/builtin_players.h"
#include "server/app/serve/listeners.h"
#include "server/app/serve/login_service.h"
#include "server/app/serve/metrics.h"
#include "server/app/serve/move_delays.h"
#include "server/app/serve/node.h"
#include "server/app/serve/storage.h"

namespace fuhyo::app {

class Reporter {
 public:
  struct Sources {
    Node& node;
    Storage& storage;
    Listeners& listeners;
    const BuiltinPlayers& builtin;
    const LoginService& logins;
    const MoveDelays& delays;
  };

  explicit Reporter(const Sources& sources) : from_(sources) {}

  void start();
  void look();  // some times a second
  void count_certificate();
  void stood_still() { ++stalls_; }  // the event loop
  // The page /metrics. Any thread, also when this is gone.
  std::function<std::string()> metrics_page() const;

 private:
  void count_delays();
  void show_metrics();
  void show_lobby();
  GameFigures figures() const;

  const Sources from_;
  const std::shared_ptr<MetricsBoard> board_ = std::make_shared<MetricsBoard>();
  std::optional<std::uint64_t> shown_lobby_;    // as Server::lobby_changes()
  std::optional<std::uint64_t> shown_engines_;  // as BuiltinPlayers::changes()
  std::uint64_t counted_moves_ = 0;             // when `counters` was told of delays
  core::Instant counted_delays_{};              // likewise
  core::Instant shown_metrics_{};               // when they were last
  std::uint64_t stalls_ = 0;
};

}  // namespace fuhyo::app
