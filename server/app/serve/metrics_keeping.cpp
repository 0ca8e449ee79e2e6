// What a game server shows of itself at /metrics: gathered on the core's thread, once a second.
#include "server/app/serve/game_server.h"

namespace fuhyo::app {
namespace {

constexpr std::int64_t kSecondsOfDay = 86'400;

}  // namespace

void GameServer::show_metrics() {
  if (!http_ || (shown_metrics_.us != 0 && node_->now() - shown_metrics_ < core::kSecond)) return;
  shown_metrics_ = node_->now();
  const GameFigures figures = metrics();
  http_->set_trouble(figures.records_up ? nullptr : "record files cannot be written\n");
  board_->show(figures);
}

GameFigures GameServer::metrics() const {
  GameFigures figures{.core = node_->core_figures(),
                      .node = node_->figures(),
                      .moves = delays_->shares(),
                      .journal = journal_->stats(),
                      .password_queue = hasher_.waiting(),
                      .stalls = stalls_,
                      .records_up = !records_->is_failing()};
  builtin_->count(figures);
  if (certificate_.pair()) figures.tls_ends_in_s = certificate_.days_left() * kSecondsOfDay;
  return figures;
}

}  // namespace fuhyo::app
