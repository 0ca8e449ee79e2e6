// What a game server shows of itself at /metrics: gathered on the core's thread, once a second.
#include "server/app/serve/game_server.h"

namespace fuhyo::app {
namespace {

constexpr std::int64_t kSecondsOfDay = 86'400;

}  // namespace

void GameServer::show_metrics() {
  if (listeners_.web() == nullptr || (shown_metrics_.us != 0 && node_.now() - shown_metrics_ < core::kSecond)) return;
  shown_metrics_ = node_.now();
  const GameFigures figures = metrics();
  listeners_.web()->set_trouble(figures.records_up ? nullptr : "record files cannot be written\n");
  board_->show(figures);
}

GameFigures GameServer::metrics() {
  GameFigures figures{.core = node_.core_figures(),
                      .node = node_.figures(),
                      .moves = delays_->shares(),
                      .journal = storage_.journal().stats(),
                      .password_queue = logins_.waiting(),
                      .stalls = stalls_,
                      .records_up = storage_.records_up()};
  builtin_->count(figures);
  if (listeners_.certificate().pair()) figures.tls_ends_in_s = listeners_.certificate().days_left() * kSecondsOfDay;
  return figures;
}

}  // namespace fuhyo::app
