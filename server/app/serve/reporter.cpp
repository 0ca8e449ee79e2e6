#include "server/app/serve/reporter.h"

#include <utility>

namespace fuhyo::app {
namespace {

constexpr std::int64_t kSecondsOfDay = 86'400;
// Not with every move: each figure is an input of the core.
constexpr std::int64_t kCountEvery_us = 10 * core::kSecond;

}  // namespace

void Reporter::start() {
  count_certificate();
  show_metrics();
}

void Reporter::look() {
  if (from_.listeners.certificate().look()) count_certificate();
  count_delays();
  show_metrics();
  show_lobby();
}

void Reporter::count_certificate() {
  const TlsKeeper& certificate = from_.listeners.certificate();
  if (!certificate.pair()) return;
  from_.node.deliver(core::HostCounter{"TLS certificate ends in, days", std::to_string(certificate.days_left())});
}

void Reporter::count_delays() {
  if (from_.node.now() - counted_delays_ < kCountEvery_us) return;
  counted_delays_ = from_.node.now();
  const DelayHistogram::Summary all = from_.delays.all();
  if (std::exchange(counted_moves_, all.count) == all.count) return;
  from_.node.deliver(core::HostCounter{"delay of moves, p50, us", std::to_string(all.p50_us)});
  from_.node.deliver(core::HostCounter{"delay of moves, p99, us", std::to_string(all.p99_us)});
  from_.node.deliver(core::HostCounter{"delay of moves, most, us", std::to_string(all.max_us)});
}

void Reporter::show_metrics() {
  auto* web = from_.listeners.web();
  const core::Instant now = from_.node.now();
  if (web == nullptr || (shown_metrics_.us != 0 && now - shown_metrics_ < core::kSecond)) return;
  shown_metrics_ = now;
  GameFigures shown = figures();
  web->set_trouble(shown.records_up ? nullptr : "record files cannot be written\n");
  board_->show(std::move(shown));
}

GameFigures Reporter::figures() const {
  GameFigures figures{.core = from_.node.core_figures(),
                      .node = from_.node.figures(),
                      .moves = from_.delays.shares(),
                      .journal = from_.storage.journal().stats(),
                      .password_queue = from_.logins.waiting(),
                      .stalls = stalls_,
                      .records_up = from_.storage.records_up()};
  from_.builtin.count(figures);
  const TlsKeeper& certificate = from_.listeners.certificate();
  if (certificate.pair()) figures.tls_ends_in_s = certificate.days_left() * kSecondsOfDay;
  return figures;
}

std::function<std::string()> Reporter::metrics_page() const {
  return [board = board_] { return board->text(); };
}

void Reporter::show_lobby() {
  auto* web = from_.listeners.web();
  if (web == nullptr) return;
  if (shown_engines_ != from_.builtin.changes()) {
    shown_engines_ = from_.builtin.changes();
    web->show_engines(from_.builtin.serving());
  }
  if (shown_lobby_ == from_.node.lobby_changes()) return;
  shown_lobby_ = from_.node.lobby_changes();
  web->show_lobby(from_.node.lobby());
}

}  // namespace fuhyo::app
