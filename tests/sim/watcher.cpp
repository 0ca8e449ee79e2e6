// Somebody who watches every game that he hears of by %%MONITOR2ON, is cut off now and then, and comes again.

#include "tests/sim/clients.h"

namespace fuhyo::sim {
namespace {

class Watcher final : public Guest {
 public:
  explicit Watcher(const Scene& scene) : Guest(scene) {}

  void start() override { come(); }
  void connected(core::ConnId conn) override {
    say(conn, fmt::format("LOGIN watcher {}watcher x1", kSecretMark));
    look(conn);
  }
  void heard(core::ConnId conn, std::string_view line) override {
    constexpr std::string_view kListed = "##[LIST] ";
    if (!line.starts_with(kListed) || line.ends_with("+OK") || leaving_) return;
    if (rng_.chance(0.5)) say(conn, fmt::format("%%MONITOR2ON {}", line.substr(kListed.size())));
  }
  void lost(core::ConnId conn) override {
    if (conn != conn_) return;
    conn_ = core::ConnId{};
    come();
  }
  void wind_down() override {
    leaving_ = true;
    if (conn_ != core::ConnId{}) network_.hang_up(conn_);
  }

 private:
  void come() {
    stage_.time.after(rng_.between(kSecond, 20 * kSecond), [this] {
      if (leaving_ || stage_.quiet) return;
      Network::Caller caller;
      caller.address = "203.0.113.200";
      conn_ = network_.dial(*this, caller);
    });
  }

  void look(core::ConnId conn) {
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

  void say(core::ConnId conn, const std::string& line) {
    auditor_.sent(conn, line);
    network_.send(conn, line + "\n");
  }

  core::ConnId conn_{};
  bool leaving_ = false;
};

}  // namespace

std::unique_ptr<Client> make_watcher(const Scene& scene) { return std::make_unique<Watcher>(scene); }

}  // namespace fuhyo::sim
