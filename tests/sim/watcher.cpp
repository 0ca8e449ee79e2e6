#include "tests/sim/watcher.h"

#include <fmt/format.h>

namespace fuhyo::sim {

void Watcher::come() {
  stage_.time.after(rng_.between(kSecond, 20 * kSecond), [this] {
    if (leaving_ || stage_.quiet) return;
    Network::Caller caller;
    caller.address = "203.0.113.200";
    conn_ = network_.dial(*this, caller);
  });
}

void Watcher::connected(core::ConnId conn) {
  say(conn, fmt::format("LOGIN watcher {}watcher x1", kSecretMark));
  look(conn);
}

void Watcher::look(core::ConnId conn) {
  stage_.time.after(rng_.between(kSecond, 15 * kSecond), [this, conn] {
    if (leaving_ || conn != conn_) return;
    if (rng_.chance(0.05)) {
      network_.hang_up(conn);
      return lost(conn);
    }
    say(conn, "%%LIST");
    look(conn);
  });
}

void Watcher::heard(core::ConnId conn, std::string_view line) {
  constexpr std::string_view kListed = "##[LIST] ";
  if (!line.starts_with(kListed) || line.ends_with("+OK") || leaving_) return;
  if (rng_.chance(0.5)) say(conn, fmt::format("%%MONITOR2ON {}", line.substr(kListed.size())));
}

void Watcher::lost(core::ConnId conn) {
  if (conn != conn_) return;
  conn_ = core::ConnId{};
  come();
}

void Watcher::wind_down() {
  leaving_ = true;
  if (conn_ != core::ConnId{}) network_.hang_up(conn_);
}

void Watcher::say(core::ConnId conn, const std::string& line) {
  auditor_.sent(conn, line);
  network_.send(conn, line + "\n");
}

}  // namespace fuhyo::sim
